"""Paraphrase matches: spans that a table lists as paraphrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from attrs import define, field, frozen

from meteorlib.matchers.cache import WordCache
from meteorlib.matchers.matcher import PhraseMatcher, Positions


class Table(Protocol):
    """A paraphrase table; see `meteorlib.resources.paraphrases.ParaphraseTable`."""

    @property
    def starts(self) -> Sequence[int]:
        """For each number of a phrase, where its paraphrases begin in `targets`; one more at the end."""

    @property
    def targets(self) -> Sequence[int]:
        """The paraphrases of all phrases, by number."""

    def word(self, word: str) -> int:
        """The number of a word; -1 where no phrase has it."""

    def longer(self, number: int, word: int) -> int:
        """The number of the phrase `number` with one more word; -1 where no phrase begins so."""


@frozen(eq=False)
class Phrases:
    """The phrases of the table in a segment.

    Attributes:
        found: start, length and number of each that has paraphrases, by start, then length; one behind the other.
        places: number of each phrase → start and length of its occurrences, one behind the other.
    """

    found: Sequence[int]
    places: Mapping[int, Sequence[int]]


@define
class Paraphrase(PhraseMatcher):
    """Pairs spans that the table lists, in either direction.

    Attributes:
        table: the paraphrase table.
    """

    table: Table
    _numbers: WordCache[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._numbers = WordCache(self.table.word)

    def analyse(self, words: Sequence[str], positions: Positions) -> Phrases:  # noqa: ARG002
        """Find the phrases that stand in `words`."""
        known, longer, starts = self._numbers, self.table.longer, self.table.starts
        numbers = [known[word] for word in words]
        found: list[int] = []
        places: dict[int, tuple[int, ...]] = {}
        end = len(words)
        for start, phrase in enumerate(numbers):
            stop = start
            while phrase >= 0:
                stop += 1
                if starts[phrase] != starts[phrase + 1]:
                    found += (start, stop - start, phrase)
                places[phrase] = (*places.get(phrase, ()), start, stop - start)
                if stop == end or numbers[stop] < 0:
                    break
                phrase = longer(phrase, numbers[stop])  # noqa: PLW2901 – the phrase grows
        return Phrases(found, places)

    def spans(self, reference: Phrases, hypothesis: Phrases) -> Iterator[tuple[int, int, int, int]]:
        """Phrases of the reference with paraphrases in the hypothesis, then the other way round."""
        for position, length, start, hypothesis_length in self._directed(reference, hypothesis):
            yield position, length, start, hypothesis_length
        for start, hypothesis_length, position, length in self._directed(hypothesis, reference):
            yield position, length, start, hypothesis_length

    def _directed(self, sources: Phrases, targets: Phrases) -> Iterator[tuple[int, int, int, int]]:
        begins, paraphrases = self.table.starts, self.table.targets
        places = targets.places
        numbers = frozenset(places)
        found = iter(sources.found)
        for start, length, number in zip(found, found, found, strict=True):
            listed = paraphrases[begins[number] : begins[number + 1]]
            if not numbers.isdisjoint(listed):
                for phrase in listed:
                    if phrase in places:
                        occurrences = iter(places[phrase])
                        for target_start, target_length in zip(occurrences, occurrences, strict=True):
                            yield start, length, target_start, target_length
