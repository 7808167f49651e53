"""Open words: the moves of each, their costs, and the least cost of the rest of its component (the cost to go)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate

from meteorlib.search import positions
from meteorlib.search.staged_bipartite import Matching
from meteorlib.search.staged_components import Component


def open_words(component: Component, costs: Costs) -> tuple[list[OpenWord], int]:
    """The open words of a component, and their least cost, without crossings among open words."""
    if not component.ordered:
        return _loose_words(component, costs)
    if component.scarce:
        return _scarce_words(component, costs)
    return _spare_words(component, costs)


class OpenWord(ABC):
    """A reference word with a choice; its moves are computed once for each situation.

    Attributes:
        reference: its position.
        component: the hypothesis positions of its component (a bit set).
        reach: the hypothesis positions that it may take (a bit set).
        crossed: the hypothesis positions where a match of an earlier word adds a crossing now (a bit set). Other
            crossings do not depend on what this word takes; the costs of the earlier words include them.
        effort: steps needed to compute its moves, beyond their number.
    """

    __slots__ = ("_known", "component", "crossed", "effort", "reach", "reference")

    def __init__(self, component: Component, index: int, effort: int = 0) -> None:
        self.reference: int = component.references[index]
        self.component: int = component.mask
        self.reach: int = component.reach[index]
        self.effort: int = effort
        self.crossed: int = -1
        self._known: dict[int, tuple[int, Sequence[Move]]] = {}

    @property
    def complete(self) -> bool:
        """Whether all its possible moves were found so far."""
        return True

    def moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        """The cost to go and the possible moves, given the positions `taken` in its component."""
        known = self._known.get(taken)
        if known is None:
            known = self._known[taken] = self._compute_moves(taken)
        return known

    @abstractmethod
    def _compute_moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        """The result of `moves` in a new situation."""


class ScarceWord(OpenWord):
    """A word of an ordered component with hypothesis words to spare: it takes any of its reach behind the last taken.

    Attributes:
        to_go: for each position of its reach, the least cost when it takes that or a later one.
    """

    __slots__ = ("_moves", "_window", "to_go")

    def __init__(self, component: Component, index: int, moves: Sequence[Move]) -> None:
        super().__init__(component, index)
        self._window = [move[0] for move in moves]
        self.crossed: int = (1 << self.reach.bit_length()) - 1
        self._moves = moves
        self.to_go: list[int] = list(accumulate((move[2] for move in reversed(moves)), min))[::-1]

    def _compute_moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        index = bisect_left(self._window, taken.bit_length())
        return self.to_go[index], self._moves[index:]


class SpareWord(OpenWord):
    """A word of an ordered component with reference words to spare: it takes the first position left, or nothing.

    Attributes:
        to_go: for each number of positions taken, from the least possible one, the least cost from here on.
    """

    __slots__ = ("_behind", "_forced", "_left", "_takes", "_window", "to_go")

    def __init__(
        self, component: Component, index: int, takes: Sequence[Move], left: Sequence[int], behind: int
    ) -> None:
        """Create the word from its moves to the positions of its reach.

        `left` has, for each number of positions taken after which it need not be matched, the least cost then; `behind`
        is the position that stands for no match.
        """
        super().__init__(component, index)
        spare = len(component.references) - len(component.hypothesis)
        self._forced = 1 if index >= spare else 0  # with the fewest positions taken no word is left to spare
        matched = [move[2] for move in takes]
        forced = self._forced
        either = map(min, matched[forced:], left)
        self.to_go: list[int] = [*matched[:forced], *either, *left[len(matched) - forced :]]
        self._window = [move[0] for move in takes]
        self._takes = takes
        self._left = left
        self._behind = behind

    def _compute_moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        index = bisect_left(self._window, taken.bit_length())
        moves = list(self._takes[index : index + 1])
        if index >= self._forced:
            moves.append((self._behind, 0, self._left[index - self._forced], -1))
        return self.to_go[index], moves


class LooseWord(OpenWord):
    """A word of any other component: it takes whatever leaves a largest matching within reach."""

    __slots__ = ("_index", "_matching", "_moves", "_skip", "to_go")

    def __init__(self, component: Component, index: int, matching: Matching, moves: Sequence[Move], skip: Move) -> None:
        super().__init__(component, index, effort=len(component.references) - index)
        self._index = index
        self._matching = matching
        self._moves = moves
        self._skip = skip
        self.to_go: int = min(move[2] for move in (*moves, skip))

    @property
    def complete(self) -> bool:
        """Whether all its possible moves were found so far."""
        return self._matching.complete

    def _compute_moves(self, taken: int) -> tuple[int, Sequence[Move]]:
        choices, dispensable = self._matching.allowed(self._index, taken)
        moves = [move for move in self._moves if choices & move[1]]
        if dispensable:
            moves.append(self._skip)
        return self.to_go, moves


def _scarce_words(component: Component, costs: Costs) -> tuple[list[OpenWord], int]:
    words: list[OpenWord] = []
    width = len(component.hypothesis) - len(component.references) + 1
    to_go: Sequence[int] = [0] * width
    for index in range(len(component.references) - 1, -1, -1):
        window = component.hypothesis[index : index + width]
        word = ScarceWord(component, index, costs.moves(component.references[index], window, to_go))
        to_go = word.to_go
        words.append(word)
    return words, to_go[0]


def _spare_words(component: Component, costs: Costs) -> tuple[list[OpenWord], int]:
    words: list[OpenWord] = []
    hypothesis = component.hypothesis
    spare = len(component.references) - len(hypothesis)
    to_go: Sequence[int] = [0]
    for index in range(len(component.references) - 1, -1, -1):
        least = max(0, index - spare)  # positions that are taken at least
        window = hypothesis[least : index + 1]
        after_match = to_go if index >= spare else to_go[1:]
        takes = costs.moves(component.references[index], window, after_match[: len(window)])
        situations = min(index, len(hypothesis)) - least + 1
        left = to_go[: situations - 1 if index >= spare else situations]
        word = SpareWord(component, index, takes, left, costs.behind)
        to_go = word.to_go
        words.append(word)
    return words, to_go[0]


def _loose_words(component: Component, costs: Costs) -> tuple[list[OpenWord], int]:
    words: list[OpenWord] = []
    matching = Matching(component.reach)
    to_go = 0
    for index in range(len(component.references) - 1, -1, -1):
        reach = list(positions(component.reach[index]))
        moves = costs.moves(component.references[index], reach, [to_go] * len(reach))
        word = LooseWord(component, index, matching, moves, (costs.behind, 0, to_go, -1))
        to_go = word.to_go
        words.append(word)
    return words, to_go


Move = tuple[int, int, int, int]
"""A move of an open reference word: the hypothesis position that it takes, its bit, the cost, the neighbor.

The cost is that of the match itself, its crossings with other open words left out where they are not certain, and
the cost to go: the least that the rest of its component can then cost. It assumes that the match continues a
chunk wherever that is possible; the neighbor is the hypothesis position that the reference word just before must have
taken for this to be true, or -1. To leave the word unmatched is to take the position behind the last, which has no bit:
it comes last in order, and it crosses nothing.
"""

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

        `partners` has for each reference position its hypothesis position or NOBODY, and NOBODY behind the last;
        `reach` the hypothesis positions that an open word may take (a bit set), `scarce` those of words that must be
        matched, no two of which have the same last position.
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
