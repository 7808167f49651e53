"""METEOR 1.5's programs for new languages: Parex, FilterParaphrase, and scores with the folder of a language (-new)."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from meteorlib.universal.build import Build
from meteorlib.universal.parex import FINAL, GROUPED, RAW, Parex, filter_paraphrases
from meteorlib.universal.texts import Text
from tests.universal.conftest import EXAMPLE, FOREIGN, TARGET, WANTED, lines_of, write

pytestmark = [pytest.mark.oracle, pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")]

ROWS = 250_000
ODD = [
    *("", " ", "|||", "||| ||| |||", "f ||| a", "f ||| a ||| .5 .1", "f |||| a ||| 1 1 1", "f ||| a |||| 1 1 1"),
    *("f ||| a ||| x 1 1", "f ||| a ||| 1 1 0,5", "f ||| a ||| 1 1 1_0", "f ||| a ||| 1 1 nan", " ||| a ||| 1 1 1"),
    *("f ||| a\x0bb ||| \x0b.5 1 .5\x01", "f|||b||| NaN 1 1 ", "f ||| c ||| 1 1 NaN", "f ||| d ||| 0x1p-1 1 .5f"),
    *("\x01f ||| \x1fb ||| +.5 1 5e-1", "f\t ||| a\t\tb ||| .5 1 1d ||| x", "f ||| ||| 1 1 1", "f ||| c ||| 1. 1 .5"),
    *("f ||| e ||| .5 1 .5\rf ||| d ||| .25 1 .25", "f ||| \u00a0 ||| 1 1 1", "f ||| it's ||| 1 1 1"),
]


def ran(oracles, folder, *arguments):
    """Output and messages of METEOR's jar; its output may be large."""
    command = ["java", "-Dfile.encoding=UTF-8", "-Xmx6G", "-cp", oracles / "meteor-1.5.jar", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)


def compared(oracles, folder, rows, wanted, foreign=FOREIGN, target=TARGET):
    """The files of both programs, ours last, and how many rows the jar skips; the lists of words sorted."""
    texts = write(folder, rows, wanted, foreign, target)
    told = ran(oracles, folder, "Parex", "f", "e", "t.gz", "wanted", "jar").stderr
    (folder / "ours").mkdir()
    files, skipped = Parex(folder / "ours"), []
    files.words(texts["f"], texts["e"])
    files.pivot(texts["t.gz"], texts["wanted"], skipped=skipped.append)
    files.combine()
    found = [lines_of(folder / name) for name in ("jar", "ours")]
    for lines in found:
        for name in ("parex.f", "parex.e"):
            lines[name].sort()
    # it reads the table twice, and a CR ends a line for it as well
    assert told.count("Skipping problematic line") == 2 * len(skipped)
    return found


def test_example(oracles, tmp_path):
    """The worked example, and a row that is none."""
    jar, ours = compared(oracles, tmp_path, EXAMPLE, WANTED)
    assert ours == jar
    assert len(ours[FINAL]) == 7


@pytest.mark.parametrize("seed", range(12))
def test_tables(oracles, tmp_path, seed):
    """Tables made at random: sorted or not, with odd blanks, letters, numbers and rows that cannot be read."""
    chance = random.Random(seed)
    words = ["a", "b", "c", "the", "d", "é", "\U00010400", "\uffee", "\ue001", "A", "e-f", "."][: chance.randint(3, 12)]

    def phrase():
        blank = chance.choice(["  ", "\t"]) if chance.random() < 0.05 else " "
        return blank.join(chance.choices(words, k=chance.randint(1, 4)))

    foreign = [f"f{chance.randrange(30)}{' la' * chance.randrange(3)}" for _ in range(500)]
    if seed % 2:
        foreign.sort(key="{} |||".format)
    power = chance.choice([1, 3])
    numbers = lambda: " ".join(repr(chance.random() ** power) for _ in range(4))  # noqa: E731 – two in a row
    rows = [f"{pivot} ||| {phrase()} ||| {numbers()} ||| 0-0 ||| 1 1 1" for pivot in foreign]
    for odd in ODD if seed % 3 else ():
        rows.insert(chance.randrange(len(rows)), odd)
    wanted = "\n".join(" ".join(phrase() for _ in range(3)) for _ in range(50))
    jar, ours = compared(oracles, tmp_path, rows, wanted + "\n\u00a0\nit's\na\x0bb\n")
    assert ours == jar
    assert ours[RAW]


@pytest.mark.stress
def test_large_table(oracles, shared, tmp_path):
    """Many rows from real text: system output, and the text at the same position of the reference."""
    folder = shared / "data" / "judgements" / "wmt14_rank"
    references = dict(_columns(folder / "de-en.segments.tsv.gz", "segment_id", "reference"))
    counts, lines = Counter(), []
    for segment, text in _columns(folder / "de-en.hyps.tsv.gz", "segment_id", "hypothesis"):
        words, others = text.lower().split(), references[segment].lower().split()
        lines.append((" ".join(words), " ".join(others)))
        for begin in range(len(words)):
            place = begin * len(others) // len(words)
            for length in range(1, 5):
                for other in (length, length + 1):
                    counts[" ".join(words[begin : begin + length]), " ".join(others[place : place + other])] += 1
    pairs = counts.most_common(ROWS)
    assert len(pairs) == ROWS
    both = [Counter(), Counter()]
    for pair, count in pairs:
        for total, phrase in zip(both, pair, strict=True):
            total[phrase] += count
    rows = sorted(f"{f} ||| {e} ||| {n / both[1][e]} 1 {n / both[0][f]} 1" for (f, e), n in pairs)
    foreign, target = ("".join(f"{line[side]}\n" for line in lines) for side in (0, 1))
    jar, ours = compared(oracles, tmp_path, rows, "".join(target.splitlines(keepends=True)[:10_000]), foreign, target)
    assert [len(ours[name]) for name in (RAW, GROUPED, FINAL)] == [len(jar[name]) for name in (RAW, GROUPED, FINAL)]
    assert ours == jar
    assert len(ours[FINAL]) > 40_000


def _columns(path, *names):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        header = file.readline().rstrip("\n").split("\t")
        places = [header.index(name) for name in names]
        for line in file:
            fields = line.rstrip("\n").split("\t")
            yield tuple(fields[place] for place in places)


def test_scores(oracles, tmp_path, monkeypatch):
    """With the folder that we make, METEOR's -new and our command print the same, statistics and all."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    write(tmp_path, EXAMPLE, WANTED, FOREIGN, TARGET)
    monkeypatch.chdir(tmp_path)
    Build(tmp_path / "out", "f", "e", "t.gz", "wanted").run()
    chance = random.Random(1)
    words = "the house home car vehicle red w1 w2 The Car".split()
    for name in ("hyp", "ref"):
        (tmp_path / name).write_text("".join(" ".join(chance.choices(words, k=9)) + "\n" for _ in range(200)))
    arguments = ["hyp", "ref", "-new", "out", "-ssOut"]
    command = ["java", "-Dfile.encoding=UTF-8", "-jar", oracles / "meteor-1.5.jar", *arguments]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = [sys.executable, "-c", "from meteorlib.cli.dropin import main; main()", *arguments]
    assert subprocess.run(ours, capture_output=True, text=True, check=True).stdout == theirs
    assert theirs.count("\n") == 200


def test_filter(oracles, root, tmp_path):
    """FilterParaphrase keeps the same entries of a table, in the same form."""
    chance = random.Random(1)
    texts = [(root / f"tests/data/{language}.ref").read_bytes() for language in ("en", "fr", "de")]
    lines = [line for text in texts for line in text.splitlines(keepends=True)]
    words = b" ".join(lines).decode().split()
    entries = [("1", "", ""), ("1", " a", "b\tc")]
    for _ in range(20_000):
        begin, other = chance.randrange(len(words)), chance.randrange(len(words))
        one, two = (words[place : place + chance.randint(1, 4)] for place in (begin, other))
        entries.append((repr(chance.random()), " ".join(one), " ".join(two).lower()))
    (tmp_path / "t.gz").write_bytes(gzip.compress("".join("\n".join(entry) + "\n" for entry in entries).encode()))
    for name, part in (("r1", lines[:40]), ("r2", lines[300:340])):
        (tmp_path / name).write_bytes(b"".join(part))
    ran(oracles, tmp_path, "FilterParaphrase", "t.gz", "jar.gz", "r1", "r2")
    table, *references = (Text.open(str(tmp_path / name), lower=False) for name in ("t.gz", "r1", "r2"))
    counts = filter_paraphrases(table, tmp_path / "ours.gz", references)
    theirs, ours = (gzip.decompress((tmp_path / name).read_bytes()) for name in ("jar.gz", "ours.gz"))
    assert ours == theirs
    assert 1000 < counts.kept < counts.entries
