"""Components: the connected parts of the graph of a stage's candidates, reduced to a number of pairs to search."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from meteorlib.search import positions
from meteorlib.search.staged_bipartite import NONE, Matching

Groups = Mapping[int, Sequence[int]]
"""The graph: hypothesis positions (a bit set) → the reference positions, ascending, that match just these."""


@frozen(eq=False)
class Component:
    """A connected part of the graph whose words have a choice.

    A component in which every word matches every other (a biclique), such as all occurrences of one word, is *ordered*:
    two of its matches that cross can be uncrossed, which removes this crossing and adds no other. So its matches are in
    order, and the k-th word of the smaller side has at most as many partners as the larger side has words to spare,
    plus one.
    """

    references: Sequence[int]  # the reference positions, ascending
    hypothesis: Sequence[int]  # the hypothesis positions, ascending
    mask: int  # the hypothesis positions as a bit set
    # for each reference position, the hypothesis positions that it may be matched with (a bit set)
    reach: Sequence[int]
    ordered: bool  # whether every word matches every other

    @property
    def scarce(self) -> bool:
        """Whether each reference word must be matched, and later ones with later positions."""
        return self.ordered and len(self.references) < len(self.hypothesis)

    def reaches(self) -> Iterator[tuple[int, int]]:
        """Each reference position with the hypothesis positions that it may be matched with (a bit set)."""
        return zip(self.references, self.reach, strict=True)

    @classmethod
    def ordered_of(cls, references: Sequence[int], mask: int, pairs: int) -> tuple[Component, bool]:
        """The component of words that all match, and whether it is complete.

        If there would be more than `pairs` pairs, the last words of the larger side are left out.
        """
        hypothesis = list(positions(mask))
        few = min(len(references), len(hypothesis))
        many = max(len(references), len(hypothesis))
        most = few + pairs // few
        references, hypothesis = references[:most], hypothesis[:most]
        spare = len(hypothesis) - len(references)
        lag, lead = min(0, spare), max(0, spare)
        reach = []
        for index in range(len(references)):
            first = hypothesis[max(0, index + lag)]
            last = hypothesis[min(index + lead, len(hypothesis) - 1)]
            reach.append((2 << last) - (1 << first) & mask)
        return cls(references, hypothesis, mask, reach, ordered=True), many <= most

    @classmethod
    def loose_of(cls, groups: Groups, mask: int) -> Component:
        """The component of words of which only some match."""
        reach = {reference: neighbors for neighbors, references in groups.items() for reference in references}
        references = sorted(reach)
        return cls(references, list(positions(mask)), mask, [reach[r] for r in references], ordered=False)


def connected_parts(groups: Groups) -> Iterable[tuple[int, Groups]]:
    """The connected parts of a graph, each with all its hypothesis positions (a bit set)."""
    parts: dict[int, dict[int, Sequence[int]]] = {}
    seen = 0
    for neighbors, references in groups.items():
        whole = neighbors
        part = {neighbors: references}
        if neighbors & seen:
            for other in [mask for mask in parts if mask & neighbors]:
                whole |= other
                joined = parts.pop(other)
                if len(joined) < len(part):  # so that no group moves often
                    part |= joined
                else:
                    joined |= part
                    part = joined
        parts[whole] = part
        seen |= neighbors
    return parts.items()


PAIRS_PER_STEP = 8
"""Largest number of pairs that are considered, for each step of the budget."""


def components_of(choices: Sequence[tuple[int, Groups]], length: int, budget: int) -> tuple[list[Component], bool]:
    """The components of a graph, and whether they are complete.

    Together, the components have at most `PAIRS_PER_STEP * budget` pairs, besides those of a largest matching. If there
    are more, each component gets its share. `choices` are the connected parts of the graph, each with its hypothesis
    positions (a bit set); `length` is the number of words of the reference.
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
    references, hypothesis = len(part[mask]), mask.bit_count()
    return min(references, hypothesis) * (abs(references - hypothesis) + 1)


def _sparsify(component: Component, pairs: int) -> tuple[Component, bool]:
    """The component with at most this many pairs, beside those of a largest matching, and whether it is complete.

    Each word keeps the pairs nearest to its own position in the component, so that matches need not cross.
    """
    references, hypothesis = component.references, component.hypothesis
    if sum([mask.bit_count() for mask in component.reach]) <= pairs:
        return component, True
    partners = Matching(component.reach).partners
    share = pairs // len(references)
    known: dict[int, list[int]] = {}
    reach = []
    for index, (mask, partner) in enumerate(zip(component.reach, partners, strict=True)):
        if mask not in known:
            known[mask] = list(positions(mask))
        places = known[mask]
        nearest = bisect_left(places, hypothesis[index * len(hypothesis) // len(references)])
        first = max(0, min(nearest - share // 2, len(places) - share))
        window = places[first : first + share]
        window_mask = mask & (2 << window[-1]) - (1 << window[0]) if window else 0
        reach.append(window_mask if partner == NONE else window_mask | 1 << partner)
    return evolve(component, reach=reach), False
