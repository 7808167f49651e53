"""SegmentScorer: what a corpus needs of a Scorer; the totals of no segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals
from meteorlib.signature import Signature


class SegmentScorer(Protocol):
    """What a corpus needs of a Scorer."""

    @property
    def signature(self) -> Signature:
        """Names the METEOR in use; corpora of different ones cannot be merged."""

    @property
    def stage_count(self) -> int:
        """Number of stages."""

    @property
    def parameters(self) -> Parameters:
        """What the formula takes besides the statistics."""

    @property
    def threads_help(self) -> bool:
        """Whether `totals` works without the interpreter's lock for the most part, so that threads make it faster."""

    def score(self, ref: str | Iterable[str], hyp: str) -> ScoreBreakdown:
        """Score a segment."""

    def score_tokens(self, refs: Iterable[Iterable[str]], hyp: Iterable[str]) -> ScoreBreakdown:
        """Score a segment that is already in words."""

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """Score many segments, some at a time."""

    def summed_breakdowns(self, pairs: Iterable[Pair]) -> Iterator[tuple[list[ScoreBreakdown], Totals]]:
        """Score many segments, some at a time, each time with their sums."""

    def totals(self, pairs: Iterable[Pair]) -> Totals:
        """The sums over segments."""

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score statistics."""


def nothing(scorer: SegmentScorer) -> Totals:
    """The totals of no segment: a formula that counts the order of matches has its zeros too."""
    return Totals(Statistics.zero(scorer.stage_count, scorer.parameters.formula))
