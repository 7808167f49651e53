"""Lines too long for a segment are refused with their number before they fill the memory."""

from __future__ import annotations

import io
import os
import random
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from meteorlib import Pair, Scorer, SearchConfig
from meteorlib.cli import main
from meteorlib.cli.dropin import main as dropin
from meteorlib.config import load_preset
from meteorlib.corpus.batch import Rows
from meteorlib.corpus.parallel import score_stream
from meteorlib.engine.build import build_engine
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs import byte_source
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.text_file import TextFile
from meteorlib.registry import SEARCHES
from meteorlib.resources.store import compression
from meteorlib.resources.store.compression import decompressed_blocks
from meteorlib.search.beam import Beam
from meteorlib.search.staged import Staged
from meteorlib.text.validation import LONGEST_TEXT
from tests.conftest import START_METHOD
from tests.presets import with_table

MESSAGE = "more than 2,000,000 characters; is each line one segment?"


@pytest.mark.parametrize(
    ("reference", "hypothesis", "where"), [("x", "x" * 2_000_001, "hypothesis"), ("é" * 2_000_001, "x", "reference")]
)
def test_texts(reference, hypothesis, where):
    """Either side, wherever it is scored."""
    scorer = Scorer("meteor-2005-exact")
    for score in (
        lambda: scorer.score(reference, hypothesis),
        lambda: scorer.corpus().extend(references=[reference], hypotheses=[hypothesis]),
        lambda: scorer.matrix(hypotheses=[hypothesis], references=[reference]),
    ):
        with pytest.raises(InvalidText) as caught:
            score()
        assert MESSAGE in str(caught.value)
        assert where in str(caught.value)


WORD, LETTER = "x" * 999, "x"


@pytest.mark.parametrize("implementation", [pytest.param("python", marks=pytest.mark.thorough), "auto"])
@pytest.mark.parametrize(
    ("references", "hypothesis", "where"),
    [
        pytest.param([[LETTER]], [LETTER] * 1_000_001, "hypothesis", marks=pytest.mark.thorough),
        ([[WORD] * 2001], [LETTER], "reference"),
        pytest.param([[LETTER], [""] * 2_000_002], [LETTER], "reference 2", marks=pytest.mark.thorough),
    ],
)
def test_words(references, hypothesis, where, implementation):
    """Given words are as much as the text that they make with a blank between them."""
    scorer = Scorer("nltk", implementation=implementation)
    for score in (scorer.score_tokens, scorer.corpus().add_tokens):
        with pytest.raises(InvalidText) as caught:
            score(references, hypothesis)
        assert str(caught.value).startswith(f"{where}: more than 2,000,000 characters with a space after each word")


def test_the_most_words():
    """As many words as a text can have are scored."""
    assert Scorer("nltk").score_tokens([[WORD]], [WORD] * 2000).score > 0


@pytest.mark.thorough
def test_the_longest_text():
    """A text of as many characters as are allowed is scored."""
    text = "ab " * (LONGEST_TEXT // 3)
    assert Scorer("nltk").score(text, text).score > 0.99


def test_a_line_of_a_file(tmp_path):
    """The line is named; characters count, not bytes."""
    path = tmp_path / "text"
    path.write_text("a\n" + "é" * 2_000_000 + "\r\n" + "b" * 2_000_001 + "\nc\n", encoding="utf-8", newline="")
    with pytest.raises(InvalidText) as caught:
        TextFile.open(str(path)).count  # noqa: B018
    assert str(caught.value) == f"{path}:3: {MESSAGE}"
    path.write_text("a\n" + "é" * 2_000_000 + "\nb", encoding="utf-8")
    assert TextFile.open(str(path)).count == 3


@pytest.mark.parametrize("character", ["x", "é", "😀"])
def test_a_line_without_end(tmp_path, monkeypatch, character):
    """No more of a line is read than shows that it is too long."""
    monkeypatch.setattr(compression, "BLOCK", 333)
    blocks = []

    def watched(*arguments):
        for block in decompressed_blocks(*arguments):
            blocks.append(block)
            yield block

    monkeypatch.setattr(byte_source, "decompressed_blocks", watched)
    path = tmp_path / "text"
    path.write_text("a\nb\n" + character * 1_000_000, encoding="utf-8")
    with pytest.raises(InvalidText, match=rf"^{path}:3: more than "):
        TextFile(Source.open(str(path)), longest=1000).count  # noqa: B018
    assert sum(map(len, blocks)) < 10_000


def test_searches_with_sets_of_words():
    """If the sets of a search would fill the memory, an error says so and gives the size of the segment."""
    with pytest.raises(InvalidText) as caught:
        Staged()([[]] * 70_000, 80_000)
    assert str(caught.value) == (
        "hypothesis and reference: 80,000 words against 70,000 are too many for this search, which would need 2,670 "
        "MB; is each line one segment?"
    )
    everywhere = [(1, position, 1, 0) for position in range(200_000)]
    with pytest.raises(InvalidText, match=r"^hypothesis and reference: 200,000 words against 2 are too many"):
        Beam()([everywhere, everywhere], 200_000, (1.0,))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices with names")
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "-"])
def test_devices(name, monkeypatch):
    """Devices without an end are refused, by name and on standard input; the null device is empty."""
    with open("/dev/zero", encoding="latin-1") as zero, open(os.devnull, encoding="latin-1") as null:
        monkeypatch.setattr(sys, "stdin", zero)
        with pytest.raises(InputMismatch, match="is a device, not a file of segments"):
            Source.open(name)
        monkeypatch.setattr(sys, "stdin", null)
        assert Source.open("-").beginning(1) == Source.open(os.devnull).beginning(1) == b""


class Endless(io.BufferedIOBase):
    """A pipe that gives the same text for ever, packed or not, and counts it."""

    def __init__(self, text, pack):
        self.pack, self.text, self.given = pack, text, 0

    def read1(self, size):
        assert self.given < 5_000_000
        data = self.pack(self.text[:size])
        self.given += len(self.text[:size])
        return data


def _packer():
    packer = zlib.compressobj(wbits=31)
    return lambda text: packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)


@pytest.mark.parametrize("pack", ["plain", "gzip"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\0" * 5000, r"^standard input:1: more than 1,000 characters"),
        (b"y\n" * 2500, r"^standard input: is a pipe of more than 2 MB, of which a copy is kept; write it to a file"),
    ],
)
@pytest.mark.parametrize("held", [100, 10_000_000])
def test_endless_pipes(monkeypatch, text, message, pack, held):
    """A pipe without an end is refused after a line that is too long, or when its copy is too large."""
    monkeypatch.setattr(byte_source, "MAX_LINE_LENGTH", 1000)
    monkeypatch.setattr(byte_source, "LARGEST_PIPE", 2_000_000)
    monkeypatch.setattr(byte_source, "MAX_HELD_BYTES", held)
    pipe = Endless(text, _packer() if pack == "gzip" else bytes)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=pipe))
    with pytest.raises((InputMismatch, InvalidText), match=message):
        Source.open("-")


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (main, ["stem", "en"]),
        (main, ["align", "-stdio", "-", "-", "-p", "nltk"]),
        (dropin, ["-", "-", "-stdio", "-m", "exact"]),
    ],
)
def test_services(monkeypatch, capsys, program, arguments):
    """Commands that answer each line of standard input as it arrives end at one that may have no end."""
    monkeypatch.setattr(byte_source, "MAX_LINE_LENGTH", 1000)
    pipe = io.BytesIO(b"a" * 999 + b"\n" + b"\0" * 5_000_000)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe, "utf-8"))
    try:
        status = program(arguments)
    except SystemExit as end:
        status = end.code
    assert (status, pipe.tell() < 1_000_000) == (2, True)
    assert "standard input:2: more than 1,000 characters" in capsys.readouterr().err


def _limit_pairs(monkeypatch, search, most):
    monkeypatch.setitem(SEARCHES.builtin, search, evolve(SEARCHES.builtin[search], most_pairs=most))


def _is_refused(monkeypatch, config, implementation, most, sides):
    """Whether a segment is refused at a limit of `most` matching pairs of words and phrases."""
    _limit_pairs(monkeypatch, config.search.name, most)
    engine = build_engine(config, wanted=implementation)
    try:
        engine.score_tokens([sides[0].split()], sides[1].split())
    except InvalidText as error:
        lengths = f"{len(sides[1].split())} words against {len(sides[0].split())}"
        return f"hypothesis and reference: {lengths}, which match in more than {most} pairs, are too many" in str(error)
    return False


LIMITED = [
    ("meteor-2026-en", "weighted", "auto"), ("meteor-2026-en", "weighted", "python"), ("meteor-1.5-en", "beam", "auto"),
    ("meteor-1.5-en", "beam", "python"), ("meteor-1.5-en", "accurate", "python"), ("meteor-1.5-en", "optimal", "auto"),
    ("meteor-1.5-en", "optimal", "python"),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "search", "implementation"), LIMITED)
@pytest.mark.parametrize(
    ("reference", "hypothesis", "pairs", "more"),
    [
        pytest.param("a a b", "b a a a", 7, 0, id="words"),
        pytest.param("a a a", "a a a", 9, 0, id="the same words, which match in the first stage alone"),
        pytest.param("zorbs zorbs x", "zorbing zorb y zorbing", 6, 6, id="stems, which are near, too"),
        pytest.param("in the end z in the end z", "finally finally", 4, 0, id="phrases, at every place"),
        pytest.param("abcdefghi abcdefghi", "abc def ghi p abc def ghi", 0, 4, id="joined words"),
        pytest.param("hassan hassan", "hasan hassen hasan k", 0, 6, id="near words"),
        pytest.param("v w", "x y", 0, 0, id="nothing"),
    ],
)
def test_pairs(monkeypatch, compiled_table, preset, search, implementation, reference, hypothesis, pairs, more):
    """Every pair that a stage proposes counts, at each of its places; as many as are allowed are scored.

    `more` are those of stages that METEOR 2026 has alone.
    """
    config = with_table(load_preset(preset), compiled_table([("in the end", "finally")]))
    if search != config.search.name:
        config = evolve(config, search=SearchConfig(search))
    count = pairs + (more if preset == "meteor-2026-en" else 0)
    assert not _is_refused(monkeypatch, config, implementation, count, (reference, hypothesis))
    if count:
        assert _is_refused(monkeypatch, config, implementation, count - 1, (reference, hypothesis))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 8))])
@pytest.mark.parametrize("preset", ["meteor-2026-en", "meteor-1.5-en"])
def test_both_engines_count_alike(monkeypatch, compiled_table, preset, seed):
    """Whatever stages propose a pair, alone or together, both engines refuse a segment at the same number."""
    entries = [("in the end", "finally"), ("the end", "finally"), ("a", "b")]
    config = with_table(load_preset(preset), compiled_table(entries))
    draw = random.Random(seed)
    words = "run runs running hassan hasan well-known wellknown well known in the end finally a b car auto".split()
    sides = [" ".join(draw.choices(words, k=draw.randint(5, 40))) for _ in range(2)]
    low, high = 0, 2000
    while low < high:
        middle = (low + high) // 2
        if _is_refused(monkeypatch, config, "python", middle, sides):
            low = middle + 1
        else:
            high = middle
    assert 5 < low < 2000
    assert _is_refused(monkeypatch, config, "auto", low - 1, sides)
    assert not _is_refused(monkeypatch, config, "auto", low, sides)


@pytest.mark.parametrize("implementation", ["python", "auto"])
def test_the_segment_with_too_many_pairs(monkeypatch, implementation):
    """A stream names the segment, wherever it is scored."""
    _limit_pairs(monkeypatch, "beam", 20)
    scorer = Scorer("meteor-1.5-en-core", implementation=implementation)
    texts = ["a b"] * 150 + ["a a a a a", "a b"]
    pairs = [Pair((text,), text) for text in texts]
    jobs = 1 if START_METHOD == "spawn" else 2  # the limit is not lowered in a process that starts anew
    assert len(list(scorer.breakdowns(pairs[:150]))) == 150
    for score in (
        lambda: list(scorer.breakdowns(pairs)),
        lambda: scorer.totals(pairs),
        lambda: scorer.totals(pairs, []),
        lambda: scorer.arrays(pairs),
        lambda: scorer.corpus().extend(references=texts, hypotheses=texts),
        lambda: list(score_stream(scorer, [Rows(pairs[:149]), Rows(pairs[149:])], jobs=jobs)),
        lambda: list(score_stream(scorer, [Rows(pairs, [("odd", "even")[place % 2 :] for place in range(152)])])),
    ):
        with pytest.raises(
            InvalidText, match=r"^segment 151: hypothesis and reference: 5 words against 5, which match"
        ):
            score()


@pytest.mark.parametrize(
    ("preset", "most"), [("meteor-1.5-en-core", "100,000,000"), ("meteor-2026-en-core", "20,000,000")]
)
def test_two_words_30000_times(tmp_path, capsys, preset, most):
    """A command refuses such a line before it searches, names it, and says what to do."""
    line = "cat dog " * 15_000
    for name in ("hypotheses", "references"):
        (tmp_path / name).write_text(
            f"a cat\n{'dog ' + line if name == 'references' else line + 'cat'}\n", encoding="utf-8"
        )
    with pytest.raises(SystemExit) as ended:
        main(["score", str(tmp_path / "hypotheses"), "-r", str(tmp_path / "references"), "--preset", preset])
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert (
        f"segment 2: hypothesis and reference: 30,001 words against 30,001, which match in more than {most}" in message
    )
    assert "split it, or score it with the preset meteor-2005 or nltk" in message


@pytest.mark.parametrize("preset", ["meteor-2005", "nltk"])
def test_presets_without_a_limit(preset):
    """The presets that the message names score one word 15,000 times: they do not look at each pair of its places."""
    assert Scorer(preset).score("dog " + "cat " * 15_000, "cat " * 15_000).score > 0.9
