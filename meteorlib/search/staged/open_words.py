"""Open words: the moves of each, and the least cost of the rest of its component (the cost to go)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from meteorlib.search.staged.bipartite import Matching
from meteorlib.search.staged.branch_and_bound import Move
from meteorlib.search.staged.components import Component, positions
from meteorlib.search.staged.costs import Costs


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
        reach: the positions that it may take (a bit set).
        crossed: the positions where a match of an earlier word adds a crossing now (a bit set).
        effort: steps needed to compute its moves, beyond their number.
        complete: whether all its possible moves were found so far.
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
        """Compute the result of `moves` for a new situation."""


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
        """Create the word.

        Args:
            component: its component.
            index: its index among the reference words of the component.
            takes: the moves to the positions of its reach.
            left: for each number of positions taken after which the word need not be matched, the least cost then.
            behind: the position that stands for no match.
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
        """See `OpenWord`."""
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
        word = LooseWord(component, index, matching, moves, costs.unmatched(to_go))
        to_go = word.to_go
        words.append(word)
    return words, to_go
