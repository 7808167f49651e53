"""Chunks: where they end, and that all there is to know of them comes from one `Chunking`."""

from __future__ import annotations

import pytest

from meteorlib import Chunking, Match, Scorer
from meteorlib.core import Alignment, Chunk


def chunking(*matches):
    """The chunks of matches between long enough segments."""
    words = ("w",) * 20
    return Alignment(words, words, tuple(Match(*match) for match in matches), ("exact",)).chunking


@pytest.mark.parametrize(
    ("starts", "chunks"),
    [
        ([], 0),
        ([(0, 0)], 1),
        ([(0, 0), (1, 1), (2, 2)], 1),
        ([(0, 5), (1, 6)], 1),
        ([(0, 1), (1, 0)], 2),  # the other way round
        ([(0, 0), (2, 1)], 2),  # a reference word between them is unmatched
        ([(0, 0), (1, 2)], 2),  # a hypothesis word is
        ([(0, 3), (1, 4), (2, 5), (3, 0), (4, 1)], 2),
        ([(0, 0), (1, 1), (3, 3), (4, 4)], 2),
    ],
)
def test_count(starts, chunks):
    """A chunk ends where either side does not go on with the next word."""
    found = chunking(*((reference, 1, hypothesis, 1, 0) for reference, hypothesis in starts))
    assert found.count == len(found.chunks) == len(found.heads) == chunks


def test_chunks_of_phrases():
    """A chunk may have different lengths on its two sides; stages do not end it."""
    found = chunking((0, 1, 2, 1, 0), (1, 2, 3, 3, 3), (3, 1, 6, 1, 1), (4, 1, 0, 2, 3))
    assert found.chunks == (Chunk(0, 4, 2, 5), Chunk(4, 1, 0, 2))
    assert found.heads == (0, 3)


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core", "nltk"])
def test_what_a_scorer_gives(preset):
    """A breakdown has the chunking of its alignment, and its statistics count its chunks."""
    scored = Scorer(preset).score("the cat sat on the mat", "on the mat sat the cats")
    assert scored.chunking == scored.alignment.chunking == Chunking.of(scored.alignment.matches)
    assert scored.chunking.count == scored.statistics.chunks == len(scored.chunking.chunks) > 1


def test_no_alignment_no_chunking():
    """A corpus has no alignment, and so no chunking."""
    corpus = Scorer().corpus()
    corpus.add("the cat", "cat the")
    assert corpus.score().chunking is None
