"""Words and phrases of the references that a system misses, or never matches exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple, TypeVar

import numpy as np
from attrs import frozen

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Integers, Ragged, Words
from meteorlib.analysis.contrast.word_weights import LIST_LENGTH, WordWeights, Worth, shortlist
from meteorlib.arrays import Numbers

RENDERINGS_SHOWN = 3
"""Most renderings of a word."""

CANDIDATES = 400
"""Number of most frequent candidates that are looked up at a time."""

Unit = tuple[int, ...]
"""A word or phrase, by the numbers of its words."""


class Missed(NamedTuple):
    """A word that is never matched."""

    word: str  # the word
    times: int  # how often it occurs
    cost: float  # what as many matches would add to the corpus score, chunks unchanged
    kind: int  # see `WordWeights.kinds`


class Inexact(NamedTuple):
    """A word or phrase that is matched, but never exactly."""

    words: Words  # its words
    stages: list[tuple[int, int]]  # each stage that matches it, and how often
    renderings: list[tuple[Words, int]]  # what the system has instead most often, and how often
    cost: float  # what as many exact matches would add to the corpus score, chunks unchanged
    kind: int  # see `WordWeights.kinds`


_Entry = TypeVar("_Entry", Missed, Inexact)


def word_counts(system: Aligned) -> tuple[Integers, Integers]:
    """Counts of each word in the references of a system's segments, and of its matches there."""
    size = len(system.numbers)
    reference = system.reference.flat
    return np.bincount(reference, minlength=size), np.bincount(reference[system.covered()], minlength=size)


def never_matched(system: Aligned) -> list[Missed]:
    """Reference words that the system never matches, most expensive first; rare ones are left out."""
    counts, matched = word_counts(system)
    words = system.words()
    missing = ((counts > 0) & (matched == 0)).nonzero()[0]
    numbers = missing.tolist()
    missed = sorted(zip((-counts[missing]).tolist(), [words[number] for number in numbers], numbers, strict=True))
    frequent = missed[:CANDIDATES]
    values, kinds = _worth(system, [(number,) for *_, number in frequent])
    found = [
        Missed(word, -count, -count * value, kind)
        for (count, word, _), value, kind in zip(frequent, values.tolist(), kinds.tolist(), strict=True)
    ]
    return _most_expensive(found)


def _worth(system: Aligned, units: Sequence[Unit]) -> tuple[Numbers, Integers]:
    """Value of a match of each word or phrase, and its kind."""
    lengths = np.array([len(unit) for unit in units], np.int64)
    present = np.arange(lengths.max(initial=1)) < lengths[:, None]
    words = np.zeros(present.shape, np.int64)
    words[present] = [number for unit in units for number in unit]
    weights = WordWeights.of(system, np.unique(words[present]))
    return Worth.of(system).values(words, present, weights), weights.kinds(words, present)


def _most_expensive(found: Sequence[_Entry]) -> list[_Entry]:
    """The entries of a list, whatever kinds are hidden, most expensive first; equal ones keep their order."""
    order = np.argsort([-entry.cost for entry in found], kind="stable")
    chosen = {place for places in shortlist(order, np.array([entry.kind for entry in found], int)) for place in places}
    return [found[place] for place in order if place in chosen]


def never_exact(system: Aligned) -> list[Inexact]:
    """Reference words and phrases that a system matches, but never exactly, most expensive first.

    A phrase counts as exact if its words are adjacent in one chunk of the reference and of the hypothesis, whatever
    stage matched them.
    """
    known = system.words()

    def named(unit: Unit) -> Words:
        return tuple([known[number] for number in unit])

    matches = Counter(_inexact(system, _exact_words(system)))
    totals = Counter[bytes]()
    for (packed, *_), times in matches.items():
        totals[packed] += times
    units = {packed: _unpacked(packed) for packed in totals}
    ranked = [
        unit for *_, unit in sorted([(-times, named(units[packed]), units[packed]) for packed, times in totals.items()])
    ]
    kept: list[Unit] = []
    chunks = _Chunks.of(system)
    for at in range(0, len(ranked), CANDIDATES):
        kept += chunks.without(ranked[at : at + CANDIDATES])
        if len(kept) >= LIST_LENGTH:
            break
    stages: dict[Unit, Counter[int]] = {unit: Counter() for unit in kept}
    renderings: dict[Unit, Counter[Unit]] = {unit: Counter() for unit in kept}
    for (packed, said, stage), times in matches.items():
        if (unit := units[packed]) in stages:
            stages[unit][stage] += times
            renderings[unit][_unpacked(said)] += times
    values, kinds = _worth(system, kept)
    lost = [1 - weight for weight in system.corpus.parameters.weights]
    found = [
        Inexact(
            named(unit),
            sorted(stages[unit].items()),
            [
                (words, -count)
                for count, words in sorted([(-count, named(said)) for said, count in renderings[unit].items()])
            ][:RENDERINGS_SHOWN],
            value * fsum(lost[stage] * times for stage, times in sorted(stages[unit].items())),
            kind,
        )
        for unit, value, kind in zip(kept, values.tolist(), kinds.tolist(), strict=True)
    ]
    return _most_expensive(found)


def _exact_words(system: Aligned) -> Flags:
    """Whether each word is on both sides of a match of two words."""
    reference, hypothesis, lengths = _sides(system)
    alone = (lengths == 1).all(axis=1)
    words = system.reference.flat[reference[alone]]
    exact = np.zeros(len(system.numbers), bool)
    exact[words[words == system.hypothesis.flat[hypothesis[alone]]]] = True
    return exact


def _sides(system: Aligned) -> tuple[Integers, Integers, Integers]:
    """Start of each match among the words of all references and of all hypotheses, and its two lengths."""
    flat, rows = system.matches.flat, system.matches.rows
    sides = system.reference, system.hypothesis
    reference, hypothesis = (side.starts[:-1][rows] + flat[:, 2 * at] for at, side in enumerate(sides))
    return reference, hypothesis, flat[:, [1, 3]]


def _unpacked(unit: bytes) -> Unit:
    return tuple(np.frombuffer(unit, np.int32).tolist())


def _inexact(system: Aligned, exact: Flags) -> Iterator[tuple[bytes, bytes, int]]:
    """Matches of different words, except those of single reference words with the flag `exact`: sides, and stage.

    Sides are numbers of words as bytes, which are quicker to compare and to count.
    """
    first, second, lengths = _sides(system)
    reference, hypothesis = system.reference.flat, system.hypothesis.flat
    different = (lengths > 1).any(axis=1) | (reference[first] != hypothesis[second])
    chosen = np.flatnonzero(different & ((lengths[:, 0] > 1) | ~exact[reference[first]]))
    ends = first + lengths[:, 0], second + lengths[:, 1]
    ours, theirs = (side.astype(np.int32, copy=False).data for side in (reference, hypothesis))
    columns = (column[chosen].tolist() for column in (first, ends[0], second, ends[1], system.matches.flat[:, 4]))
    for start, end, other, other_end, stage in zip(*columns, strict=True):
        unit, said = ours[start:end].tobytes(), theirs[other:other_end].tobytes()
        if unit != said:
            yield unit, said, stage


@frozen(eq=False)
class _Chunks:
    """Words of the chunks of a system in reference and hypothesis."""

    sides: tuple[Ragged, Ragged]
    size: int  # number of different words

    @classmethod
    def of(cls, system: Aligned) -> _Chunks:
        chunks = system.chunks
        sides = _pieces(system.reference, chunks, 0), _pieces(system.hypothesis, chunks, 2)
        return cls(sides, len(system.numbers))

    def without(self, units: list[Unit]) -> list[Unit]:
        """The words and phrases that are not on both sides of a chunk."""
        begins = np.zeros(self.size, bool)
        begins[[unit[0] for unit in units]] = True
        ours, theirs = (self._places(side, begins) for side in self.sides)
        sides = [(unit, self._holding(0, ours, unit), self._holding(1, theirs, unit)) for unit in units]
        return [unit for unit, first, second in sides if set(first).isdisjoint(second)]

    @staticmethod
    def _places(texts: Ragged, chosen: Flags) -> tuple[Integers, Integers]:
        """Indices of chosen words, sorted by word, and these words."""
        places = chosen[texts.flat].nonzero()[0]
        words = texts.flat[places]
        order = words.argsort(kind="stable")
        return places[order], words[order]

    def _holding(self, side: int, found: tuple[Integers, Integers], unit: Unit) -> list[int]:
        """The chunks of a side with a word or phrase; `found` has the places of its first word, see `_places`."""
        texts, (places, words) = self.sides[side], found
        ends = np.array([unit[0], unit[0] + 1], words.dtype)  # with another type, all words would be converted
        first, end = words.searchsorted(ends)
        places = places[first:end]
        places = places[places + len(unit) <= len(texts.flat)]
        for offset, word in enumerate(unit[1:], 1):
            places = places[texts.flat[places + offset] == word]
        chunks = texts.starts.searchsorted(places, side="right") - 1
        held: list[int] = chunks[places + len(unit) <= texts.starts[chunks + 1]].tolist()
        return held


def _pieces(texts: Ragged, chunks: Ragged, column: int) -> Ragged:
    starts, lengths = chunks.flat[:, column], chunks.flat[:, column + 1]
    first = texts.starts[:-1][chunks.rows] + starts
    offsets = (first - (lengths.cumsum() - lengths)).repeat(lengths)
    return Ragged.of_lengths(texts.flat[np.arange(len(offsets)) + offsets], lengths)
