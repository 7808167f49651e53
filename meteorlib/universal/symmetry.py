"""Symmetrization of two word alignments, one in each direction, into one."""

from __future__ import annotations

from collections.abc import Iterable

Link = tuple[int, int]
"""Position of a foreign word, and of a word of the language."""

_NEIGHBORS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: Iterable[Link], reverse: Iterable[Link]) -> list[Link]:
    """The symmetrized links (Koehn, Och & Marcu 2003; Koehn 2010, section 4.5.3), sorted.

    Start with the links of both alignments. Then repeatedly add links of either alignment that are neighbors (also
    diagonal ones) of a link, if one of their words has no link yet. Finally add links whose words both have none, first
    those of `forward`, then those of `reverse`.
    """
    forward, reverse = set(forward), set(reverse)
    if forward == reverse:
        return sorted(forward)
    either = forward | reverse
    in_order = sorted(either, key=_by_target)
    links = forward & reverse
    foreign, target = {i for i, _ in links}, {j for _, j in links}

    def add(link: Link) -> None:
        links.add(link)
        foreign.add(link[0])
        target.add(link[1])

    grown = True
    while grown:
        grown = False
        for link in in_order:
            if link not in links:
                continue
            for down, right in _NEIGHBORS:
                new = link[0] + down, link[1] + right
                if new in either and new not in links and not (new[0] in foreign and new[1] in target):
                    add(new)
                    grown = True
    for direction in (forward, reverse):
        for link in sorted(direction):
            if link[0] not in foreign and link[1] not in target:
                add(link)
    return sorted(links)


def _by_target(link: Link) -> Link:
    return link[1], link[0]
