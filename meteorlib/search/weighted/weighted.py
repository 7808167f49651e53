"""The searches for the alignment of the greatest worth (docs/searches.md).

An alignment is worth the sum of what its matches are worth, less a cost for each chunk and for the distance between
the words of each match; but a match keeps a share of its worth. All of that are whole numbers, in units of
1/`meteorlib.core.segment.SCALE`.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from meteorlib.core.alignment import Candidates, Found
from meteorlib.core.parameters import a_share, check_between
from meteorlib.core.segment import SCALE
from meteorlib.search.search import beam_width, step_budget, whole_number
from meteorlib.search.weighted.sweep import Costs, Problem, Worth, sweep

MOST_WORDS = 1_000_000

MOST_COST = 1000
"""Nobody needs more: a word is worth 1 at most."""


def _cost(default: float) -> Any:
    return field(default=default, validator=_payable)


def _payable(_: object, attribute: Any, value: float) -> None:
    check_between(attribute.name, value, 0, MOST_COST)


@frozen
class Weighted:
    """A beam whose states are merged where their futures are the same.

    Attributes:
        width: states kept at each reference position.
        chunk: cost of a chunk; a word of weight 1 that is matched whole is worth 1.
        distance: cost of a match whose words stand `far` words apart on their sides, or more; others cost less, in
            proportion.
        far: see there.
        kept: share of its worth that a match keeps whatever it costs, so that no word is left out that could be
            matched.
    """

    width: int = beam_width()
    chunk: float = _cost(0.1)
    distance: float = _cost(0.2)
    far: int = whole_number(20, 1, MOST_WORDS)
    kept: float = field(default=0.25, validator=a_share)

    @property
    def costs(self) -> Costs:
        """Those of matches, as whole numbers."""
        return _costs(self)

    def __call__(self, candidates: Candidates, _: int, worth: Worth) -> Found:
        """Choose one alignment.

        Args:
            candidates: those of each reference position.
            worth: what each candidate is worth, before the costs.

        Returns:
            The matches; `optimal` unless a position has more candidates than are considered: what else this search
            finds is defined by its width.
        """
        problem = Problem.of(candidates, worth, self.costs)
        return Found(sweep(problem, self.width).matches, problem.whole)


@frozen
class WeightedOptimal:
    """The provably best alignment, where the budget suffices.

    Attributes:
        width: states of the beam that gives the first answer.
        chunk: as in `Weighted`.
        distance: as in `Weighted`.
        far: as in `Weighted`.
        kept: as in `Weighted`.
        budget: states made, after which the first answer is returned, with ``optimal = False``.
    """

    width: int = beam_width()
    chunk: float = _cost(0.1)
    distance: float = _cost(0.2)
    far: int = whole_number(20, 1, MOST_WORDS)
    kept: float = field(default=0.25, validator=a_share)
    budget: int = step_budget(100_000)

    @property
    def costs(self) -> Costs:
        """Those of matches, as whole numbers."""
        return _costs(self)

    def __call__(self, candidates: Candidates, _: int, worth: Worth) -> Found:
        """Choose one alignment; see `Weighted`."""
        problem = Problem.of(candidates, worth, self.costs)
        first = sweep(problem, self.width)
        if first.complete:
            return Found(first.matches, problem.whole)
        best = sweep(problem, above=first.value, budget=self.budget)
        matches = best.matches if best.value > first.value else first.matches
        return Found(matches, best.complete and problem.whole)


def _costs(search: Weighted | WeightedOptimal) -> Costs:
    return Costs(round(search.chunk * SCALE), round(search.distance * SCALE), search.far, round(search.kept * SCALE))
