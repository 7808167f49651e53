"""Largest matchings of a bipartite graph, repaired while its words are used up one by one."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from meteorlib.search import positions

NONE = -1
"""Partner of an unmatched word."""

VISITS = 256
"""Maximum number of words that a question visits, beside the owners of the choices in question."""


class Matching:
    """A largest matching, repaired from question to question by augmenting paths.

    An *exposed* word is one that is not matched; a *contested* position is one that an alternating path from an exposed
    word leads to. No choice makes another position contested.

    Attributes:
        size: number of matches in a largest matching.
        partners: for each word, the position that it is matched with now, or NONE.
        complete: whether all questions were answered in full, as in all graphs of at most VISITS words.
        visited: number of words visited so far.
    """

    def __init__(self, neighbors: Sequence[int]) -> None:
        """Create the matching from the positions that each reference word may take (bit sets)."""
        self.partners: list[int] = [NONE] * len(neighbors)
        self.complete: bool = True
        self.visited: int = 0
        self._neighbors = neighbors
        self._users: list[int] = []
        self._owners: dict[int, int] = {}
        self._matched = 0
        self._taken = 0
        self._begin = 0  # words before it are not matched, and not among the exposed ones
        self._exposed = (1 << len(neighbors)) - 1
        self._contested = 0
        for word in range(len(neighbors)):
            self._contested |= self._augment(word, ~self._contested)
        self.size: int = self._matched.bit_count()

    def allowed(self, word: int, taken: int) -> tuple[int, bool]:
        """The moves of `word` that keep a largest matching within reach, after the words before it took `taken`.

        These are the positions that it may take (a bit set, like `taken`), and whether it may stay unmatched; in a
        graph of more than VISITS words perhaps not all of this, but one thing at least.
        """
        self._repair(word, taken)
        own = self.partners[word]
        choices = self._neighbors[word] & ~taken
        if own == NONE:  # then it may push any neighbor's owner out
            return choices, True
        if self._exposed and self._contested >> own & 1 and self._path_to(own, VISITS)[0] != NONE:
            return choices, True  # another word then makes up for any loss
        return choices & self._movable(choices, ~taken, 1 << own), False

    def _movable(self, choices: int, free: int, own: int) -> int:
        """The positions that later words can do without once `own` is given up for them; those of `choices` at least.

        They are those unmatched, `own`, and those whose owner can move to one of these.
        """
        targets = free & ~self._matched | own
        seen = choices | targets
        queue = [self._owners[position] for position in positions(choices & ~targets)]
        limit = len(queue) + VISITS
        waiting = 0  # words that can move if one of their neighbors' owners can
        for word in queue:
            reach = self._neighbors[word] & free
            if reach & targets:
                targets |= 1 << self.partners[word]
                if waiting:
                    waiting, targets = self._follow(self.partners[word], waiting, targets)
                    if not choices & ~targets:
                        break
            elif len(queue) < limit:
                waiting |= 1 << word
                queue += [self._owners[position] for position in positions(reach & ~seen)]
                seen |= reach
            else:
                self.complete = False
        self.visited += len(queue)
        return targets

    def _follow(self, position: int, waiting: int, targets: int) -> tuple[int, int]:
        """Let words of `waiting` move, one after the other, once `position` is there to be taken.

        The words that still wait, and `targets` with the positions that the others give up, are returned.
        """
        users = self._columns()
        queue = [position]
        for given_up in queue:
            movable = users[given_up] & waiting
            waiting ^= movable
            for word in positions(movable):
                queue.append(self.partners[word])
                targets |= 1 << self.partners[word]
        return waiting, targets

    def _path_to(self, position: int, limit: float) -> tuple[int, dict[int, int]]:
        """An exposed word, or NONE, from which an alternating path leads to `position`, and where its words move to."""
        users = self._columns()
        unseen = -1 << self._begin
        moves: dict[int, int] = {}
        queue = [position]
        for target in queue:
            new = users[target] & unseen
            unseen ^= new
            exposed = new & self._exposed
            if exposed:
                word = (exposed & -exposed).bit_length() - 1
                moves[word] = target
                return word, moves
            if len(queue) > limit:
                self.complete = False
                break
            for word in positions(new):
                moves[word] = target
                queue.append(self.partners[word])
            self.visited += 1
        return NONE, moves

    def _columns(self) -> Sequence[int]:
        """For each position the words that may take it (a bit set)."""
        if not self._users:
            words_by_reach: dict[int, int] = {}
            for word, mask in enumerate(self._neighbors):
                words_by_reach[mask] = words_by_reach.get(mask, 0) | 1 << word
            self._users = [0] * max(mask.bit_length() for mask in words_by_reach)
            for mask, words in words_by_reach.items():
                for position in positions(mask):
                    self._users[position] |= words
        return self._users

    def _repair(self, word: int, taken: int) -> None:
        """Make the matching a largest one of the words from `word` on without the positions `taken`.

        It was a largest one before, so that the first path by which it can grow ends in a word or a position that lost
        its partner or came back; where more has changed than one match, further paths may end elsewhere.
        """
        words = list(range(word, self._begin))
        back = list(positions(self._taken & ~taken))
        self._exposed |= (1 << self._begin) - 1
        back += [self._unmatch(index) for index in range(self._begin, word) if self.partners[index] != NONE]
        for position in positions(taken & self._matched):
            words.append(self._owners[position])
            self._unmatch(words[-1])
        self._exposed = self._exposed >> word << word
        self._begin, self._taken = word, taken
        missing = self.size - taken.bit_count() - self._matched.bit_count()
        free = ~taken
        for index in words:
            if not missing:
                return
            free &= ~self._augment(index, free)
            missing -= self.partners[index] != NONE
        for position in back:
            if not missing:
                return
            if (self._contested & free & ~self._matched) >> position & 1:
                missing -= self._augment_into(position)
        for index in positions(self._exposed):
            if not missing:
                return
            free &= ~self._augment(index, free)
            missing -= self.partners[index] != NONE

    def _unmatch(self, word: int) -> int:
        """Take a word's match away, and return the position."""
        position = self.partners[word]
        self.partners[word] = NONE
        self._exposed |= 1 << word
        self._matched ^= 1 << position
        del self._owners[position]
        return position

    def _augment_into(self, position: int) -> bool:
        """Match one word more, so that `position` is taken, if an alternating path leads there from an exposed word."""
        word, moves = self._path_to(position, inf)
        if word == NONE:
            return False
        self._exposed ^= 1 << word
        self._matched |= 1 << position
        while word != NONE:
            target = moves[word]
            before = self._owners.get(target, NONE)
            self._owners[target], self.partners[word] = word, target
            word = before
        return True

    def _augment(self, start: int, free: int) -> int:
        """Match one word more, `start`, if an augmenting path among the positions `free` leads from it.

        If none does, the positions that alternating paths lead to are returned (a bit set).
        """
        queue = [start]
        reached_from = {start: NONE}
        seen = 0
        for word in queue:
            self.visited += 1
            new = self._neighbors[word] & free & ~seen
            unmatched = new & ~self._matched
            if unmatched:
                self._flip(word, (unmatched & -unmatched).bit_length() - 1, reached_from)
                self._exposed ^= 1 << start
                return 0
            seen |= new
            for position in positions(new):
                owner = self._owners[position]
                reached_from[owner] = word
                queue.append(owner)
        return seen

    def _flip(self, word: int, position: int, reached_from: dict[int, int]) -> None:
        self._matched |= 1 << position
        while word != NONE:
            self._owners[position] = word
            self.partners[word], position = position, self.partners[word]
            word = reached_from[word]
