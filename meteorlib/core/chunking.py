"""Chunking: how broken up an alignment is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import nan
from typing import NamedTuple

from attrs import frozen

from meteorlib.core.alignment import Alignment


class Chunk(NamedTuple):
    """A run of matches contiguous and in the same order on both sides; lengths in words."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int


def chunk_heads(matches: Sequence[tuple[int, int, int, int, int]]) -> list[int]:
    """The indices of the matches (in reference order) that begin a chunk.

    A chunk ends where the next reference word is unmatched or the next match does not start where the last one
    ended on the hypothesis side (Denkowski & Lavie 2014).
    """
    heads = []
    next_reference = next_hypothesis = -1
    for index, (reference, reference_length, hypothesis, hypothesis_length, _) in enumerate(matches):
        if reference != next_reference or hypothesis != next_hypothesis:
            heads.append(index)
        next_reference = reference + reference_length
        next_hypothesis = hypothesis + hypothesis_length
    return heads


@frozen
class Chunking:
    """All chunks of an alignment.

    Attributes:
        chunks: in reference order.
        matched_words: mean number of matched words of the two sides.
    """

    chunks: tuple[Chunk, ...]
    matched_words: float

    @classmethod
    def of(cls, alignment: Alignment) -> Chunking:
        """The chunks of `alignment`."""
        matches = alignment.matches
        heads = chunk_heads(matches)
        chunks = []
        for head, end in pairwise([*heads, len(matches)]):
            first, last = matches[head], matches[end - 1]
            chunks.append(
                Chunk(
                    first.reference_start,
                    last.reference_start + last.reference_length - first.reference_start,
                    first.hypothesis_start,
                    last.hypothesis_start + last.hypothesis_length - first.hypothesis_start,
                )
            )
        words = sum(match.reference_length + match.hypothesis_length for match in matches)
        return cls(tuple(chunks), words / 2)

    @property
    def count(self) -> int:
        """The number of chunks."""
        return len(self.chunks)

    @property
    def fragmentation(self) -> float:
        """Chunks divided by the mean number of matched words; NaN where nothing is matched."""
        return self.count / self.matched_words if self.matched_words else nan
