"""Sparsification: components with too many pairs, reduced to a number that can be searched."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from attrs import evolve

from meteorlib.search.staged.bipartite import NONE, Matching
from meteorlib.search.staged.components import Component, Groups, positions

PAIRS_PER_STEP = 8
"""Largest number of pairs that are considered, for each step of the budget."""


def components_of(choices: Sequence[tuple[int, Groups]], length: int, budget: int) -> tuple[list[Component], bool]:
    """The components of a graph, and whether they are complete.

    Together, the components have at most `PAIRS_PER_STEP * budget` pairs, besides those of a largest matching. If there
    are more, each component gets its share.

    Args:
        choices: the connected parts of the graph, each with its hypothesis positions (a bit set).
        length: number of words of the reference.
        budget: see `Staged`.
    """
    most = PAIRS_PER_STEP * budget
    shares = [most] * len(choices)
    if length * sum([mask.bit_count() for mask, _ in choices]) > most:
        pairs = [_pairs(mask, part) for mask, part in choices]
        total = sum(pairs)
        if total > most:
            shares = [size * most // total for size in pairs]
    components = []
    complete = True
    for (mask, part), share in zip(choices, shares, strict=True):
        if len(part) == 1:
            component, whole = Component.ordered_of(part[mask], mask, share)
        else:
            component, whole = _sparsify(Component.loose_of(part, mask), share)
        components.append(component)
        complete = complete and whole
    return components, complete


def _pairs(mask: int, part: Groups) -> int:
    """Number of pairs of a component; of an ordered one, only those within reach."""
    if len(part) > 1:
        return sum(neighbors.bit_count() * len(references) for neighbors, references in part.items())
    one, other = len(part[mask]), mask.bit_count()
    return min(one, other) * (abs(one - other) + 1)


def _sparsify(component: Component, pairs: int) -> tuple[Component, bool]:
    """The component with at most this many pairs, beside those of a largest matching, and whether it is complete.

    Each word keeps the pairs nearest to its own position in the component, so that matches need not cross.
    """
    references, hypothesis = component.references, component.hypothesis
    if sum([mask.bit_count() for mask in component.reach]) <= pairs:
        return component, True
    partners = Matching(component.reach).partners
    each = pairs // len(references)
    known: dict[int, list[int]] = {}
    reach = []
    for index, (mask, partner) in enumerate(zip(component.reach, partners, strict=True)):
        if mask not in known:
            known[mask] = list(positions(mask))
        places = known[mask]
        nearest = bisect_left(places, hypothesis[index * len(hypothesis) // len(references)])
        first = max(0, min(nearest - each // 2, len(places) - each))
        window = places[first : first + each]
        window_mask = mask & (2 << window[-1]) - (1 << window[0]) if window else 0
        reach.append(window_mask if partner == NONE else window_mask | 1 << partner)
    return evolve(component, reach=reach), False
