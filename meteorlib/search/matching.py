"""Largest matchings of a bipartite graph, asked again and again while its words are used up."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.search.components import positions

NONE = -1


class Matching:
    """A largest matching, repaired from question to question by augmenting paths.

    Attributes:
        size: how many matches a largest matching has.
    """

    def __init__(self, neighbors: Sequence[int]) -> None:
        """Take the graph: for each reference word the positions that it may take (a bit set)."""
        self._neighbors = neighbors
        self._partners = [NONE] * len(neighbors)
        self._owners: dict[int, int] = {}
        self._matched = 0
        self.size = sum(self._augment(word, -1) for word in range(len(neighbors)))

    def allowed(self, word: int, taken: int) -> tuple[int, bool]:
        """What `word` may do where the words before it took `taken`, so that a largest matching is still reached.

        Args:
            word: the index of the word in the graph.
            taken: the positions that the words before it took (a bit set); a largest matching holds such choices.

        Returns:
            The positions that it may take (a bit set), and whether it may stay unmatched.
        """
        free = ~taken
        self._repair(word, taken)
        own = self._partners[word]
        choices = self._neighbors[word] & free
        if own == NONE:  # then it may push any neighbor's owner out
            return choices, True
        targets, spare = self._movable(word, free, 1 << own)
        return (choices, True) if spare else (choices & targets, False)

    def _movable(self, word: int, free: int, own: int) -> tuple[int, bool]:
        """The positions that later words can do without once `own` is given up for them.

        Returns:
            The positions: those unmatched, `own`, and those whose owner can move to one of these; and whether a word
            that is unmatched now can move too, which makes up for any loss.
        """
        targets = free & ~self._matched | own
        waiting = list(range(word + 1, len(self._neighbors)))
        found = True
        while found:
            found = False
            still = []
            for other in waiting:
                if self._neighbors[other] & targets:
                    if self._partners[other] == NONE:
                        return targets, True
                    targets |= 1 << self._partners[other]
                    found = True
                else:
                    still.append(other)
            waiting = still
        return targets, False

    def _repair(self, word: int, taken: int) -> None:
        """Make the matching a largest one of the words from `word` on without the positions `taken`."""
        for index in range(len(self._partners)):
            partner = self._partners[index]
            if partner != NONE and (index < word or taken >> partner & 1):
                self._partners[index] = NONE
                self._matched ^= 1 << partner
                del self._owners[partner]
        missing = self.size - taken.bit_count() - self._matched.bit_count()
        for index in range(word, len(self._partners)):
            if not missing:
                return
            if self._partners[index] == NONE and self._augment(index, ~taken):
                missing -= 1

    def _augment(self, start: int, free: int) -> bool:
        """Match one word more, `start`, if an augmenting path among the positions `free` leads from it."""
        queue = [start]
        reached_from = {start: NONE}
        for word in queue:
            new = self._neighbors[word] & free
            free &= ~new
            unmatched = new & ~self._matched
            if unmatched:
                self._flip(word, (unmatched & -unmatched).bit_length() - 1, reached_from)
                return True
            for position in positions(new):
                owner = self._owners[position]
                reached_from[owner] = word
                queue.append(owner)
        return False

    def _flip(self, word: int, position: int, reached_from: dict[int, int]) -> None:
        self._matched |= 1 << position
        while word != NONE:
            self._owners[position] = word
            self._partners[word], position = position, self._partners[word]
            word = reached_from[word]
