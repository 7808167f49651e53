"""The folder of a new language: whole, resumable, taken by presets."""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.errors import ExtraMissing, InputMismatch, MeteorError
from meteorlib.universal.build import Build, Listener
from meteorlib.universal.texts import Text, part_sizes, write_links
from tests.file_operations import intercepted, refuse_open_files
from tests.universal.conftest import EXAMPLE, FOREIGN, TARGET, WANTED, write

FOLDER = {"function.words", "paraphrase.gz", "report.txt"}


@pytest.fixture
def asked(tmp_path, cache, monkeypatch):
    """The worked example, with capitals, as files; a build of them."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, [row.title() for row in EXAMPLE], WANTED.upper(), FOREIGN.upper(), TARGET.title())
    return Build(tmp_path / "out", "f", "e", "t.gz", "wanted")


def test_folder(asked):
    """The table has METEOR's format, everything is lowercased, and no other file is left."""
    said = []
    contents = asked.run(Listener(said.append))
    assert {path.name for path in asked.out.iterdir()} == FOLDER
    assert (asked.out / "function.words").read_text() == "the\n"
    lines = gzip.decompress((asked.out / "paraphrase.gz").read_bytes()).decode().split("\n")
    assert lines[:6] == ["0.375", "car", "vehicle", "0.135", "home", "house"]
    assert (contents.entries, contents.references, len(lines)) == (7, 6, 22)
    assert contents.most[0] == ("car", "vehicle", 0.375)
    assert contents.least[0].probability == 0.045000000000000005
    report = (asked.out / "report.txt").read_text()
    assert "phrases that have one       6" in report
    assert "car → vehicle  0.375" in report
    assert any("t.gz:13: " in message for message in said)
    assert any("scratch space" in message for message in said)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are found in /proc")
def test_open_files(asked):
    """Under Windows' rules, by which no open file is renamed or removed, the folder is made all the same."""
    with intercepted(refuse_open_files):
        asked.run()
    assert {path.name for path in asked.out.iterdir()} == FOLDER


def test_scores(asked):
    """A preset takes the folder, and what it pairs are our paraphrases."""
    asked.run()
    (asked.out.parent / "mine.yaml").write_text(
        "presets:\n  mine:\n    extends: meteor-1.5-universal\n    resources: ./out\n"
    )
    scorer = Scorer.from_file(asked.out.parent / "mine.yaml")
    alignment = scorer.align("we saw the car", "we saw the vehicle")
    assert [stage for _, _, stage in alignment.pairs()] == ["exact", "exact", "exact", "paraphrase"]


def test_kept(asked):
    """Parex's own files stay where they are asked for."""
    Build(asked.out, "f", "e", "t.gz", "wanted", keep=True).run()
    assert {path.name for path in (asked.out / "parex").iterdir()} == {
        "parex.e", "parex.f", "parex.raw.gz", "parex.group.gz", "paraphrase.gz"
    }  # fmt: skip


def interrupt(build):
    """Start a build, and interrupt it when it combines what it has found."""

    def step(doing):
        if doing == "combining":
            raise KeyboardInterrupt
        return lambda *_: None

    with pytest.raises(KeyboardInterrupt):
        build.run(Listener(step=step))


def test_resumed(asked):
    """An interrupted build continues: finished steps are kept, and unfinished files are removed."""
    interrupt(asked)
    assert {path.name for path in asked.out.iterdir()} == {"work"}
    before = (asked.out / "work" / "parex.raw.gz").stat().st_mtime_ns
    (asked.out / "work" / ".left.part").write_text("half")
    (asked.out / "work" / "sort-left").mkdir()
    evolve(asked, keep=True).run()
    assert (asked.out / "parex" / "parex.raw.gz").stat().st_mtime_ns == before
    assert {path.name for path in asked.out.iterdir()} == {*FOLDER, "parex"}


def test_of_other_files(asked):
    """A folder that another build began, or that holds anything else, is left alone."""
    interrupt(asked)
    (asked.out.parent / "e").write_text("another text\n")
    with pytest.raises(InputMismatch, match="contains the results of a build of other files"):
        asked.run()
    (asked.out.parent / "other").mkdir()
    (asked.out.parent / "other" / "file").write_text("mine")
    with pytest.raises(InputMismatch, match="already exists"):
        Build(asked.out.parent / "other", "f", "e", "t.gz").run()


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"f": ""}, "f: is empty"), ({"e": ""}, "e: is empty"), ({"t.gz": gzip.compress(b"")}, "t.gz: is empty")],
)
def test_empty(asked, changed, message):
    """Empty text gives no resources."""
    for name, content in changed.items():
        (asked.out.parent / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputMismatch, match=message):
        asked.run()
    assert not asked.out.exists()


def test_without_aligner(asked, monkeypatch):
    """Parallel text needs the extra, and the error names it."""
    monkeypatch.setitem(sys.modules, "eflomal", None)
    with pytest.raises(ExtraMissing, match=r"eflomal is not installed: .*meteorlib\[universal\]"):
        Build(asked.out, "f", "e").run()
    assert not asked.out.exists()


def test_aligner_that_fails(asked, monkeypatch):
    """An aligner that fails is reported, and none of its files is left."""
    (asked.out.parent / "f").write_text("a\nb\n")
    (asked.out.parent / "e").write_text("c\nd\n")

    class Aligner:
        def align(self, source, target, links_filename_fwd, links_filename_rev):
            assert (list(source), list(target)) == (["0\n", "1\n"], ["0\n", "1\n"])
            for name in (links_filename_fwd, links_filename_rev):
                Path(name).write_text("0-0\n", encoding="utf-8")

    monkeypatch.setitem(sys.modules, "eflomal", SimpleNamespace(Aligner=Aligner))
    with pytest.raises(MeteorError, match="eflomal aligned 1 of 2 sentence pairs"):
        Build(asked.out, "f", "e").run()
    assert not (asked.out / "work" / "links.gz").exists()


def test_aligned_in_parts(asked, monkeypatch):
    """Text of more words than the aligner is given at a time is aligned in parts, and the links stay in order."""
    texts = []

    class Aligner:
        def align(self, source, target, links_filename_fwd, links_filename_rev):
            texts.append(list(source))
            assert len(texts[-1]) == len(list(target))
            for name in (links_filename_fwd, links_filename_rev):
                links = "".join(f"{len(texts)}-{len(line.split())}\n" for line in texts[-1])
                Path(name).write_text(links, encoding="utf-8")

    monkeypatch.setitem(sys.modules, "eflomal", SimpleNamespace(Aligner=Aligner))
    monkeypatch.setattr("meteorlib.universal.texts.MAX_WORDS", 6)
    for name in "fe":
        (asked.out.parent / name).write_text("a b c\na\n\na b\na b\nb c d\n")
    links = asked.out.parent / "links.gz"
    write_links(Text.open("f"), Text.open("e"), links, asked.out.parent)
    assert texts == [["0 1 2\n", "0\n", "0 1\n"], ["0 1\n", "1 2 3\n"]]
    assert gzip.decompress(links.read_bytes()) == b"1-3\n1-1\n1-2\n2-2\n2-3\n"


@pytest.mark.parametrize(
    ("sizes", "most", "parts"),
    [([], 5, []), ([0, 0], 5, []), ([3, 2], 5, [2]), ([3, 2, 1], 5, [1, 2]), ([1] * 10, 4, [4, 3, 3]), ([9], 2, [1])],
)
def test_parts_of_text(monkeypatch, sizes, most, parts):
    """Parts have about as many words each, and none has many more than it may; every pair is in one."""
    monkeypatch.setattr("meteorlib.universal.texts.MAX_WORDS", most)
    assert part_sizes(sizes) == parts
    assert sum(parts) == sum(map(bool, sizes))


def test_unlike_texts(asked):
    """The lines of parallel text belong together."""
    pytest.importorskip("eflomal")
    (asked.out.parent / "f").write_text("a\nb\n")
    with pytest.raises(InputMismatch, match="f has 2, e has 1"):
        Build(asked.out, "f", "e").run()


@pytest.mark.thorough
def test_parallel_text(asked):
    """Straight from parallel text: words that one foreign word translates are paraphrases."""
    pytest.importorskip("eflomal")
    chance = random.Random(1)
    foreign, target = [], []
    for number in range(3000):
        drawn = [chance.randrange(200) for _ in range(8)]
        words = ("autos", ("cars", "automobiles")[number // 200 % 2]) if number % 200 == 0 else ("", "")
        foreign.append(" ".join([*(f"f{word}" for word in drawn[:4]), words[0], *(f"f{word}" for word in drawn[4:])]))
        target.append(" ".join([*(f"e{word}" for word in drawn[:4]), words[1], *(f"e{word}" for word in drawn[4:])]))
    for name, lines in (("f", foreign), ("e", target)):
        (asked.out.parent / name).write_text("".join(f"{line}\n" for line in lines))
    (asked.out.parent / "wanted").write_text("cars\n")
    contents = Build(asked.out, "f", "e", test="wanted", keep=True).run()
    assert ("cars", "automobiles", 7 / 15) in contents.most
    rows = gzip.decompress((asked.out / "parex" / "phrase-table.gz").read_bytes()).decode().split("\n")
    assert "autos ||| cars ||| 1.0 1 0.5333333333333333 1" in rows
