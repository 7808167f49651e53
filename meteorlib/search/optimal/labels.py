"""The paths through the layers of a segment, best bound first, states that leave the same possibilities merged."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import itemgetter
from typing import Any

from meteorlib.search.optimal.graph import Arcs, Taken
from meteorlib.search.optimal.relaxation import Relaxation

State = tuple[int, int, int, Any]
"""The least that an alignment so begun costs; its watched words that later arcs can use (a bit set); the hypothesis
position behind the last match where a chunk may be continued, otherwise -1; the matches so far as a linked list."""

NOWHERE = -2
"""Where a word that stays unmatched starts in the hypothesis: it continues no chunk."""

_bound = itemgetter(0)


def effort(arcs: Arcs) -> int:
    """Steps of a sweep that keeps one state a layer: the arcs, and once a layer none of them."""
    return sum(map(len, arcs.layers)) + len(arcs.layers)


def sweep(
    arcs: Arcs, relaxation: Relaxation, width: int, ceiling: int, watched: int
) -> tuple[State | None, float, int]:
    """Layer by layer, follow the `width` states with the lowest bounds.

    Of states with the same possibilities the one of lower bound stays, of equal ones the one whose matches come first.
    Words that are not watched may be taken twice, at their prices: the fewer are watched, the fewer states differ.

    Args:
        arcs: the graph.
        relaxation: the bound.
        width: how many states a layer keeps.
        ceiling: states with a higher bound are left out.
        watched: the hypothesis words that may be taken once only (a bit set).

    Returns:
        The best end, if one is reached; the lowest bound of what was dropped for want of width; the steps taken.
    """
    usable, chunk = arcs.usable, arcs.chunk
    prices, rests = relaxation.prices, relaxation.rests
    priced = watched & sum(1 << word for word, price in enumerate(prices) if price)
    last = len(rests) - 1
    layers: list[dict[tuple[int, int], State]] = [{} for _ in rests]
    layers[last][0, -1] = (relaxation.bound, 0, -1, None)
    dropped: float = inf
    steps = 0
    for layer in range(last, 0, -1):
        states: Sequence[State] = list(layers[layer].values())
        layers[layer] = {}
        if len(states) > width:
            states = sorted(states, key=_bound)
            dropped = min(dropped, states[width][0])
            states = states[:width]
        if not states:
            continue
        joined, rest = relaxation.joined[layer], rests[layer]
        bases = [bound - (min(rest, joined[open_]) if open_ >= 0 else rest) for bound, _, open_, _ in states]
        room = ceiling + chunk - min(bases)
        moves: list[Any] = [
            (least, words & watched, start, target, joins, passed & priced, match)
            for least, (_, words, start, _, target, joins, passed, match) in zip(
                relaxation.leasts[layer], arcs.layers[layer], strict=True
            )
            if least <= room
        ]
        if layer not in arcs.forced and rests[layer - 1] <= room:
            moves.append(
                (rests[layer - 1], 0, NOWHERE, layer - 1, -1, usable[layer] & ~usable[layer - 1] & priced, None)
            )
        steps += len(states) * len(moves)
        for base, (_, used, open_, link) in zip(bases, states, strict=True):
            for least, words, start, target, joins, passed, match in moves:
                if used & words:
                    continue
                cost = base + least
                if start == open_:
                    cost -= chunk
                if passed:
                    cost += _value(passed & ~used, prices)
                if cost > ceiling:
                    continue
                left = (used | words) & usable[target]
                reached = layers[target]
                known = reached.get((left, joins))
                if known is None or cost <= known[0]:
                    path = (match, link) if match else link
                    if known is None or cost < known[0] or _precedes(path, known[3]):
                        reached[left, joins] = (cost, left, joins, path)
    return next(iter(layers[0].values()), None), dropped, steps


def read(link: Any) -> list[Taken]:
    """The matches of a state, in reference order."""
    matches = []
    while link is not None:
        match, link = link
        matches.append(match)
    return matches[::-1]


def uses(link: Any, hypothesis_length: int) -> list[int]:
    """How often the matches of a state take each hypothesis word."""
    counts = [0] * hypothesis_length
    for _, start, _, words, _ in read(link):
        for word in range(start, start + words):
            counts[word] += 1
    return counts


def _value(words: int, prices: Sequence[int]) -> int:
    """The prices of a set of words."""
    total = 0
    while words:
        lowest = words & -words
        total += prices[lowest.bit_length() - 1]
        words ^= lowest
    return total


def _precedes(link: Any, other: Any) -> bool:
    """Whether in the first match that two paths do not share this one's is the smaller, or the other has none."""
    first: Taken | None = None
    second: Taken | None = None
    while link is not other:
        place = link[0][0] if link is not None else -1
        other_place = other[0][0] if other is not None else -1
        if place >= other_place:
            first, link = link
        if other_place >= place:
            second, other = other
    return second is None or (first is not None and first < second)
