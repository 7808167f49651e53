"""Chunking: the division of an alignment into chunks, and the count of crossing matches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from attrs import frozen

from meteorlib.display.displayable import Grid, Tabular, records_grid


def count_crossings(matches: Sequence[tuple[int, int, int, int, int]]) -> int:
    """Number of crossing pairs of matches, which are given in reference order (Banerjee & Lavie 2005, section 2.2)."""
    seen = crossings = 0
    for match in matches:
        crossings += (seen >> match[2]).bit_count()
        seen |= 1 << match[2]
    return crossings


class Chunk(NamedTuple):
    """A run of matches contiguous and in the same order on both sides; lengths in words."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int


@frozen
class Chunking(Tabular):
    """The matches of an alignment, divided into chunks; `Statistics` counts them.

    Attributes:
        matches: the matches, in reference order.
        heads: for each chunk, the index of the match that begins it.
    """

    matches: Sequence[tuple[int, int, int, int, int]]
    heads: Sequence[int]

    @classmethod
    def of(cls, matches: Sequence[tuple[int, int, int, int, int]]) -> Chunking:
        """Divide `matches`, given in reference order.

        A chunk ends if the next reference word is unmatched, or if the next match does not start where the last one
        ended on the hypothesis side (Denkowski & Lavie 2014).
        """
        heads = []
        next_reference = next_hypothesis = -1
        for index, (reference, reference_length, hypothesis, hypothesis_length, _) in enumerate(matches):
            if reference != next_reference or hypothesis != next_hypothesis:
                heads.append(index)
            next_reference = reference + reference_length
            next_hypothesis = hypothesis + hypothesis_length
        return cls(matches, tuple(heads))

    @property
    def count(self) -> int:
        """The number of chunks."""
        return len(self.heads)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks, in reference order."""
        matches = self.matches
        bounds = [(matches[head], matches[end - 1]) for head, end in pairwise([*self.heads, len(matches)])]
        return tuple(
            Chunk(first[0], last[0] + last[1] - first[0], first[2], last[2] + last[3] - first[2])
            for first, last in bounds
        )

    def _grids(self) -> list[Grid]:
        return [records_grid(self.chunks, "chunk")]
