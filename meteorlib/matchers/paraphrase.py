"""Paraphrase matches: spans that a table lists as paraphrases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from attrs import define, field, frozen

from meteorlib.core.caches import Memo
from meteorlib.matchers.matcher import PhraseMatcher, Positions


class Table(Protocol):
    """A paraphrase table; see `meteorlib.resources.paraphrases.table.ParaphraseTable`."""

    @property
    def targets(self) -> Sequence[int]:
        """The paraphrases of all phrases, by number."""

    @property
    def last_words(self) -> Sequence[int]:
        """For each number of a phrase, that of its last word."""

    def word(self, word: str) -> int:
        """The number of a word; -1 where no phrase has it."""

    def node(self, number: int) -> tuple[int, int, int, int]:
        """What begins at a number.

        Returns:
            The numbers of the phrases with one more word, from the first to before the second, by their last words; and
            the places of its paraphrases in `targets`, likewise.
        """

    @property
    def check(self) -> Callable[[], None]:
        """Makes sure that the table has not been written to."""


Entry = tuple[int, int, int, int, int]
"""A phrase: its number; the numbers of the phrases with one more word, from the first to before the second; where its
paraphrases begin and end."""

UNKNOWN = -1, 0, 0, 0, 0


@frozen(eq=False)
class Phrases:
    """The phrases of the table in a segment.

    Attributes:
        found: start, length and number of each that has paraphrases, by start, then length; one behind the other.
        places: number of each phrase → start and length of its occurrences, one behind the other.
        alike: later starts of the same phrases, by the first one.
    """

    found: Sequence[int]
    places: Mapping[int, Sequence[int]]
    alike: Mapping[int, Sequence[int]]


@define
class Paraphrase(PhraseMatcher):
    """Pairs spans that the table lists, in either direction.

    Attributes:
        table: the paraphrase table.
    """

    table: Table
    _words: Memo[Entry] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._words = Memo(self._look_up)

    def _look_up(self, word: str) -> Entry:
        """What the table has of a word."""
        table = self.table
        number = table.word(word)
        if number < 0:
            return UNKNOWN
        return (number, *table.node(number))

    def analyze(self, words: Sequence[str], positions: Positions) -> Phrases:
        """Find the phrases that stand in `words`."""
        known, table = self._words, self.table
        last_words, node = table.last_words, table.node
        table.check()
        entries = [known[word] for word in words]
        found: list[int] = []
        places: dict[int, list[int]] = {}
        longest = [(-1, 0)] * len(words)
        end = len(words)
        for start, (phrase, low, high, begin, after) in enumerate(entries):
            if phrase < 0:
                continue
            stop = start
            while True:
                stop += 1
                if begin != after:
                    found += (start, stop - start, begin, after)
                if phrase in places:
                    places[phrase] += (start, stop - start)
                else:
                    places[phrase] = [start, stop - start]
                if low == high or stop == end:
                    break
                word = entries[stop][0]
                longer = bisect_left(last_words, word, low, high)
                if longer == high or last_words[longer] != word:
                    break
                phrase = longer  # noqa: PLW2901 – the phrase grows
                low, high, begin, after = node(phrase)  # noqa: PLW2901
            longest[start] = phrase, stop - start
        return Phrases(found, places, _alike(longest, positions))

    def alike(self, reference: Phrases) -> Mapping[int, Sequence[int]]:
        """Later starts of the same phrases, by the first one."""
        return reference.alike

    def spans(self, reference: Phrases, hypothesis: Phrases) -> Iterator[tuple[int, int, int, int]]:
        """Phrases of the reference with paraphrases in the hypothesis, then the other way round."""
        repeated = frozenset(chain.from_iterable(reference.alike.values()))
        for position, length, start, hypothesis_length in self._directed(reference, hypothesis, repeated):
            yield position, length, start, hypothesis_length
        for start, hypothesis_length, position, length in self._directed(hypothesis, reference, frozenset()):
            if position not in repeated:
                yield position, length, start, hypothesis_length
        self.table.check()

    def _directed(
        self, sources: Phrases, targets: Phrases, left_out: frozenset[int]
    ) -> Iterator[tuple[int, int, int, int]]:
        paraphrases = self.table.targets
        places = targets.places
        numbers = frozenset(places)
        found = iter(sources.found)
        for start, length, begin, end in zip(found, found, found, found, strict=True):
            if start in left_out:
                continue
            listed = paraphrases[begin:end]
            if not numbers.isdisjoint(listed):
                for phrase in listed:
                    if phrase in places:
                        occurrences = iter(places[phrase])
                        for target_start, target_length in zip(occurrences, occurrences, strict=True):
                            yield start, length, target_start, target_length


def _alike(longest: Sequence[tuple[int, int]], positions: Positions) -> dict[int, list[int]]:
    """Later starts of the same phrases, by the first one.

    Args:
        longest: number and length of the longest phrase that begins at each position: all others begin like it. The
            number tells the length, too, but only in a table that nobody writes to.
        positions: where each distinct word stands.
    """
    alike: dict[int, list[int]] = {}
    for starts in positions.values():
        if len(starts) > 1:
            first: dict[tuple[int, int], int] = {}
            for start in starts:
                same = first.setdefault(longest[start], start)
                if same != start:
                    alike.setdefault(same, []).append(start)
    return alike
