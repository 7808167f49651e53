"""Corpus: adds statistics up and scores once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Protocol, Self

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.totals import UNIT, Totals
from meteorlib.errors import InputMismatch

_END: Any = object()


def references_of(ref: str | Sequence[str]) -> Sequence[str]:
    """The references of a segment, given alone or as a list.

    Raises:
        TypeError: neither.
    """
    if not isinstance(ref, str | Sequence) or isinstance(ref, bytes):
        raise TypeError(f"references must be a string or a list of strings, got {type(ref).__name__}")
    return [ref] if isinstance(ref, str) else ref


class SegmentScorer(Protocol):
    """What a corpus needs of a Scorer."""

    @property
    def signature(self) -> object:
        """Names the METEOR in use; corpora of different ones cannot be merged."""

    @property
    def stage_count(self) -> int:
        """Number of stages."""

    @property
    def releases_lock(self) -> bool:
        """Whether `totals` works without the interpreter's lock for the most part, so that threads make it faster."""

    def score(self, ref: str | Sequence[str], hyp: str) -> ScoreBreakdown:
        """Score a segment."""

    def score_tokens(self, refs: Sequence[Sequence[str]], hyp: Sequence[str]) -> ScoreBreakdown:
        """Score a segment that is already in words."""

    def totals(self, segments: Iterable[Sequence[str]]) -> Totals:
        """The sums over segments: for each its hypothesis, then its references."""

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score statistics."""


class Corpus:
    """What has been accumulated: one system's segments, or any set of them. The one mutable class.

    The corpus score is the formula applied to the summed statistics; the mean of the segment scores is another number
    and has a name of its own, `mean`.

    Attributes:
        totals: the sums over the segments.
    """

    def __init__(self, scorer: SegmentScorer, *, keep_segments: bool = True) -> None:
        self._scorer = scorer
        self._segments: list[ScoreBreakdown] | None = [] if keep_segments else None
        self.totals = Totals(Statistics.zero(scorer.stage_count))

    @property
    def statistics(self) -> Statistics:
        """The sum of the segments' statistics."""
        return self.totals.statistics

    @property
    def segment_count(self) -> int:
        """How many segments were added."""
        return self.totals.segment_count

    @property
    def empty_hypotheses(self) -> int:
        """How many segments had no word in the hypothesis (they score 0)."""
        return self.totals.empty_hypotheses

    @property
    def empty_references(self) -> int:
        """How many had no word in the reference that counted (they score 0)."""
        return self.totals.empty_references

    @property
    def inexact(self) -> int:
        """How many were aligned by a search that hit its budget."""
        return self.totals.inexact

    def __len__(self) -> int:
        return self.totals.segment_count

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

        def paired() -> Iterator[tuple[str | Sequence[str], str]]:
            nonlocal references, hypotheses
            for ref, hyp in zip_longest(refs, hyps, fillvalue=_END):
                references += ref is not _END
                hypotheses += hyp is not _END
                if ref is not _END and hyp is not _END:
                    yield ref, hyp

        if self._segments is None:
            self.totals += self._scorer.totals((hyp, *references_of(ref)) for ref, hyp in paired())
        else:
            for ref, hyp in paired():
                self.add(ref, hyp)
        if references != hypotheses:
            raise InputMismatch(f"{references} references but {hypotheses} hypotheses: each hypothesis needs its own")
        return self

    def add_breakdown(self, scored: ScoreBreakdown) -> ScoreBreakdown:
        """Add a segment that this corpus' scorer has scored already."""
        self.totals += Totals.of(scored)
        if self._segments is not None:
            self._segments.append(scored)
        return scored

    def add_totals(self, totals: Totals) -> None:
        """Add segments that this corpus' scorer has scored and summed up elsewhere.

        Raises:
            InputMismatch: this corpus keeps its segments, which totals do not hold.
        """
        if self._segments is not None:
            raise InputMismatch("a corpus that keeps its segments takes no totals; make it with keep_segments=False")
        self.totals += totals

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
        return self._scorer.breakdown(self.statistics, optimal=not self.totals.inexact)

    def mean(self) -> float:
        """The mean of the segment scores; the sum is exact, so their order does not matter.

        Raises:
            InputMismatch: no segment was added.
        """
        self._check_not_empty()
        return self.totals.exact_sum / (self.totals.segment_count << UNIT)

    def merge(self, other: Corpus) -> Self:
        """Add all segments of `other`.

        Raises:
            InputMismatch: it was scored by another METEOR, or does not keep its segments while this one does.
        """
        mine, its = str(self._scorer.signature), str(other._scorer.signature)
        if mine != its:
            raise InputMismatch(f"these corpora were scored differently and cannot be merged: {mine} and {its}")
        if self._segments is not None:
            self._segments.extend(other.segments)
        self.totals += other.totals
        return self

    def __add__(self, other: Corpus) -> Corpus:
        if not isinstance(other, Corpus):
            return NotImplemented
        keep = self._segments is not None and other._segments is not None
        return Corpus(self._scorer, keep_segments=keep).merge(self).merge(other)

    def _check_not_empty(self) -> None:
        if not self.totals.segment_count:
            raise InputMismatch("nothing to score: no segment was added")
