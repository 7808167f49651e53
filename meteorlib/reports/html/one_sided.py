"""Words and phrases that only one of two systems matches, with what these matches are worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, islice
from math import sqrt
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.reports.html.aligned import Aligned, Words, spans
from meteorlib.reports.html.ragged import Integers, Ragged, ahead
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.words import LIST_LENGTH, entry_text, is_part
from meteorlib.reports.html.worth import WordWeights, Worth

LONGEST_PHRASE = 4
"""Words of the longest phrases."""

FEW_SEGMENTS = 2000
"""With more segments, phrases that occur in the references of one segment only are ignored: they are too many."""

MANY_UNITS = 5000
"""With more words and phrases, those with a difference of one match are left out: they come last in both orders."""


_FIRST, _SECOND = (2, 3), (3, 2)
"""Columns of `_Pair.wins`: count of the side, and of the other one."""


def one_sided_matches(systems: Sequence[Aligned], references: References) -> list[dict[str, Any]]:
    """For each pair of systems, the words and phrases that only one of them matches.

    A phrase of two to four words is matched if all of it is in one chunk. If two systems were scored against different
    references, only words and phrases of both references are compared.

    Args:
        systems: the segments of each system.
        references: for each segment, the references that counted for any system.

    Returns:
        In the order of `itertools.combinations`: ``words`` and ``phrases``, each with the entries of the first and of
        the second system, see `_entries`.
    """
    if len(systems) < 2:
        return []
    weights = WordWeights.of(systems[0].corpus)
    worths = [Worth.of(one, weights) for one in systems]
    known = systems[0].words()
    lengths = _units(references, len(known))
    masks = [_masks(one, used, references) for one, used in zip(systems, references.used, strict=True)]
    found = []
    for first, second in combinations(range(len(systems)), 2):
        pair = _Pair(masks[first], masks[second], references.used[first], references.used[second])
        wins = [pair.wins(units, references) for units in lengths]
        kinds = {"words": wins[0], "phrases": np.concatenate(wins[1:])}
        sides = ((worths[first], _FIRST), (worths[second], _SECOND))
        found.append(
            {
                name: [_entries(_won(won, *side, references, known), worth, weights) for worth, side in sides]
                for name, won in kinds.items()
            }
        )
    return found


@frozen(eq=False)
class _Units:
    """All words, or all phrases of a length, of the references.

    Attributes:
        length: number of words.
        numbers: number of the unit at each word of `References.texts`; -1 if there is none.
        places: for each unit, a place where it stands.
    """

    length: int
    numbers: Integers
    places: Integers


def _units(references: References, words: int) -> list[_Units]:
    """The units of each length up to `LONGEST_PHRASE`.

    Args:
        references: the references.
        words: number of different words of the page.
    """
    texts = references.texts
    segments = references.segments[texts.rows]
    left = np.repeat(texts.starts[1:], texts.lengths) - np.arange(len(texts.flat))
    places, numbers = np.unique(texts.flat, return_index=True, return_inverse=True)[1:]
    found = [_Units(1, numbers.copy(), places)]
    for length in range(2, LONGEST_PHRASE + 1):
        at = np.flatnonzero(left >= length)
        keys = numbers[at].astype(np.int64) * words + texts.flat[at + length - 1]
        first, inverse = np.unique(keys, return_index=True, return_inverse=True)[1:]
        numbers = np.full(len(texts.flat), -1, np.int32)
        numbers[at] = inverse
        kept = numbers.copy()
        if len(references.firsts) > FEW_SEGMENTS:
            kept[at] = np.where(_repeated(inverse, segments[at])[inverse], inverse, -1)
        found.append(_Units(length, kept, at[first]))
    return found


def _repeated(units: Integers, segments: Integers) -> NDArray[np.bool_]:
    """Whether each unit occurs in more than one segment."""
    count = int(units.max(initial=-1)) + 1
    lowest, highest = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    np.minimum.at(lowest, units, segments)
    np.maximum.at(highest, units, segments)
    repeated: NDArray[np.bool_] = lowest != highest
    return repeated


def _masks(system: Aligned, used: Integers, references: References) -> list[NDArray[np.bool_]]:
    """For each length, whether a matched unit begins at each word of `References.texts`."""
    chunks, texts = system.chunks(), references.texts
    rows, starts, lengths = used[chunks.rows], chunks.flat[:, 0], chunks.flat[:, 1]
    matched = spans(texts, rows, starts, lengths)
    joined = spans(texts, rows, starts, lengths - 1)
    masks = [matched, joined]
    while len(masks) < LONGEST_PHRASE:
        masks.append(masks[-1] & ahead(joined, len(masks) - 1))
    return masks


@frozen(eq=False)
class _Pair:
    """Matched units of two systems, and the index of the reference of each segment; see `References.used`."""

    ours: Sequence[NDArray[np.bool_]]
    theirs: Sequence[NDArray[np.bool_]]
    our_rows: Integers
    their_rows: Integers

    def wins(self, units: _Units, references: References) -> Integers:
        """Units that one system matches more often in some segment than the other.

        Returns:
            A row for each: a place where it stands, its length, and how often only the first, and only the second, of
            the two systems matches it.
        """
        ours, theirs = self.ours[units.length - 1], self.theirs[units.length - 1]
        texts = references.texts
        at = np.flatnonzero((ours != theirs) & (units.numbers >= 0))
        count = len(references.firsts)
        segments = references.segments[np.searchsorted(texts.starts, at, side="right") - 1]
        keys = units.numbers[at].astype(np.int64) * count + segments
        signs = np.where(ours[at], 1, -1)
        different = np.flatnonzero(self.our_rows != self.their_rows)
        if len(different):
            shared = self._shared(units, texts, different, count)
            kept = (self.our_rows == self.their_rows)[segments] | np.isin(keys, shared)
            keys, signs = keys[kept], signs[kept]
        cells, inverse = np.unique(keys, return_inverse=True)
        more = np.bincount(inverse, weights=signs, minlength=len(cells)).astype(np.int64)
        numbers, inverse = np.unique(cells // count, return_inverse=True)
        sides = [
            np.bincount(inverse, weights=np.maximum(sign * more, 0), minlength=len(numbers)).astype(np.int64)
            for sign in (1, -1)
        ]
        return np.column_stack([units.places[numbers], np.full(len(numbers), units.length), *sides])

    def _shared(self, units: _Units, texts: Ragged, segments: Integers, count: int) -> Integers:
        """Units, each with the index of its segment, that occur in the references of both systems."""
        found = []
        for rows in (self.our_rows, self.their_rows):
            numbers = units.numbers[texts.places(rows[segments])]
            found.append(
                (numbers.astype(np.int64) * count + np.repeat(segments, texts.lengths[rows[segments]]))[numbers >= 0]
            )
        shared: Integers = np.intersect1d(*found)
        return shared


def _won(
    wins: Integers, mine: int, its: int, references: References, known: Sequence[str]
) -> list[tuple[Words, int, int]]:
    """Words or phrases that one side wins, with its count and that of the other; `mine` and `its` are columns."""
    more = wins[:, mine] - wins[:, its]
    kept = more > 0
    if kept.sum() > MANY_UNITS:
        kept &= more > 1
    flat = references.texts.flat
    return [
        (tuple([known[word] for word in flat[place : place + length].tolist()]), one, other)
        for place, length, one, other in wins[kept][:, [0, 1, mine, its]].tolist()
    ]


def _entries(units: Sequence[tuple[Words, int, int]], worth: Worth, weights: WordWeights) -> list[list[Any]]:
    """The entries that one side wins, most valuable first.

    Both orders of the page, by value and by one-sidedness, have `LIST_LENGTH` entries here, whatever kinds are hidden.
    One-sidedness is the number of standard errors between the counts and those of a fair coin. A phrase that is part of
    a listed phrase with the same counts is left out.

    Returns:
        Text, count of this side, count of the other, value of the difference between them, 1 for punctuation plus 2 for
        function words (see `Kind`).
    """

    @cache
    def code(unit: Words) -> int:
        kind = weights.kind(unit)
        return kind.punctuation + 2 * kind.function

    values = {unit: (one - other) * worth(unit) for unit, one, other in units}
    orders = (
        lambda item: (-values[item[0]], -len(item[0]), item[0]),
        lambda item: ((item[2] - item[1]) / sqrt(item[1] + item[2]), -len(item[0]), item[0]),
    )
    chosen: dict[Words, tuple[int, int]] = {}
    sorted_units = [sorted(units, key=order) for order in orders]
    for hidden in (0, 1, 2, 3):
        for each in sorted_units:
            left = (item for item in each if not code(item[0]) & hidden)
            chosen.update(_listed([*islice(left, 4 * LIST_LENGTH)]))
    ranked = sorted(chosen, key=lambda unit: (-values[unit], -len(unit), unit))
    return [[entry_text(unit), *chosen[unit], round(values[unit], 7), code(unit)] for unit in ranked]


def _listed(ranked: Sequence[tuple[Words, int, int]]) -> dict[Words, tuple[int, int]]:
    entries: dict[Words, tuple[int, int]] = {}
    for unit, one, other in ranked:
        if len(entries) == LIST_LENGTH:
            break
        if not any(counts == (one, other) and is_part(unit, longer) for longer, counts in entries.items()):
            entries[unit] = (one, other)
    return entries
