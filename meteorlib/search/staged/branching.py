"""The search for the cheapest choice of matches: a sweep over the open reference words, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from math import inf
from typing import Any, NamedTuple, Protocol

Move = tuple[int, int, int, int]
"""One thing to do with an open reference word: the hypothesis position to take, its bit, the cost, the neighbor.

The cost is that of the match itself, its crossings with other open words left out where they are not certain, and
the least that the rest of its component can then cost. It takes for granted that the match continues a chunk wherever
that is possible; the neighbor is the hypothesis position that the reference word just before must have taken for this
to be true, or -1. To leave the word unmatched is to take the position behind the last, which has no bit: it comes last
in order, and it crosses nothing.
"""

State = tuple[int, int, int, Any]
"""Choices for the words so far: a lower bound of the whole cost, the hypothesis positions taken (a bit set), the
position taken last, and the state before."""

WIDENING = 8


class Layer(Protocol):
    """An open reference word.

    Attributes:
        reference: its position.
        component: the hypothesis positions of its component (a bit set).
        reach: the hypothesis positions that it may take (a bit set).
        counted: the hypothesis positions where a match of an earlier word adds a crossing now (a bit set). Others
            cross whatever this word takes: the costs of the earlier words hold that already.
        effort: steps that it takes to work out its moves, beyond their number.
    """

    reference: int
    component: int
    reach: int
    counted: int
    effort: int

    def moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        """What is possible after `taken` of its component: the least that the rest of it costs, and the moves."""


class Choice(NamedTuple):
    """A choice for all layers; of two, the better one is the smaller one.

    Attributes:
        cost: its cost.
        taken: for each layer, the hypothesis position; the one behind the last where nothing is taken.
    """

    cost: float
    taken: tuple[int, ...]


NOTHING = Choice(inf, ())


def cheapest(layers: Sequence[Layer], bound: int, crossing: int, budget: int) -> tuple[Choice, bool]:
    """The cheapest choice, of several the lexicographically smallest, and whether that is proven.

    A greedy sweep, in which each word takes what looks best, gives the first choice. Each further sweep keeps eight
    times the states of the one before, without those that cannot beat the best choice known, until one proves
    that it lost nothing or the budget is gone.

    Args:
        layers: the open reference words, in order.
        bound: a lower bound of the cost.
        crossing: the cost of a crossing.
        budget: how many moves may be looked at after the greedy sweep; the last sweep may need more than it was
            expected to, but ends without a result at twice the budget.
    """
    sweep = Sweep(layers, bound, crossing)
    best, proven = sweep.run(1, inf)
    greedy_steps = sweep.steps
    limit = greedy_steps + 2 * budget
    width = 1
    while not proven:
        affordable = (budget + greedy_steps - sweep.steps) // greedy_steps
        if affordable <= width:
            break
        width = min(WIDENING * width, affordable)
        choice, proven = sweep.run(width, best.cost, limit)
        best = min(best, choice)
    return best, proven


class Sweep:
    """A breadth-first search that keeps at most so many states after each open word.

    States are kept in the lexicographic order of their choices: they are expanded in order, moves come in order, and
    a dictionary keeps the order in which its keys were put in. States that leave the same possibilities are merged;
    the cheaper one stays, of equal ones the first.

    Attributes:
        steps: how many moves were looked at.
    """

    def __init__(self, layers: Sequence[Layer], bound: int, crossing: int) -> None:
        self.steps = 0
        self._layers = layers
        self._start: State = (bound, 0, -1, None)
        self._crossing = crossing
        self._keys = _merge_keys(layers)

    def run(self, width: int, ceiling: float, limit: float = inf) -> tuple[Choice, bool]:
        """The best choice found that costs no more than `ceiling`, and whether it is proven the best of all.

        Nothing is found where this sweep and those before it take more than `limit` steps.
        """
        states = [self._start]
        dropped: list[float] = []
        for layer, (relevant, chained) in zip(self._layers, self._keys, strict=True):
            states = self._expand(states, layer, relevant, chained, ceiling)
            if self.steps > limit:
                return NOTHING, False
            if len(states) > width:
                states, bound = _narrow(states, width)
                dropped.append(bound)
            else:
                dropped.append(inf)
        if not states:
            return NOTHING, False
        return _read(min(states, key=_bound), dropped)

    def _expand(
        self, states: Sequence[State], layer: Layer, relevant: int, chained: bool, ceiling: float
    ) -> list[State]:
        crossing = self._crossing
        component, counted = layer.component, layer.counted
        reached: dict[object, State] = {}
        for state in states:
            bound, taken, last, _ = state
            rest, moves = layer.moves(taken & component)
            self.steps += len(moves) + layer.effort
            bound -= rest
            above = taken & counted
            for position, bit, cost, neighbor in moves:
                new = bound + cost + crossing * (above >> position).bit_count()
                if neighbor >= 0 and neighbor != last:
                    new += 1
                if new > ceiling:
                    continue
                together = taken | bit
                key = (together & relevant, position) if chained else together & relevant
                known = reached.get(key)
                if known is None:
                    reached[key] = (new, together, position, state)
                elif new < known[0]:
                    del reached[key]
                    reached[key] = (new, together, position, state)
        return list(reached.values())


def _merge_keys(layers: Sequence[Layer]) -> list[tuple[int, bool]]:
    """For each layer: which hypothesis positions still matter after it, and whether its own one does.

    No later word crosses a match, or is kept from a position, that lies before all that later words can take. The
    last position matters where the next reference word is open too: the two may be in one chunk.
    """
    keys = []
    later, following = 0, -1
    for layer in reversed(layers):
        keys.append((-(later & -later), layer.reference + 1 == following))
        later |= layer.reach
        following = layer.reference
    return keys[::-1]


def _bound(state: State) -> int:
    return state[0]


def _narrow(states: Sequence[State], width: int) -> tuple[list[State], int]:
    """The states of the lowest bounds, of equal ones the first, in order; and the lowest bound of the others."""
    order = nsmallest(width + 1, range(len(states)), key=lambda index: states[index][0])
    dropped = states[order.pop()][0]
    return [states[index] for index in sorted(order)], dropped


def _read(state: State, dropped: Sequence[float]) -> tuple[Choice, bool]:
    """The choices that lead to the last state, and whether no dropped state could have led to a better end.

    A dropped state with the cost of this choice as its bound could have led to a lexicographically smaller one of
    that cost, unless the kept state had the same bound: it was kept because it was the smaller one.
    """
    cost = state[0]
    taken = []
    proven = True
    for lost in reversed(dropped):
        bound, _, position, before = state
        proven = proven and (lost > cost or lost == bound == cost)
        taken.append(position)
        state = before
    return Choice(cost, tuple(reversed(taken))), proven
