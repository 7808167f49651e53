"""The search for the alignment of the greatest value (docs/searches.md).

The value of an alignment is the sum of the values of its matches, less a cost for each chunk and for the distance
between the words of each match; but a match keeps a share of its value. All values and costs are whole numbers, in
units of 1/`meteorlib.core.segment.SCALE`.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from meteorlib.core.alignment import Candidates, Found
from meteorlib.core.parameters import between_0_and_1, check_between
from meteorlib.core.segment import SCALE
from meteorlib.search.search import beam_width, whole_number
from meteorlib.search.weighted.sweep import CandidateValue, Costs, Problem, sweep

MAX_DISTANCE = 1_000_000
"""Highest setting of `far`, in words."""

MAX_COST = 1000
"""Highest cost that a preset may set; the value of a word is at most 1."""


def _cost(default: float) -> Any:
    return field(default=default, validator=_check_cost)


def _check_cost(_: object, attribute: Any, value: float) -> None:
    check_between(attribute.name, value, 0, MAX_COST)


@frozen
class Weighted:
    """Beam search that merges states with the same future.

    Attributes:
        width: states kept at each reference position.
        chunk: cost of a chunk; a fully matched word of weight 1 has the value 1.
        distance: cost of a match whose positions on the two sides differ by at least `far` words; others cost less,
            in proportion.
        far: see `distance`.
        kept: share of its value that a match keeps whatever its costs are, so that no word stays unmatched that could
            be matched.
    """

    width: int = beam_width()
    chunk: float = _cost(0.1)
    distance: float = _cost(0.2)
    far: int = whole_number(20, 1, MAX_DISTANCE)
    kept: float = field(default=0.25, validator=between_0_and_1)

    @property
    def costs(self) -> Costs:
        """Costs as whole numbers."""
        return Costs(round(self.chunk * SCALE), round(self.distance * SCALE), self.far, round(self.kept * SCALE))

    def __call__(self, candidates: Candidates, _: int, value_of: CandidateValue) -> Found:
        """Choose one alignment.

        Args:
            candidates: candidates of each reference position.
            value_of: the value of each candidate, before the costs.

        Returns:
            The matches; `optimal` unless a position has more candidates than are considered, because the result of
            this search is otherwise defined by its width.
        """
        problem = Problem.of(candidates, value_of, self.costs)
        return Found(sweep(problem, self.width), problem.complete)
