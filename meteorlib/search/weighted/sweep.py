"""The sweep over the reference positions that both searches make, from state to state.

A state is what is decided up to a position: what it is worth, which words of the hypothesis it has used, and where the
open chunk would go on. Two states that agree in the last two, as far as later candidates can tell, have the same
futures, so the better one stands for both. Without a limit of their number that is dynamic programming, and exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import or_
from typing import Any, NamedTuple, Self

from attrs import frozen

from meteorlib.core.alignment import Candidates
from meteorlib.core.segment import WHOLE
from meteorlib.interruption import look_up

MatchTuple = tuple[int, int, int, int, int]

CLOSED = -1
"""Where a chunk goes on that is not open."""

LOOK_UP_EVERY = 1 << 6
"""Positions."""


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
    """What is paid for matches, in units of 1/`WHOLE`.

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
        choices: the candidates of each reference position.
        usable: for each position, the hypothesis words of the candidates there and later (a bit set).
        bounds: for each position, the most that the candidates there and later can add.
        chunk: the cost of a chunk.
    """

    choices: Sequence[Sequence[Choice]]
    usable: Sequence[int]
    bounds: Sequence[int]
    chunk: int

    @classmethod
    def of(cls, candidates: Candidates, worths: Sequence[Sequence[int]], costs: Costs) -> Self:
        """Pay the costs of every candidate."""
        chunk, distance, far, kept = costs
        choices = []
        sets: dict[tuple[int, int], int] = {}
        for position, (here, worth_here) in enumerate(zip(candidates, worths, strict=True)):
            ready = []
            for (length, start, words, stage), worth in zip(here, worth_here, strict=True):
                near = worth - distance * min(abs(position - start), far) // far
                least = worth * kept // WHOLE
                used = sets.setdefault((start, words), ((1 << words) - 1) << start)
                match = position, length, start, words, stage
                ready.append(Choice(used, max(near, least), max(near - chunk, least), start, start + words, match))
            choices.append(ready)
        covered = [_union(choice.words for choice in here) for here in choices]
        most = [max((choice.joined for choice in here), default=0) for here in choices]
        return cls(
            choices,
            [*accumulate(reversed(covered), or_)][::-1],
            [*accumulate(max(worth, 0) for worth in reversed(most))][::-1],
            chunk,
        )


def sweep(problem: Problem, width: int | None = None, above: int | None = None, budget: int | None = None) -> Swept:
    """Make all states, position by position.

    Args:
        problem: the segment.
        width: states that are kept at each position, the best; None for all.
        above: states that cannot become worth more are left out; None for none.
        budget: states that may be made; None for as many as there are.
    """
    end = len(problem.choices)
    buckets: list[list[State]] = [[] for _ in range(end + 1)]
    buckets[0].append(State(0, 0, CLOSED, None))
    complete, made = True, 0
    for position, choices in enumerate(problem.choices):
        if not position % LOOK_UP_EVERY:
            look_up()
        starts = {choice.start for choice in choices}
        states = _merged(buckets[position], problem.usable[position], starts, problem.chunk)
        buckets[position] = []
        if above is not None:
            least = above - problem.bounds[position]
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


def _union(sets: Any) -> int:
    union = 0
    for one in sets:
        union |= one
    return union
