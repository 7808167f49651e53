"""Totals: sums over segments of statistics, counts and scores."""

from __future__ import annotations

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.statistics import Statistics
from meteorlib.display.displayable import Grid, Tabular, records_grid

SCORE_BITS = 1100
"""Bits behind the point of `Totals.exact_sum`: enough for any double."""


@frozen
class Totals(Tabular):
    """Sums over some segments; ``+`` is associative and does not depend on the order.

    Attributes:
        statistics: sum of the segments' statistics.
        segment_count: number of segments.
        empty_hypotheses: number of segments without a word in the hypothesis.
        empty_references: number of segments without a word in the reference that counted.
        inexact: number of segments whose search hit its budget.
        exact_sum: sum of the segment scores, as a whole number of 2**-1100.
    """

    _facts = (
        "segment_count empty_hypotheses empty_references inexact statistics.hypothesis_length "
        "statistics.reference_length statistics.hypothesis_matches statistics.reference_matches statistics.chunks"
    )

    statistics: Statistics
    segment_count: int = 0
    empty_hypotheses: int = 0
    empty_references: int = 0
    inexact: int = 0
    exact_sum: int = 0

    @classmethod
    def of(cls, scored: ScoreBreakdown) -> Totals:
        """The totals of one segment."""
        statistics = scored.statistics
        numerator, denominator = scored.score.as_integer_ratio()
        return cls(
            statistics,
            1,
            int(not statistics.hypothesis_length),
            int(not statistics.reference_length),
            int(not scored.optimal),
            # a whole number: a sum of doubles would depend on the order of the segments
            numerator << (SCORE_BITS + 1 - denominator.bit_length()),
        )

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.statistics + other.statistics,
            self.segment_count + other.segment_count,
            self.empty_hypotheses + other.empty_hypotheses,
            self.empty_references + other.empty_references,
            self.inexact + other.inexact,
            self.exact_sum + other.exact_sum,
        )

    def _grids(self) -> list[Grid]:
        return [records_grid(self.statistics.stages, "stage")]
