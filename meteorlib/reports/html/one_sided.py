"""Words and phrases that only one of two systems matches, with what these matches are worth."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.reports.html.aligned import Aligned, Words, spans
from meteorlib.reports.html.ragged import Integers, Ragged, ahead
from meteorlib.reports.html.segments import References
from meteorlib.reports.html.words import LIST_LENGTH, entry_text, is_part
from meteorlib.reports.html.worth import Kind, WordWeights, Worth

LONGEST_PHRASE = 4
"""Words of the longest phrases."""

FEW_SEGMENTS = 2000
"""With more segments, phrases that occur in the references of one segment only are ignored: they are too many."""

MANY_UNITS = 5000
"""With more words and phrases, those with a difference of one match are left out: they come last in both orders."""

Wins = Sequence[tuple[Words, int, int]]
"""Words or phrases, and how often only the first, and only the second, of two systems matches each."""


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
        wins = [pair.wins(units, references, known) for units in lengths]
        sides = ((worths[first], 0), (worths[second], 1))
        found.append(
            {
                name: [_entries(won, side, worth, weights) for worth, side in sides]
                for name, won in (("words", wins[0]), ("phrases", [unit for each in wins[1:] for unit in each]))
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
        numbers = np.full(len(texts.flat), -1, np.int64)
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

    def wins(self, units: _Units, references: References, known: Sequence[str]) -> Wins:
        """Units that one system matches more often in some segment than the other."""
        ours, theirs = self.ours[units.length - 1], self.theirs[units.length - 1]
        texts = references.texts
        at = np.flatnonzero((ours != theirs) & (units.numbers >= 0))
        count = len(references.firsts)
        segments = references.segments[np.searchsorted(texts.starts, at, side="right") - 1]
        keys = units.numbers[at] * count + segments
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
        kept = sides[0] != sides[1]
        return [
            (tuple(known[word] for word in texts.flat[place : place + units.length].tolist()), one, other)
            for place, one, other in zip(
                units.places[numbers[kept]].tolist(), *(side[kept].tolist() for side in sides), strict=True
            )
        ]

    def _shared(self, units: _Units, texts: Ragged, segments: Integers, count: int) -> Integers:
        """Units, each with the index of its segment, that stand in the references of both systems."""
        found = []
        for rows in (self.our_rows, self.their_rows):
            numbers = units.numbers[texts.places(rows[segments])]
            found.append((numbers * count + np.repeat(segments, texts.lengths[rows[segments]]))[numbers >= 0])
        shared: Integers = np.intersect1d(*found)
        return shared


def _entries(won: Wins, side: int, worth: Worth, weights: WordWeights) -> list[list[Any]]:
    """The entries that one side wins, most valuable first.

    Both orders of the page, by value and by one-sidedness, have `LIST_LENGTH` entries here, whatever kinds are hidden.
    One-sidedness is the number of standard errors between the counts and those of a fair coin. A phrase that is part of
    a listed phrase with the same counts is left out.

    Returns:
        Text, count of this side, count of the other, value of the difference between them, 1 for punctuation plus 2 for
        function words (see `Kind`).
    """
    units = [(unit, counts[side], counts[1 - side]) for unit, *counts in won if counts[side] > counts[1 - side]]
    if len(units) > MANY_UNITS:
        units = [item for item in units if item[1] - item[2] > 1]
    kinds = {unit: weights.kind(unit) for unit, *_ in units}
    values = {unit: (one - other) * worth(unit) for unit, one, other in units}
    orders = (
        lambda item: (-values[item[0]], -len(item[0]), item[0]),
        lambda item: ((item[2] - item[1]) / sqrt(item[1] + item[2]), -len(item[0]), item[0]),
    )
    chosen: dict[Words, tuple[int, int]] = {}
    for hidden in (0, 1, 2, 3):
        left = [item for item in units if not _code(kinds[item[0]]) & hidden]
        for order in orders:
            chosen.update(_listed(nsmallest(4 * LIST_LENGTH, left, key=order)))
    ranked = sorted(chosen, key=lambda unit: (-values[unit], -len(unit), unit))
    return [[entry_text(unit), *chosen[unit], round(values[unit], 7), _code(kinds[unit])] for unit in ranked]


def _listed(ranked: Sequence[tuple[Words, int, int]]) -> dict[Words, tuple[int, int]]:
    entries: dict[Words, tuple[int, int]] = {}
    for unit, one, other in ranked:
        if len(entries) == LIST_LENGTH:
            break
        if not any(counts == (one, other) and is_part(unit, longer) for longer, counts in entries.items()):
            entries[unit] = (one, other)
    return entries


def _code(kind: Kind) -> int:
    return kind.punctuation + 2 * kind.function
