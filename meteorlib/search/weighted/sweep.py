"""The sweep over the reference positions that both searches make, from state to state.

A state is what is decided up to a position: what it is worth, which words of the hypothesis it has used, and where the
open chunk would go on. Two states that agree in the last two, as far as later candidates can tell, have the same
futures, so the better one stands for both. Without a limit of their number that is dynamic programming, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nsmallest
from itertools import accumulate
from operator import or_
from typing import Any, NamedTuple, Self

from attrs import field, frozen

from meteorlib.cancellation import check_cancel
from meteorlib.core.alignment import Candidate, Candidates
from meteorlib.core.segment import SCALE

MatchTuple = tuple[int, int, int, int, int]

CLOSED = -1
"""Where a chunk goes on that is not open."""

LOOK_UP_EVERY = 1 << 6
"""Positions."""

MOST_CHOICES = 2000
"""Candidates considered at each reference position. More than that takes a word that stands in the hypothesis thousands
of times; without a limit, time and memory would grow with the square of the length of such a text."""

Worth = Callable[[int, Candidate], int]
"""A reference position and a candidate there → what that is worth, before the costs, in units of 1/`SCALE`."""


class State(NamedTuple):
    """What is decided up to a position.

    Attributes:
        value: what the matches are worth, less their costs.
        used: the hypothesis words that later candidates can no longer have (a bit set).
        open: the hypothesis position behind the last match, if that ended here; else `CLOSED`.
        link: the last match and the link before it; None at the beginning.
    """

    value: int
    used: int
    open: int
    link: Any


class Choice(NamedTuple):
    """A candidate ready to take.

    Attributes:
        words: the hypothesis words that it uses (a bit set).
        joined: what it adds where it continues the open chunk.
        apart: what it adds where it begins a chunk.
        start: its first hypothesis position.
        stop: the hypothesis position behind it.
        match: the match that it is.
    """

    words: int
    joined: int
    apart: int
    start: int
    stop: int
    match: MatchTuple


class Costs(NamedTuple):
    """What is paid for matches, in units of 1/`SCALE`.

    Attributes:
        chunk: for each chunk.
        distance: for a match whose words stand `far` words apart, or more; for others in proportion.
        far: see there.
        kept: the share of its worth that a match keeps at least.
    """

    chunk: int
    distance: int
    far: int
    kept: int


class Swept(NamedTuple):
    """The best of the states at the end.

    Attributes:
        value: what it is worth.
        matches: in reference order.
        complete: whether no state was left out that could have been better.
    """

    value: int
    matches: list[MatchTuple]
    complete: bool


@frozen(eq=False)
class Problem:
    """A segment to be aligned.

    Attributes:
        candidates: the candidates considered at each reference position.
        worth: what each of them is worth.
        costs: what is paid for them.
        usable: for each position, the hypothesis words of the candidates there and later (a bit set).
        whole: False where a position has more candidates than are considered.
    """

    candidates: Candidates
    worth: Worth
    costs: Costs
    usable: Sequence[int]
    whole: bool
    _sets: dict[tuple[int, int], int] = field(repr=False)

    @classmethod
    def of(cls, proposed: Candidates, worth: Worth, costs: Costs) -> Self:
        """Limit the candidates of each position to the `MOST_CHOICES` nearest ones."""
        candidates = [nearest(here, position) for position, here in enumerate(proposed)]
        whole = all(len(here) <= MOST_CHOICES for here in proposed)
        sets: dict[tuple[int, int], int] = {}
        covered = [_union(_used(start, words, sets) for _, start, words, _ in here) for here in candidates]
        return cls(candidates, worth, costs, [*accumulate(reversed(covered), or_)][::-1], whole, sets)

    def choices(self, position: int) -> list[Choice]:
        """The candidates of a position, with their costs paid."""
        chunk, distance, far, kept = self.costs
        ready = []
        for candidate in self.candidates[position]:
            length, start, words, stage = candidate
            worth = self.worth(position, candidate)
            near = worth - distance * min(abs(position - start), far) // far
            least = worth * kept // SCALE
            match = position, length, start, words, stage
            used = _used(start, words, self._sets)
            ready.append(Choice(used, max(near, least), max(near - chunk, least), start, start + words, match))
        return ready

    def bounds(self) -> list[int]:
        """For each position, the most that the candidates there and later can add."""
        most = [
            max((choice.joined for choice in self.choices(position)), default=0)
            for position in range(len(self.candidates))
        ]
        return [*accumulate(max(worth, 0) for worth in reversed(most))][::-1]


def nearest(here: Sequence[Candidate], position: int) -> Sequence[Candidate]:
    """The `MOST_CHOICES` candidates whose words stand nearest, in their order; of equally near ones, the first."""
    if len(here) <= MOST_CHOICES:
        return here
    kept = nsmallest(MOST_CHOICES, range(len(here)), key=lambda index: abs(here[index][1] - position))
    return [here[index] for index in sorted(kept)]


def sweep(problem: Problem, width: int | None = None, above: int | None = None, budget: int | None = None) -> Swept:
    """Make all states, position by position.

    Args:
        problem: the segment.
        width: states that are kept at each position, the best; None for all.
        above: states that cannot become worth more are left out; None for none.
        budget: states that may be made; None for as many as there are.
    """
    end = len(problem.candidates)
    bounds = problem.bounds() if above is not None else []
    buckets: list[list[State]] = [[] for _ in range(end + 1)]
    buckets[0].append(State(0, 0, CLOSED, None))
    complete, made = True, 0
    for position in range(end):
        if not position % LOOK_UP_EVERY:
            check_cancel()
        choices = problem.choices(position)
        starts = {choice.start for choice in choices}
        states = _merged(buckets[position], problem.usable[position], starts, problem.costs.chunk)
        buckets[position] = []
        if above is not None:
            least = above - bounds[position]
            states = [state for state in states if state.value > least]
        if width is not None and len(states) > width:
            complete = False
            del states[width:]
        after = buckets[position + 1]
        for value, used, open_, link in states:
            for words, joined, apart, start, stop, match in choices:
                if not used & words:
                    gained = value + (joined if start == open_ else apart)
                    buckets[position + match[1]].append(State(gained, used | words, stop, (match, link)))
            after.append(State(value, used, CLOSED, link))
        made += len(states) * (len(choices) + 1)
        if budget is not None and made > budget:
            return Swept(above or 0, [], complete=False)
    best = max(buckets[end], key=lambda state: state.value, default=None)
    if best is None:
        return Swept(above or 0, [], complete)
    return Swept(best.value, _matches(best.link), complete)


def _merged(states: Sequence[State], usable: int, starts: set[int], chunk: int) -> list[State]:
    """The best of the states of each future, best first; of equal ones the first.

    Of those that have used the same words, one whose chunk is open can gain as much as one that has none, and at most
    the cost of a chunk more. What cannot make up for what it is worth less is left out.
    """
    best: dict[tuple[int, int], State] = {}
    for state in states:
        used, open_ = state.used & usable, state.open if state.open in starts else CLOSED
        known = best.get((used, open_))
        if known is None or state.value > known.value:
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
    return sorted(left, key=lambda state: -state.value)


def _matches(link: Any) -> list[MatchTuple]:
    found = []
    while link is not None:
        match, link = link
        found.append(match)
    return found[::-1]


def _used(start: int, words: int, sets: dict[tuple[int, int], int]) -> int:
    """The hypothesis words of a candidate (a bit set); equal sets are one object."""
    return sets.setdefault((start, words), ((1 << words) - 1) << start)


def _union(sets: Any) -> int:
    union = 0
    for one in sets:
        union |= one
    return union
