"""Costs of matches: their crossings with certain matches, less the neighbors that they join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meteorlib.search.staged.branch_and_bound import Move

NOBODY = -2
"""Partner of an unmatched reference word; not adjacent to any hypothesis position."""


class Costs:
    """Costs of matches: their certain crossings, less the neighbors that they join.

    Crossings are certain with matches that are certain, and with later open words that must be matched and can only
    take positions before the one in question.

    A crossing costs `crossing`, a joined pair of neighbors saves 1: all of these together never
    outweigh a crossing. As all choices have equally many matches, the most joined pairs are the fewest chunks.

    Attributes:
        crossing: what a crossing costs.
        behind: a position behind all positions that an open word may take.
    """

    def __init__(self, partners: Sequence[int], reach: Mapping[int, int], scarce: Mapping[int, int]) -> None:
        """Create the costs of the moves of open words.

        Args:
            partners: for each reference position its hypothesis position or NOBODY; NOBODY behind the last.
            reach: for each open reference position, the hypothesis positions that it may take (a bit set).
            scarce: the same for those of `reach` that must be matched, where no two have the same last position.
        """
        self.crossing: int = len(partners)
        self.behind: int = max(mask.bit_length() for mask in reach.values())
        self._bits = [1 << position for position in range(self.behind)]
        self._partners = partners
        self._reach = reach
        self._before = {}
        self._after = {}
        before = 0
        for reference, partner in enumerate(partners):
            if partner != NOBODY:
                before |= 1 << partner
            elif reference in reach:
                self._before[reference] = before
        later_tops = 0
        for reference in reversed(self._before):
            self._after[reference] = (before ^ self._before[reference]) | later_tops
            if reference in scarce:
                later_tops |= 1 << scarce[reference].bit_length() - 1

    def moves(self, reference: int, hypothesis: Sequence[int], to_go: Sequence[int]) -> list[Move]:
        """The moves of one word to some positions, each with the cost to go behind it."""
        before = self._before[reference]
        after = self._after[reference]
        crossing, bits = self.crossing, self._bits
        joins_last = self._partners[reference - 1] + 1
        joins_next = self._partners[reference + 1] - 1
        neighbors = self._reach.get(reference - 1, 0)
        moves = []
        for position, later in zip(hypothesis, to_go, strict=True):
            bit = bits[position]
            cost = later + crossing * ((before >> position).bit_count() + (after & (bit - 1)).bit_count())
            if position == joins_last:
                cost -= 1
            if position == joins_next:
                cost -= 1
            if neighbors & (bit >> 1):
                moves.append((position, bit, cost - 1, position - 1))
            else:
                moves.append((position, bit, cost, -1))
        return moves

    def unmatched(self, to_go: int) -> Move:
        """The move of a word that stays unmatched, with the cost to go behind it."""
        return self.behind, 0, to_go, -1
