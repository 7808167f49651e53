"""Lines too long for a segment are refused with their number before they fill the memory."""

from __future__ import annotations

import io
import os
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from meteorlib import Scorer
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs import byte_source
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store import compression
from meteorlib.resources.store.compression import decompressed_blocks
from meteorlib.search.beam import Beam
from meteorlib.search.staged import Staged
from meteorlib.text.validation import LONGEST_TEXT

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
        "a segment: 80,000 words against 70,000 are too many for this search, which would need 2,670 MB; "
        "is each line one segment?"
    )
    everywhere = [(1, position, 1, 0) for position in range(200_000)]
    with pytest.raises(InvalidText, match=r"^a segment: 200,000 words against 2 are too many"):
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
