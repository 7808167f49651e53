"""Lines too long for a segment are refused with their number before they fill the memory."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.errors import InvalidText
from meteorlib.files import byte_source
from meteorlib.files.byte_source import Source
from meteorlib.files.text_file import TextFile
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
