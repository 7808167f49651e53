"""Label setting: paths through the layers of a segment, lowest bound first, without dominated ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from meteorlib.search import linked
from meteorlib.search.optimal_graph import Graph, MatchKey, Relaxation

Label = tuple[int, int, int, Any]
"""A path from the first layer, as a tuple.

Its elements: the least that an alignment so begun costs; its critical words that later arcs can use
(a bit set); the hypothesis position behind the last match where a chunk may be continued, otherwise -1; the matches so
far as a linked list.
"""

NOWHERE = -2
"""Start of an unmatched word in the hypothesis: it continues no chunk."""

_bound = itemgetter(0)


class Labeling(NamedTuple):
    """Result of label setting."""

    end: Label | None  # the best label that reached the end, if one did
    dropped: float  # the lowest bound of the labels dropped because of the limited width
    steps: int  # the steps taken


def set_labels(graph: Graph, relaxation: Relaxation, width: int, upper_bound: int, critical: int) -> Labeling:
    """Layer by layer, extend the `width` labels with the lowest bounds.

    Among labels with the same possibilities, the one with the lowest bound dominates; among equal bounds, the one whose
    matches come first. Words that are not critical may be taken twice, at the price of their multipliers: the fewer
    words are critical (`critical` is a bit set of hypothesis words), the fewer labels differ. Labels with a bound above
    `upper_bound` are left out.
    """
    usable, chunk = graph.usable, graph.chunk
    multipliers, to_go = relaxation.multipliers, relaxation.to_go
    refundable = critical & sum(1 << word for word, multiplier in enumerate(multipliers) if multiplier)
    last = len(to_go) - 1
    layers: list[dict[tuple[int, int], Label]] = [{} for _ in to_go]
    layers[last][0, -1] = (relaxation.bound, 0, -1, None)
    dropped: float = inf
    steps = 0
    for layer in range(last, 0, -1):
        labels: Sequence[Label] = list(layers[layer].values())
        layers[layer] = {}
        if len(labels) > width:
            labels = sorted(labels, key=_bound)
            dropped = min(dropped, labels[width][0])
            labels = labels[:width]
        if not labels:
            continue
        continued, rest = relaxation.continued[layer], to_go[layer]
        bases = [bound - (min(rest, continued[open_]) if open_ >= 0 else rest) for bound, _, open_, _ in labels]
        extensions = _extensions(graph, relaxation, layer, upper_bound + chunk - min(bases), critical, refundable)
        steps += len(labels) * len(extensions)
        for base, (_, used, open_, link) in zip(bases, labels, strict=True):
            for through, words, start, target, joins, passed, match in extensions:
                if used & words:
                    continue
                cost = base + through
                if start == open_:
                    cost -= chunk
                if passed:
                    cost += _sum(passed & ~used, multipliers)
                if cost > upper_bound:
                    continue
                left = (used | words) & usable[target]
                reached = layers[target]
                known = reached.get((left, joins))
                if known is None or cost <= known[0]:
                    path = (match, link) if match else link
                    # of equal cost, the first in order: the result must not depend on the order of the search
                    if known is None or cost < known[0] or _precedes(path, known[3]):
                        reached[left, joins] = (cost, left, joins, path)
    return Labeling(next(iter(layers[0].values()), None), dropped, steps)


def _extensions(
    graph: Graph, relaxation: Relaxation, layer: int, room: int, critical: int, refundable: int
) -> list[Any]:
    """The arcs of a layer that cost at most `room` to the end, and the step that takes none of them.

    Of the critical words, `refundable` have a multiplier.
    """
    usable, to_go = graph.usable, relaxation.to_go
    extensions: list[Any] = [
        (through, words & critical, start, target, joins, passed & refundable, match)
        for through, (_, words, start, _, target, joins, passed, match) in zip(
            relaxation.through[layer], graph.layers[layer], strict=True
        )
        if through <= room
    ]
    if to_go[layer - 1] <= room:
        passed = usable[layer] & ~usable[layer - 1] & refundable
        extensions.append((to_go[layer - 1], 0, NOWHERE, layer - 1, -1, passed, None))
    return extensions


def uses(link: Any, hypothesis_length: int) -> list[int]:
    """Number of times that the matches of a label take each hypothesis word."""
    counts = [0] * hypothesis_length
    for _, start, _, words, _ in linked(link):
        for word in range(start, start + words):
            counts[word] += 1
    return counts


def _sum(words: int, multipliers: Sequence[int]) -> int:
    total = 0
    while words:
        lowest = words & -words
        total += multipliers[lowest.bit_length() - 1]
        words ^= lowest
    return total


def _precedes(link: Any, other: Any) -> bool:
    """Whether a path comes first in the order of matches: by the first match that the two paths do not share."""
    first: MatchKey | None = None
    second: MatchKey | None = None
    while link is not other:
        place = link[0][0] if link is not None else -1
        other_place = other[0][0] if other is not None else -1
        if place >= other_place:
            first, link = link
        if other_place >= place:
            second, other = other
    return second is None or (first is not None and first < second)
