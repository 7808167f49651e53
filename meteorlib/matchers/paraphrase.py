"""Paraphrase matches: spans of words that a paraphrase table lists as equivalent."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from attrs import Factory, define, field, frozen

from meteorlib.caches import Memo
from meteorlib.matchers.matcher import PhraseMatcher, Positions


class _Table(Protocol):
    """A paraphrase table; see `meteorlib.resources.meteor_tables.ParaphraseTable`."""

    @property
    def targets(self) -> Sequence[int]: ...
    @property
    def last_words(self) -> Sequence[int]: ...
    def word(self, word: str) -> int: ...
    def node(self, number: int) -> tuple[int, int, int, int]: ...
    @property
    def check(self) -> Callable[[], None]: ...


Entry = tuple[int, int, int, int, int]
"""A phrase: its number; the numbers of the phrases with one more word, from the first to before the second; where its
paraphrases begin and end."""

UNKNOWN_WORD = -1, 0, 0, 0, 0


@frozen(eq=False)
class Phrases:
    """Phrases of the table that occur in a segment."""

    # start, length and range of paraphrases of each phrase that has any, in this order; one flat list
    occurrences: Sequence[int]
    places: Mapping[int, Sequence[int]]  # phrase number → start and length of each occurrence; one flat list
    repeats: Mapping[int, Sequence[int]]  # later starts of repeated phrases, by their first start


@define
class Paraphrase(PhraseMatcher):
    """Pairs spans that the table lists, in either direction."""

    table: _Table  # the paraphrase table
    _words: Memo[Entry] = field(init=False, default=Factory(lambda self: Memo(self._look_up), takes_self=True))

    def _look_up(self, word: str) -> Entry:
        number = self.table.word(word)
        return UNKNOWN_WORD if number < 0 else (number, *self.table.node(number))

    def analyze(self, words: Sequence[str], positions: Positions) -> Phrases:
        """Find the phrases of the table in `words`."""
        known, table = self._words, self.table
        last_words, node = table.last_words, table.node
        table.check()
        entries = [known[word] for word in words]
        occurrences: list[int] = []
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
                    occurrences += (start, stop - start, begin, after)
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
        return Phrases(occurrences, places, _repeated_starts(longest, positions))

    def alike(self, reference: Phrases) -> Mapping[int, Sequence[int]]:
        """Later starts of repeated phrases, by their first start."""
        return reference.repeats

    def spans(self, reference: Phrases, hypothesis: Phrases) -> Iterator[tuple[int, int, int, int]]:
        """Phrases of the reference with their paraphrases in the hypothesis, then the other direction."""
        repeated = frozenset(chain.from_iterable(reference.repeats.values()))
        for position, length, start, hypothesis_length in self._spans_one_way(reference, hypothesis, repeated):
            yield position, length, start, hypothesis_length
        for start, hypothesis_length, position, length in self._spans_one_way(hypothesis, reference, frozenset()):
            if position not in repeated:
                yield position, length, start, hypothesis_length
        self.table.check()

    def _spans_one_way(
        self, sources: Phrases, targets: Phrases, left_out: frozenset[int]
    ) -> Iterator[tuple[int, int, int, int]]:
        paraphrases = self.table.targets
        places = targets.places
        known = frozenset(places)
        fields = iter(sources.occurrences)
        for start, length, begin, end in zip(fields, fields, fields, fields, strict=True):
            if start in left_out:
                continue
            partners = paraphrases[begin:end]
            if not known.isdisjoint(partners):
                # in the order of the table's file, which decides ties
                for phrase in partners:
                    if phrase in places:
                        occurrences = iter(places[phrase])
                        for target_start, target_length in zip(occurrences, occurrences, strict=True):
                            yield start, length, target_start, target_length


def _repeated_starts(longest: Sequence[tuple[int, int]], positions: Positions) -> dict[int, list[int]]:
    """Later starts of repeated phrases, by their first start.

    `longest` has number and length of the longest phrase that begins at each position: all others begin like it. The
    number implies the length, too, but only in a table that nobody writes to.
    """
    repeats: dict[int, list[int]] = {}
    for starts in positions.values():
        if len(starts) > 1:
            first: dict[tuple[int, int], int] = {}
            for start in starts:
                same = first.setdefault(longest[start], start)
                if same != start:
                    repeats.setdefault(same, []).append(start)
    return repeats
