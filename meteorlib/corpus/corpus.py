"""Corpus: adds statistics up and scores once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Protocol, Self

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.statistics import Statistics
from meteorlib.errors import InputMismatch

_UNIT = 1100  # the fixed point of an exact sum of doubles: 2 ** -1074 is the smallest


class SegmentScorer(Protocol):
    """What a corpus needs of a Scorer."""

    @property
    def signature(self) -> object:
        """Names the METEOR in use; corpora of different ones cannot be merged."""

    @property
    def stage_count(self) -> int:
        """Number of stages."""

    def score(self, ref: str | Sequence[str], hyp: str) -> ScoreBreakdown:
        """Score a segment."""

    def score_tokens(self, refs: Sequence[Sequence[str]], hyp: Sequence[str]) -> ScoreBreakdown:
        """Score a segment that is already in words."""

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score statistics."""


class Corpus:
    """What has been accumulated: one system's segments, or any set of them. The one mutable class.

    The corpus score is the formula applied to the summed statistics; the mean of the segment scores is another number
    and has a name of its own, `mean`.

    Attributes:
        statistics: the sum over the segments.
        segment_count: how many segments were added.
        empty_hypotheses: how many of them had no word in the hypothesis (they score 0).
        empty_references: how many had no word in the reference that counted (they score 0).
        inexact: how many were aligned by a search that hit its budget.
    """

    def __init__(self, scorer: SegmentScorer, *, keep_segments: bool = True) -> None:
        self._scorer = scorer
        self._segments: list[ScoreBreakdown] | None = [] if keep_segments else None
        self._sum = 0
        self.statistics = Statistics.zero(scorer.stage_count)
        self.segment_count = 0
        self.empty_hypotheses = 0
        self.empty_references = 0
        self.inexact = 0

    def __len__(self) -> int:
        return self.segment_count

    def add(self, ref: str | Sequence[str], hyp: str) -> ScoreBreakdown:
        """Score a segment and add it; see `Scorer.score`."""
        return self.add_breakdown(self._scorer.score(ref, hyp))

    def add_tokens(self, refs: Sequence[Sequence[str]], hyp: Sequence[str]) -> ScoreBreakdown:
        """Score a segment that is already in words and add it; see `Scorer.score_tokens`."""
        return self.add_breakdown(self._scorer.score_tokens(refs, hyp))

    def extend(self, refs: Iterable[str | Sequence[str]], hyps: Iterable[str]) -> Self:
        """Add many segments: the references of each, and the hypotheses, in the same order.

        Raises:
            InputMismatch: there are not as many of the one as of the other; both counts are named.
        """
        references = hypotheses = 0
        for ref, hyp in zip_longest(refs, hyps):
            references += ref is not None
            hypotheses += hyp is not None
            if ref is not None and hyp is not None:
                self.add(ref, hyp)
        if references != hypotheses:
            raise InputMismatch(f"{references} references but {hypotheses} hypotheses: each hypothesis needs its own")
        return self

    def add_breakdown(self, scored: ScoreBreakdown) -> ScoreBreakdown:
        """Add a segment that this corpus' scorer has scored already."""
        statistics = scored.statistics
        self.statistics += statistics
        self.segment_count += 1
        self.empty_hypotheses += not statistics.hypothesis_length
        self.empty_references += not statistics.reference_length
        self.inexact += not scored.optimal
        numerator, denominator = scored.score.as_integer_ratio()
        self._sum += numerator << (_UNIT + 1 - denominator.bit_length())
        if self._segments is not None:
            self._segments.append(scored)
        return scored

    @property
    def segments(self) -> tuple[ScoreBreakdown, ...]:
        """The breakdown of every segment, in order of adding.

        Raises:
            InputMismatch: the corpus was made without keeping them.
        """
        if self._segments is None:
            raise InputMismatch("this corpus does not keep its segments; make it with corpus(keep_segments=True)")
        return tuple(self._segments)

    def score(self) -> ScoreBreakdown:
        """The corpus score: the formula applied once to the sums.

        Raises:
            InputMismatch: no segment was added.
        """
        self._check_not_empty()
        return self._scorer.breakdown(self.statistics, optimal=not self.inexact)

    def mean(self) -> float:
        """The mean of the segment scores; the sum is exact, so their order does not matter.

        Raises:
            InputMismatch: no segment was added.
        """
        self._check_not_empty()
        return self._sum / (self.segment_count << _UNIT)

    def merge(self, other: Corpus) -> Self:
        """Add all segments of `other`.

        Raises:
            InputMismatch: it was scored by another METEOR.
        """
        mine, its = str(self._scorer.signature), str(other._scorer.signature)
        if mine != its:
            raise InputMismatch(f"these corpora were scored differently and cannot be merged: {mine} and {its}")
        self.statistics += other.statistics
        self.segment_count += other.segment_count
        self.empty_hypotheses += other.empty_hypotheses
        self.empty_references += other.empty_references
        self.inexact += other.inexact
        self._sum += other._sum
        if self._segments is not None:
            self._segments.extend(other.segments)
        return self

    def __add__(self, other: Corpus) -> Corpus:
        keep = self._segments is not None and other._segments is not None
        return Corpus(self._scorer, keep_segments=keep).merge(self).merge(other)

    def _check_not_empty(self) -> None:
        if not self.segment_count:
            raise InputMismatch("nothing to score: no segment was added")
