"""Paraphrase matches: spans that a table lists as paraphrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from attrs import define, field, frozen

from meteorlib.matchers.cache import WordCache
from meteorlib.matchers.matcher import PhraseMatcher, Positions


class Table(Protocol):
    """A paraphrase table: phrases by number, and for each its paraphrases."""

    def number(self, phrase: str) -> int:
        """The number of a phrase, or of words that some phrase begins with; -1 where there is no such phrase."""

    def targets(self, number: int) -> Sequence[int]:
        """The paraphrases of a phrase, in the order of the table."""


@frozen(eq=False)
class Phrases:
    """The phrases of the table in a segment.

    Attributes:
        found: start, length and paraphrases of each that has any, by start, then length.
        places: number of each phrase → start and length of each occurrence, by start.
        numbers: the keys of `places`.
    """

    found: Sequence[tuple[int, int, Sequence[int]]]
    places: Mapping[int, Sequence[tuple[int, int]]]
    numbers: frozenset[int]


@define
class Paraphrase(PhraseMatcher):
    """Pairs spans that the table lists, in either direction.

    Attributes:
        table: the paraphrase table.
    """

    table: Table
    _numbers: WordCache[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._numbers = WordCache(self.table.number)

    def analyse(self, words: Sequence[str], positions: Positions) -> Phrases:  # noqa: ARG002
        """Find the phrases that stand in `words`."""
        known, numbered, targets_of = self._numbers, self.table.number, self.table.targets
        found = []
        places: dict[int, list[tuple[int, int]]] = {}
        end = len(words)
        for start, phrase in enumerate(words):
            number = known[phrase]
            length = 1
            while number >= 0:
                targets = targets_of(number)
                if targets:
                    found.append((start, length, targets))
                if number in places:
                    places[number].append((start, length))
                else:
                    places[number] = [(start, length)]
                stop = start + length
                if stop == end:
                    break
                phrase = f"{phrase} {words[stop]}"  # noqa: PLW2901 – the phrase grows
                number = numbered(phrase)
                length += 1
        return Phrases(found, places, frozenset(places))

    def spans(self, reference: Phrases, hypothesis: Phrases) -> Iterator[tuple[int, int, int, int]]:
        """Phrases of the reference with paraphrases in the hypothesis, then the other way round."""
        numbers, places = hypothesis.numbers, hypothesis.places
        for position, length, targets in reference.found:
            if not numbers.isdisjoint(targets):
                for phrase in targets:
                    for start, hypothesis_length in places.get(phrase, ()):
                        yield position, length, start, hypothesis_length
        numbers, places = reference.numbers, reference.places
        for start, hypothesis_length, targets in hypothesis.found:
            if not numbers.isdisjoint(targets):
                for phrase in targets:
                    for position, length in places.get(phrase, ()):
                        yield position, length, start, hypothesis_length
