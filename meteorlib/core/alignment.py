"""Match, Chunking and Alignment: which hypothesis words are matched with which reference words, in which chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from meteorlib.core.segment import SCALE
from meteorlib.display.displayable import Displayable, Grid, Tabular, records_grid

if TYPE_CHECKING:
    from meteorlib.display.drawing import Plan


Candidate = tuple[int, int, int, int]
"""A candidate at some reference position: reference length, hypothesis start, hypothesis length, stage.

Candidates are plain tuples, kept in one list a reference position, because a segment has hundreds of them and a
search needs their order.
"""

Candidates = Sequence[Sequence[Candidate]]
"""The candidates of a segment: for each reference position, in the order in which the stages proposed them.

Positions that hold the same word may share one list, so the lists are never changed.
"""


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


class Match(NamedTuple):
    """A chosen pair of spans; positions are 0-based, lengths in words may differ (paraphrases)."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: int

    def to_dict(self, stages: Sequence[str]) -> dict[str, Any]:
        """Plain data; the stage by its name, out of `stages`."""
        return {**self._asdict(), "stage": stages[self.stage]}


class Found(NamedTuple):
    """Result of a search.

    Attributes:
        matches: `Match`-shaped tuples in reference order.
        optimal: False if the search stopped at its budget with the best alignment so far.
    """

    matches: Sequence[tuple[int, int, int, int, int]]
    optimal: bool


@frozen(repr=False)
class Alignment(Displayable):
    """The evidence behind a score: one-to-one matches between hypothesis and reference.

    Attributes:
        reference: the words of the reference.
        hypothesis: the words of the hypothesis.
        matches: the chosen matches in reference order.
        stages: the names of the stages, by the index `Match.stage`.
        optimal: False if the search hit its budget; the matches are then the best it found.
        grades: for each match, how much it counts, in units of 1/`meteorlib.core.segment.SCALE`; None if all
            count fully.
    """

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    matches: tuple[Match, ...]
    stages: tuple[str, ...]
    optimal: bool = True
    grades: tuple[int, ...] | None = None

    @property
    def by_reference(self) -> dict[int, Match]:
        """For each matched reference position, its match."""
        return self._by_position(0)

    @property
    def by_hypothesis(self) -> dict[int, Match]:
        """For each matched hypothesis position, its match."""
        return self._by_position(2)

    def _by_position(self, start: int) -> dict[int, Match]:
        """The matches by their positions on the side whose start is this field of a match."""
        return {
            position: match
            for match in self.matches
            for position in range(match[start], match[start] + match[start + 1])
        }

    @property
    def unmatched_reference(self) -> tuple[int, ...]:
        """Positions of the reference words that no match covers."""
        return tuple(sorted(set(range(len(self.reference))).difference(self.by_reference)))

    @property
    def unmatched_hypothesis(self) -> tuple[int, ...]:
        """Positions of the hypothesis words that no match covers."""
        return tuple(sorted(set(range(len(self.hypothesis))).difference(self.by_hypothesis)))

    @property
    def chunking(self) -> Chunking:
        """The matches divided into chunks."""
        return Chunking.of(self.matches)

    @property
    def crossings(self) -> int:
        """Number of crossing pairs of matches (Banerjee & Lavie 2005, section 2.2)."""
        return count_crossings(self.matches)

    def pairs(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], str]]:
        """For each match: its reference words, its hypothesis words, the name of its stage."""
        for match in self.matches:
            yield *self.words_of(match), self.stages[match.stage]

    def words_of(self, match: Match) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of a match, or of a possible one, in the reference and in the hypothesis."""
        place, length, start, count, _ = match
        return self.reference[place : place + length], self.hypothesis[start : start + count]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the words of both sides and the matches, whose positions count from 0."""
        return {
            "reference": list(self.reference),
            "hypothesis": list(self.hypothesis),
            "matches": self.listed_matches(),
            "optimal": self.optimal,
        }

    def listed_matches(self) -> list[dict[str, Any]]:
        """The matches as plain data; matches that may count in part have a ``grade``, 0..1."""
        matches_data = [match.to_dict(self.stages) for match in self.matches]
        for match, grade in zip(matches_data, self.grades or (), strict=False):
            match["grade"] = grade / SCALE
        return matches_data

    def __repr__(self) -> str:
        sizes = f"reference_words={len(self.reference)}, hypothesis_words={len(self.hypothesis)}"
        return f"Alignment({sizes}, matches={len(self.matches)}{'' if self.optimal else ', optimal=False'})"

    def plan(self) -> Plan:
        """The alignment as it is drawn."""
        from meteorlib.display.drawing import Plan  # noqa: PLC0415 – for people only

        shares = [grade / SCALE for grade in self.grades or ()]
        return Plan(self.reference, self.hypothesis, self.matches, self.chunking.heads, self.stages, shares)

    _plan = plan
