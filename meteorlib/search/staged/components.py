"""Components: the connected parts of the graph of a stage's candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

Groups = Mapping[int, Sequence[int]]
"""The graph: hypothesis positions (a bit set) → the reference positions, ascending, that match just these."""


def positions(mask: int) -> Iterator[int]:
    """The positions of the bits of `mask`, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@frozen(eq=False)
class Component:
    """A connected part of the graph whose words have a choice.

    A component in which every word matches every other (a biclique), such as all occurrences of one word, is *ordered*:
    two of its matches that cross can be uncrossed, which removes this crossing and adds no other. So its matches are in
    order, and the k-th word of the smaller side has at most as many partners as the larger side has words to spare,
    plus one.

    Attributes:
        references: the reference positions, ascending.
        hypothesis: the hypothesis positions, ascending.
        mask: the hypothesis positions as a bit set.
        reach: for each reference position, the hypothesis positions that it may be matched with (a bit set).
        ordered: whether every word matches every other.
    """

    references: Sequence[int]
    hypothesis: Sequence[int]
    mask: int
    reach: Sequence[int]
    ordered: bool

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
