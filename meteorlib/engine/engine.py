"""Engine: what a Scorer asks of the code that scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.statistics import Statistics
from meteorlib.core.totals import Totals


class Engine(Protocol):
    """Text → scores and sums. It can be shared between threads."""

    threads_help: bool
    """Whether `totals` works without the interpreter's lock for the most part, so that threads make it faster."""

    def score(self, pair: Pair) -> ScoreBreakdown:
        """Score a segment; `ScorerConfig.reduce` says which reference counts."""

    def score_tokens(self, references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> ScoreBreakdown:
        """Score a segment that is in words already."""

    def rows(self, references: Sequence[str]) -> Callable[[Sequence[str]], list[list[float]]]:
        """A function that scores hypotheses against each of these references, which are analyzed once."""

    def breakdown(self, statistics: Statistics, *, optimal: bool = True) -> ScoreBreakdown:
        """Score given statistics, e.g. a sum of them."""

    def breakdowns(self, pairs: Iterable[Pair]) -> Iterator[ScoreBreakdown]:
        """Score many segments, some at a time."""

    def summed_breakdowns(self, pairs: Iterable[Pair]) -> Iterator[tuple[list[ScoreBreakdown], Totals]]:
        """The breakdowns of many segments, some at a time, each time with their sums."""

    def totals(self, pairs: Iterable[Pair]) -> Totals:
        """The sums over segments; nothing is kept of them but references."""
