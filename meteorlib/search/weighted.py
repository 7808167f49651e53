"""The search for the alignment of the greatest value (docs/searches.md).

The value of an alignment is the sum of the values of its matches, less a cost for each chunk and for the distance
between the words of each match; but a match keeps a share of its value. All values and costs are whole numbers, in
units of 1/`meteorlib.core.segment.SCALE`.

A sweep over the reference positions goes from state to state. A state contains the decisions up to a position: its
value, the words of the hypothesis that it has used, and the position where the open chunk would continue. Two states
that agree in the last two, as far as they matter for later candidates, have the same futures, so only the better one is
kept. If no position has more states than are kept, the sweep is exact dynamic programming.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from heapq import nsmallest
from itertools import accumulate
from operator import or_
from typing import Any, NamedTuple, Self

from attrs import field, frozen

from meteorlib.cancellation import check_cancel
from meteorlib.core.alignment import Candidate, Candidates, Found
from meteorlib.core.parameters import between_0_and_1, check_between
from meteorlib.core.segment import SCALE
from meteorlib.search import MatchTuple, beam_width, linked, whole_number

MAX_DISTANCE = 1_000_000
"""Highest setting of `far`, in words."""

MAX_COST = 1000
"""Highest cost that a preset may set; the value of a word is at most 1."""


def _cost(default: float) -> Any:
    def check(_: object, attribute: Any, value: float) -> None:
        check_between(attribute.name, value, 0, MAX_COST)

    return field(default=default, validator=check)


@frozen
class Weighted:
    """Beam search that merges states with the same future."""

    width: int = beam_width()  # states kept at each reference position
    chunk: float = _cost(0.1)  # cost of a chunk; a fully matched word of weight 1 has the value 1
    # cost of a match whose positions on the two sides differ by at least `far` words; others cost less, in proportion
    distance: float = _cost(0.2)
    far: int = whole_number(20, 1, MAX_DISTANCE)  # see `distance`
    # share of its value that a match keeps whatever its costs are, so that no word stays unmatched that could be
    # matched
    kept: float = field(default=0.25, validator=between_0_and_1)

    @property
    def costs(self) -> Costs:
        """Costs as whole numbers."""
        return Costs(round(self.chunk * SCALE), round(self.distance * SCALE), self.far, round(self.kept * SCALE))

    def __call__(self, candidates: Candidates, _: int, value_of: CandidateValue) -> Found:
        """See `Search`; `optimal` unless a position has more candidates than are considered.

        Otherwise the result of this search is defined by its width.
        """
        problem = Problem.of(candidates, value_of, self.costs)
        return Found(sweep(problem, self.width), problem.complete)


CLOSED = -1
"""`State.open` if no chunk is open."""

CANCEL_INTERVAL = 1 << 6
"""Number of positions between two checks for cancellation."""

MOST_CHOICES = 2000
"""Number of candidates considered at each reference position.

Only a word that occurs thousands of times in the hypothesis has more. Without a limit, time and memory would grow with
the square of the length of such a text.
"""

CandidateValue = Callable[[int, Candidate], int]
"""A reference position and a candidate there → the candidate's value before costs, in units of 1/`SCALE`."""


class State(NamedTuple):
    """The decisions up to a reference position."""

    value: int  # the values of its matches, less their costs
    used: int  # the hypothesis words that later candidates can no longer have (a bit set)
    open: int  # the hypothesis position behind the last match, if that ended here; else `CLOSED`
    link: Any  # the last match and the link before it; None at the beginning


class Choice(NamedTuple):
    """A candidate with its costs paid."""

    words: int  # the hypothesis words that it uses (a bit set)
    joined: int  # its value less its costs, where it continues the open chunk
    apart: int  # its value less its costs, where it begins a chunk
    start: int  # its first hypothesis position
    stop: int  # the hypothesis position behind it
    match: MatchTuple  # its match


class Costs(NamedTuple):
    """Costs of chunks and distances, in units of 1/`SCALE`."""

    chunk: int  # cost of each chunk
    distance: int  # cost of a match whose words are at least `far` words apart; others cost less, in proportion
    far: int  # see `distance`
    kept: int  # the share of its value that a match keeps at least


@frozen(eq=False)
class Problem:
    """A segment to be aligned."""

    candidates: Candidates  # the candidates considered at each reference position
    value_of: CandidateValue  # the value of a candidate, before costs
    costs: Costs  # costs of chunks and distances
    usable: Sequence[int]  # for each position, the hypothesis words of the candidates there and later (a bit set)
    complete: bool  # False where a position has more candidates than are considered
    _sets: dict[tuple[int, int], int] = field(repr=False)

    @classmethod
    def of(cls, proposed: Candidates, value_of: CandidateValue, costs: Costs) -> Self:
        """Limit the candidates of each position to the `MOST_CHOICES` nearest ones."""
        candidates = [nearest(here, position) for position, here in enumerate(proposed)]
        complete = all(len(here) <= MOST_CHOICES for here in proposed)
        sets: dict[tuple[int, int], int] = {}
        covered = [
            reduce(or_, (_word_set(start, words, sets) for _, start, words, _ in here), 0) for here in candidates
        ]
        return cls(candidates, value_of, costs, [*accumulate(reversed(covered), or_)][::-1], complete, sets)

    def choices(self, position: int) -> list[Choice]:
        """The candidates of a position, with their costs paid."""
        chunk, distance, far, kept = self.costs
        ready = []
        for candidate in self.candidates[position]:
            length, start, words, stage = candidate
            value = self.value_of(position, candidate)
            near = value - distance * min(abs(position - start), far) // far
            least = value * kept // SCALE
            match = position, length, start, words, stage
            used = _word_set(start, words, self._sets)
            ready.append(Choice(used, max(near, least), max(near - chunk, least), start, start + words, match))
        return ready


def nearest(here: Sequence[Candidate], position: int) -> Sequence[Candidate]:
    """The `MOST_CHOICES` candidates whose words are nearest, in their order; among equally near ones, the first."""
    if len(here) <= MOST_CHOICES:
        return here
    kept = nsmallest(MOST_CHOICES, range(len(here)), key=lambda index: abs(here[index][1] - position))
    return [here[index] for index in sorted(kept)]


def sweep(problem: Problem, width: int) -> list[MatchTuple]:
    """Extend the `width` best states position by position; the matches of the best at the end, in reference order."""
    end = len(problem.candidates)
    buckets: list[list[State]] = [[] for _ in range(end + 1)]
    buckets[0].append(State(0, 0, CLOSED, None))
    for position in range(end):
        if not position % CANCEL_INTERVAL:
            check_cancel()
        choices = problem.choices(position)
        starts = {choice.start for choice in choices}
        states = _merge_states(buckets[position], problem.usable[position], starts, problem.costs.chunk)
        buckets[position] = []
        after = buckets[position + 1]
        for value, used, open_, link in states[:width]:
            for words, joined, apart, start, stop, match in choices:
                if not used & words:
                    gained = value + (joined if start == open_ else apart)
                    buckets[position + match[1]].append(State(gained, used | words, stop, (match, link)))
            after.append(State(value, used, CLOSED, link))
    return linked(max(buckets[end], key=lambda state: state.value).link)[::-1]


def _merge_states(states: Sequence[State], usable: int, starts: set[int], chunk: int) -> list[State]:
    """The best of the states of each future, best first; of equal ones the first.

    Among states that have used the same words, one with an open chunk can gain at least as much as one without, and at
    most the cost of a chunk more. States whose value is too low to catch up are left out.
    """
    best: dict[tuple[int, int], State] = {}
    for state in states:
        used, open_ = state.used & usable, state.open if state.open in starts else CLOSED
        known = best.get((used, open_))
        if known is None or state.value > known.value:
            # taken out first, so that the states stay in the order in which they were made
            best.pop((used, open_), None)
            best[used, open_] = State(state.value, used, open_, state.link)
    most: dict[int, int] = {}
    most_open: dict[int, int] = {}
    for (used, open_), state in best.items():
        most[used] = max(state.value, most.get(used, state.value))
        if open_ != CLOSED:
            most_open[used] = max(state.value, most_open.get(used, state.value))
    left = [
        state
        for state in best.values()
        if state.value >= most[state.used] - chunk
        and (state.open != CLOSED or state.value > most_open.get(state.used, state.value - 1))
    ]
    # a stable sort: among equal states, the order in which they were made decides which are kept
    return sorted(left, key=lambda state: -state.value)


def _word_set(start: int, words: int, sets: dict[tuple[int, int], int]) -> int:
    """The hypothesis words of a candidate (a bit set); equal sets are one object."""
    return sets.setdefault((start, words), ((1 << words) - 1) << start)
