"""Chunks: where they end, and how they are counted."""

from __future__ import annotations

from math import isnan

import pytest

from meteorlib.core import Alignment, Chunk, Chunking, Match
from meteorlib.core.chunking import chunk_heads


def chunking(*matches):
    """The chunks of matches between long enough segments."""
    words = ("w",) * 20
    return Chunking.of(Alignment(words, words, tuple(Match(*match) for match in matches), ("exact",)))


def words(*starts):
    """One-word matches at these places."""
    return [(reference, 1, hypothesis, 1, 0) for reference, hypothesis in starts]


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
    assert chunking(*words(*starts)).count == len(chunk_heads(words(*starts))) == chunks


def test_chunks_of_phrases():
    """A chunk may have different lengths on its two sides; stages do not end it."""
    found = chunking((0, 1, 2, 1, 0), (1, 2, 3, 3, 3), (3, 1, 6, 1, 1), (4, 1, 0, 2, 3))
    assert found.chunks == (Chunk(0, 4, 2, 5), Chunk(4, 1, 0, 2))


def test_matched_words():
    """Matched words are the mean of both sides."""
    assert chunking((0, 1, 0, 2, 3)).matched_words == 1.5


def test_fragmentation():
    """Fragmentation is chunks by mean matched words, and has no value where nothing is matched."""
    assert chunking(*words((0, 1), (1, 0))).fragmentation == 1.0
    assert chunking(*words((0, 0), (1, 1), (2, 2), (3, 3))).fragmentation == 0.25
    assert isnan(chunking().fragmentation)


def test_same_number_as_the_breakdown():
    """What a chunking says of a segment is what its score was made from."""
    from meteorlib import Scorer

    scored = Scorer().score("the cat sat on the mat", "on the mat sat the cat")
    found = Chunking.of(scored.alignment)
    assert (found.count, found.fragmentation) == (scored.statistics.chunks, scored.fragmentation) == (6, 1.0)
