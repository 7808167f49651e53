"""Words and phrases that only one of two systems matches, with what these matches are worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers
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
    words = systems[0].words()
    lengths = _units(references, len(words))
    masks = [_masks(one, used, references) for one, used in zip(systems, references.used, strict=True)]
    wins = []
    for first, second in combinations(range(len(systems)), 2):
        pair = _Pair(masks[first], masks[second], references.used[first], references.used[second])
        each = [pair.wins(units, references) for units in lengths]
        wins.append({"words": each[0], "phrases": np.concatenate(each[1:])})
    flat = references.texts.flat
    numbers = np.unique(np.concatenate([_unit_words(won, flat)[0].ravel() for kinds in wins for won in kinds.values()]))
    weights, worths = WordWeights.of(systems[0], numbers), [Worth.of(one) for one in systems]
    return [
        {
            name: [
                _entries(_won(won, *columns), flat, words, worths[side], weights)
                for side, columns in zip(sides, (_FIRST, _SECOND), strict=True)
            ]
            for name, won in kinds.items()
        }
        for sides, kinds in zip(combinations(range(len(systems)), 2), wins, strict=True)
    ]


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
    numbers, places = texts.flat, np.zeros(words, np.int64)
    places[numbers] = np.arange(len(numbers))
    found = [_Units(1, numbers, places)]
    for length in range(2, LONGEST_PHRASE + 1):
        at = np.flatnonzero(left >= length)
        keys = numbers[at].astype(np.int64) * words + texts.flat[at + length - 1]
        different, inverse = np.unique(keys, return_inverse=True)
        places = np.zeros(len(different), np.int64)
        places[inverse] = at
        numbers = np.full(len(texts.flat), -1, np.int32)
        numbers[at] = inverse
        kept = numbers.copy()
        if len(references.firsts) > FEW_SEGMENTS:
            kept[at] = np.where(_repeated(inverse, segments[at])[inverse], inverse, -1)
        found.append(_Units(length, kept, places))
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


def _won(wins: Integers, mine: int, its: int) -> Integers:
    """Words or phrases that one side wins: place, length, its count and that of the other; arguments are columns."""
    more = wins[:, mine] - wins[:, its]
    kept = more > 0
    if kept.sum() > MANY_UNITS:
        kept &= more > 1
    return wins[kept][:, [0, 1, mine, its]]


def _unit_words(units: Integers, flat: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Numbers of the words of each unit, in as many columns as the longest may have, and whether there is one."""
    offsets = np.arange(LONGEST_PHRASE)
    present = offsets < units[:, 1:2]
    return flat[np.where(present, units[:, :1] + offsets, units[:, :1])], present


def _entries(
    units: Integers, flat: Integers, known: Sequence[str], worth: Worth, weights: WordWeights
) -> list[list[Any]]:
    """The entries that one side wins, most valuable first.

    Both orders of the page, by value and by one-sidedness, have `LIST_LENGTH` entries here, whatever kinds are hidden.
    One-sidedness is the number of standard errors between the counts and those of a fair coin. A phrase that is part of
    a listed phrase with the same counts is left out.

    Returns:
        Text, count of this side, count of the other, value of the difference between them, 1 for punctuation plus 2 for
        function words (see `WordWeights.kinds`).
    """
    lengths, one, other = units[:, 1], units[:, 2], units[:, 3]
    numbers, present = _unit_words(units, flat)
    values = (one - other) * worth.values(numbers, present, weights)
    kinds = weights.kinds(numbers, present)

    @cache
    def text(at: int) -> Words:
        return tuple([known[number] for number in numbers[at, : lengths[at]].tolist()])

    keys = -values, (other - one) / np.sqrt(one + other)
    orders = [np.lexsort((-lengths, key)) for key in keys]
    chosen: set[int] = set()
    for hidden in (0, 1, 2, 3):
        for key, order in zip(keys, orders, strict=True):
            left = order[kinds[order] & hidden == 0]
            tied = _with_ties(left, 4 * LIST_LENGTH, key, lengths)
            first = sorted((key[at], -lengths[at], text(at), at) for at in tied)[: 4 * LIST_LENGTH]
            chosen.update(_listed([(at, unit, (one[at], other[at])) for _, _, unit, at in first]))
    ranked = sorted(chosen, key=lambda at: (-values[at], -lengths[at], text(at)))
    return [
        [entry_text(text(at)), int(one[at]), int(other[at]), round(float(values[at]), 7), int(kinds[at])]
        for at in ranked
    ]


def _with_ties(order: Integers, count: int, key: Numbers, lengths: Integers) -> list[int]:
    """The first `count` units of an order, and those after them whose key and length are those of the last one."""
    if len(order) <= count:
        return order.tolist()  # type: ignore[no-any-return]
    last = order[count - 1]
    tied = (key[order[count:]] == key[last]) & (lengths[order[count:]] == lengths[last])
    return order[: count + int(tied.sum())].tolist()  # type: ignore[no-any-return]


def _listed(ranked: Sequence[tuple[int, Words, tuple[int, int]]]) -> list[int]:
    entries: list[tuple[int, Words, tuple[int, int]]] = []
    for at, unit, counts in ranked:
        if len(entries) == LIST_LENGTH:
            break
        if not any(counts == others and is_part(unit, longer) for _, longer, others in entries):
            entries.append((at, unit, counts))
    return [at for at, _, _ in entries]
