"""Lists of words and phrases that a system misses, or never matches exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.safe_text import visible
from meteorlib.reports.html.aligned import Aligned, Words
from meteorlib.reports.html.ragged import Integers, Ragged

LIST_LENGTH = 40
"""Most entries of a list."""

MAX_LETTERS = 60
"""Most letters of an entry; a word of a hostile file may have a million."""

RENDERINGS_SHOWN = 3
"""Most renderings shown for a word."""

CANDIDATES = 400
"""Number of most frequent candidates that are looked up at a time."""

Unit = tuple[int, ...]
"""A word or phrase, by the numbers of its words."""


def is_part(unit: Words, longer: Words) -> bool:
    """Whether a phrase has another one in it."""
    return any(longer[at : at + len(unit)] == unit for at in range(len(longer) - len(unit) + 1))


def word_counts(system: Aligned) -> tuple[Integers, Integers]:
    """Counts of each word in the references of a system's segments, and of its matches there."""
    size = len(system.numbers)
    reference = system.reference.flat
    return np.bincount(reference, minlength=size), np.bincount(reference[system.covered()], minlength=size)


def never_matched(system: Aligned) -> list[list[Any]]:
    """Reference words that the system never matches, most frequent first: text and count."""
    counts, matched = word_counts(system)
    words = system.words()
    missing = np.flatnonzero((counts > 0) & (matched == 0))
    missed = sorted((-int(counts[number]), words[number]) for number in missing.tolist())
    return [[entry_text((word,)), -count] for count, word in missed[:LIST_LENGTH]]


def never_exact(system: Aligned) -> list[list[Any]]:
    """Reference words and phrases that a system matches, but never exactly, most frequent first.

    A phrase counts as exact if its words are adjacent in one chunk of the reference and of the hypothesis, whatever
    stage matched them.

    Returns:
        The word or phrase, its count for each stage, and the words that the system has instead.
    """
    known = system.words()
    stages: dict[Unit, Counter[int]] = defaultdict(Counter)
    renderings: dict[Unit, Counter[Unit]] = defaultdict(Counter)
    for unit, said, stage in _inexact(system, _exact_words(system)):
        stages[unit][stage] += 1
        renderings[unit][said] += 1

    def words_of(unit: Unit) -> Words:
        return tuple([known[number] for number in unit])

    ranked = sorted(stages, key=lambda unit: (-stages[unit].total(), words_of(unit)))
    kept: list[Unit] = []
    chunks = _Chunks.of(system)
    for at in range(0, len(ranked), CANDIDATES):
        some = ranked[at : at + CANDIDATES]
        exact = chunks.exact(some)
        kept += [unit for unit in some if unit not in exact]
        if len(kept) >= LIST_LENGTH:
            break
    return [
        [
            entry_text(words_of(unit)),
            sorted(stages[unit].items()),
            [[entry_text(words), count] for words, count in _frequent(renderings[unit], words_of)],
        ]
        for unit in kept[:LIST_LENGTH]
    ]


def _exact_words(system: Aligned) -> NDArray[np.bool_]:
    """Whether each word is on both sides of a match of two words."""
    reference, hypothesis, lengths = _sides(system)
    alone = (lengths == 1).all(axis=1)
    words = system.reference.flat[reference[alone]]
    found = np.zeros(len(system.numbers), bool)
    found[words[words == system.hypothesis.flat[hypothesis[alone]]]] = True
    return found


def _sides(system: Aligned) -> tuple[Integers, Integers, Integers]:
    """Start of each match among the words of all references and of all hypotheses, and its two lengths."""
    flat, rows = system.matches.flat, system.matches.rows
    sides = system.reference, system.hypothesis
    reference, hypothesis = (side.starts[:-1][rows] + flat[:, 2 * at] for at, side in enumerate(sides))
    return reference, hypothesis, flat[:, [1, 3]]


def _inexact(system: Aligned, exact: NDArray[np.bool_]) -> Iterable[tuple[Unit, Unit, int]]:
    """Matches of different words, except those of single reference words with the flag `exact`: sides, and stage."""
    first, second, lengths = _sides(system)
    reference, hypothesis = system.reference.flat, system.hypothesis.flat
    different = (lengths > 1).any(axis=1) | (reference[first] != hypothesis[second])
    chosen = np.flatnonzero(different & ((lengths[:, 0] > 1) | ~exact[reference[first]]))
    columns = (first, lengths[:, 0], second, lengths[:, 1], system.matches.flat[:, 4])
    for start, length, other, other_length, stage in zip(*(each[chosen].tolist() for each in columns), strict=True):
        unit = tuple(reference[start : start + length].tolist())
        numbers = tuple(hypothesis[other : other + other_length].tolist())
        if unit != numbers:
            yield unit, numbers, stage


@frozen(eq=False)
class _Chunks:
    """Words of the chunks of a system.

    Attributes:
        sides: the words of all chunks, in the reference and in the hypothesis.
        places: for each side, the indices of all words, sorted by word.
        sorted: for each side, the words in this order.
    """

    sides: tuple[Ragged, Ragged]
    places: tuple[Integers, Integers]
    sorted: tuple[Integers, Integers]

    @classmethod
    def of(cls, system: Aligned) -> _Chunks:
        chunks = system.chunks()
        sides = (
            _pieces(system.reference, chunks, 0),
            _pieces(system.hypothesis, chunks, 2),
        )
        places = np.argsort(sides[0].flat), np.argsort(sides[1].flat)
        return cls(sides, places, (sides[0].flat[places[0]], sides[1].flat[places[1]]))

    def exact(self, units: Sequence[Unit]) -> set[Unit]:
        """The words and phrases among `units` that are on both sides of a chunk."""
        return {unit for unit in units if len(np.intersect1d(self._holding(0, unit), self._holding(1, unit)))}

    def _holding(self, side: int, unit: Unit) -> Integers:
        """The chunks that hold a unit on a side."""
        texts = self.sides[side]
        ends = np.array([unit[0], unit[0] + 1], texts.flat.dtype)  # with another type, all words would be converted
        first, end = np.searchsorted(self.sorted[side], ends)
        places = self.places[side][first:end]
        places = places[places + len(unit) <= len(texts.flat)]
        for offset, word in enumerate(unit[1:], 1):
            places = places[texts.flat[places + offset] == word]
        chunks: Integers = np.searchsorted(texts.starts, places, side="right") - 1
        held: Integers = chunks[places + len(unit) <= texts.starts[chunks + 1]]
        return held


def _pieces(texts: Ragged, chunks: Ragged, column: int) -> Ragged:
    starts, lengths = chunks.flat[:, column], chunks.flat[:, column + 1]
    first = texts.starts[:-1][chunks.rows] + starts
    offsets = np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    return Ragged.of_lengths(texts.flat[np.arange(len(offsets)) + offsets], lengths)


def _frequent(counts: Counter[Unit], words_of: Callable[[Unit], Words]) -> list[tuple[Words, int]]:
    found = [(words_of(unit), count) for unit, count in counts.items()]
    return sorted(found, key=lambda item: (-item[1], item[0]))[:RENDERINGS_SHOWN]


def entry_text(words: Words) -> str:
    """A word or phrase as a list shows it."""
    text = visible(" ".join(words))
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1]}…"
