"""Words and phrases that only one of two systems matches, with what these matches are worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from attrs import frozen

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Integers, References, Words, ahead
from meteorlib.analysis.contrast.word_weights import LIST_LENGTH, WordWeights, Worth, shortlist
from meteorlib.analysis.significance.resampling import discoveries, sign_test

LONGEST_PHRASE = 4
"""Words of the longest phrases."""

FEW_SEGMENTS = 2000
"""With more segments, phrases that occur in the references of one segment only are ignored: they are too many."""

MANY_UNITS = 5000
"""With more words and phrases, those with a difference of one match are left out: they come last in both orders."""

LEAST_TESTED = 6
"""Fewest segments in which a sign test can be significant."""

MOST_NAMED = 3
"""Significant words of a side that are listed, whatever else is: the sentence about words names them."""

_Matched = tuple[Sequence[Flags], Integers]
"""Matched units of a system, see `_masks`, and the index of the reference of each segment; see `References.used`."""

_FIRST, _SECOND = [0, 1, 2, 3, 4, 5, 6], [0, 1, 3, 2, 5, 4, 6]
"""Columns of `_wins` as a side sees them."""


class OneSided(NamedTuple):
    """A word or phrase that one of two systems matches more often than the other."""

    words: Words  # its words
    matches: int  # number of its matches by this system where the other has none
    others: int  # the same of the other system
    worth: float  # what the difference adds to the corpus score, chunks unchanged
    kind: int  # see `WordWeights.kinds`
    segments: int  # number of segments where this system matches it more often
    other_segments: int  # the same of the other system
    significant: int  # 1 if a sign test of these segments is, at a false discovery rate of 5 %


class OneSidedPair(NamedTuple):
    """Words, and phrases of two to four words, that the first and that the second of two systems match more often."""

    words: list[list[OneSided]]
    phrases: list[list[OneSided]]


def one_sided_matches(systems: Sequence[Aligned], references: References) -> list[OneSidedPair]:
    """For each pair of systems, the words and phrases that only one of them matches, most valuable first.

    A phrase of two to four words is matched if all of it is in one chunk. If two systems were scored against different
    references, only words and phrases of both references are compared. The pairs are in the order of `combinations`.
    """
    if len(systems) < 2:
        return []
    words = systems[0].words()
    lengths = _units(references, len(words))
    matched = [(_masks(system, used, references), used) for system, used in zip(systems, references.used, strict=True)]
    wins = []
    for first, second in combinations(range(len(systems)), 2):
        singles, *phrases = (_wins(units, references, matched[first], matched[second]) for units in lengths)
        found = np.concatenate(phrases)
        more = found[:, 2] - found[:, 3]
        wins.append([singles, found[_kept(more) | _kept(-more)]])  # of which there are few
    del lengths, matched
    flat, listed = references.texts.flat, np.zeros(len(words), bool)
    for won in chain.from_iterable(wins):
        listed[_unit_words(won, flat)[0].ravel()] = True
    weights, worths = WordWeights.of(systems[0], listed.nonzero()[0]), [Worth.of(system) for system in systems]
    entries = _Entries(flat, words, _ranks(words, listed), weights)
    for kinds in wins:
        kinds[0] = np.column_stack([kinds[0], _significant(kinds[0], weights.kinds(*_unit_words(kinds[0], flat)))])
        kinds[1] = np.pad(kinds[1], ((0, 0), (0, 1)))
    return [
        OneSidedPair(
            *(
                [
                    entries.of(_won(won[:, columns]), worths[side])
                    for side, columns in zip(sides, (_FIRST, _SECOND), strict=True)
                ]
                for won in kinds
            )
        )
        for sides, kinds in zip(combinations(range(len(systems)), 2), wins, strict=True)
    ]


@frozen(eq=False)
class _Units:
    """All words, or all phrases of a length, of the references.

    ``numbers`` has the unit at each word of `References.texts`, -1 for none; ``places`` has a place of each unit.
    """

    length: int
    numbers: Integers
    places: Integers


def _units(references: References, words: int) -> list[_Units]:
    """The units of each length up to `LONGEST_PHRASE`; `words` is the number of different words."""
    texts = references.texts
    size = len(texts.flat)
    segments = references.segments.astype(np.int32)[texts.rows]
    left = texts.starts[1:].astype(np.int32).repeat(texts.lengths) - np.arange(size, dtype=np.int32)
    numbers, places = texts.flat, np.zeros(words, np.int64)
    places[numbers] = np.arange(len(numbers))
    units = [_Units(1, numbers, places)]
    for length in range(2, LONGEST_PHRASE + 1):
        at = (left >= length).nonzero()[0].astype(np.int32)
        keys = numbers[at].astype(np.int64) * words + texts.flat[at + length - 1]
        different, inverse = np.unique(keys, return_inverse=True)
        del keys
        inverse = inverse.astype(np.int32)
        places = np.zeros(len(different), np.int64)
        places[inverse] = at
        numbers = np.full(size, -1, np.int32)
        numbers[at] = inverse
        kept = numbers.copy()
        if len(references.firsts) > FEW_SEGMENTS:
            kept[at] = np.where(_repeated(inverse, segments[at])[inverse], inverse, -1)
        units.append(_Units(length, kept, places))
    return units


def _repeated(units: Integers, segments: Integers) -> Flags:
    """Whether each unit occurs in more than one segment; the segments are in order."""
    first, last = np.zeros((2, int(units.max(initial=-1)) + 1), segments.dtype)
    first[units[::-1]], last[units] = segments[::-1], segments  # of a unit's segments, the last one assigned stays
    repeated: Flags = first != last
    return repeated


def _masks(system: Aligned, used: Integers, references: References) -> list[Flags]:
    """For each length, whether a matched unit begins at each word of `References.texts`."""
    chunks, texts = system.chunks, references.texts
    rows, starts, lengths = used[chunks.rows], chunks.flat[:, 0], chunks.flat[:, 1]
    joined = texts.spans(rows, starts, lengths - 1)
    masks = [texts.spans(rows, starts, lengths), joined]
    while len(masks) < LONGEST_PHRASE:
        masks.append(masks[-1] & ahead(joined, len(masks) - 1))
    return masks


def _wins(units: _Units, references: References, first: _Matched, second: _Matched) -> Integers:
    """Units that one system matches more often in some segment than the other.

    A row for each: a place where it stands, its length, how often only the first, and only the second, of the two
    systems matches it, and in how many segments either does so more often.
    """
    (ours, our_rows), (theirs, their_rows) = first, second
    texts, mask, other = references.texts, ours[units.length - 1], theirs[units.length - 1]
    at = ((mask != other) & (units.numbers >= 0)).nonzero()[0]
    count = len(references.firsts)
    segments = references.segments[texts.starts.searchsorted(at, side="right") - 1]
    keys = units.numbers[at].astype(np.int64) * count + segments
    signs = np.where(mask[at], 1, -1)
    different = (our_rows != their_rows).nonzero()[0]
    if len(different):

        def keys_of(rows: Integers) -> Integers:
            numbers = units.numbers[texts.places(rows[different])]
            keys = numbers.astype(np.int64) * count + different.repeat(texts.lengths[rows[different]])
            kept: Integers = keys[numbers >= 0]
            return kept

        shared = np.intersect1d(keys_of(our_rows), keys_of(their_rows))  # units of the references of both systems
        kept = (our_rows == their_rows)[segments] | np.isin(keys, shared)
        keys, signs = keys[kept], signs[kept]
    cells, inverse = np.unique(keys, return_inverse=True)
    more = np.bincount(inverse, weights=signs, minlength=len(cells)).astype(np.int64)
    numbers, inverse = np.unique(cells // count, return_inverse=True)
    sides = [
        np.bincount(inverse, weights=counted, minlength=len(numbers)).astype(np.int64)
        for counted in (np.maximum(more, 0), np.maximum(-more, 0), more > 0, more < 0)
    ]
    return np.column_stack([units.places[numbers], np.full(len(numbers), units.length), *sides]).astype(np.int32)


def _won(wins: Integers) -> Integers:
    """The rows of words or phrases that one side wins."""
    return wins[_kept(wins[:, 2] - wins[:, 3])]


def _kept(more: Integers) -> Flags:
    """Whether each unit is listed, given how many more of its matches one side has."""
    kept: Flags = more > 0
    return kept & (more > 1) if kept.sum() > MANY_UNITS else kept


def _significant(wins: Integers, kinds: Integers) -> Flags:
    """Whether each word is won in significantly more segments; marks and function words are not tested."""
    segments, found = wins[:, 4:6], np.zeros(len(wins), bool)
    tested = np.flatnonzero((segments.sum(axis=1) >= LEAST_TESTED) & (kinds == 0))
    counts, inverse = np.unique(segments[tested], axis=0, return_inverse=True)
    found[tested] = discoveries(np.array([sign_test(*each) for each in counts.tolist()])[inverse.ravel()].tolist())
    return found


def _unit_words(units: Integers, flat: Integers) -> tuple[Integers, Flags]:
    """Numbers of the words of each unit, in as many columns as the longest may have, and whether there is one."""
    offsets = np.arange(LONGEST_PHRASE)
    present = offsets < units[:, 1:2]
    return flat[np.where(present, units[:, :1] + offsets, units[:, :1])], present


def _ranks(words: Sequence[str], chosen: Flags) -> Integers:
    """Place of each chosen word in alphabetical order."""
    ranks = np.zeros(len(words), np.int64)
    ranks[sorted(chosen.nonzero()[0].tolist(), key=words.__getitem__)] = np.arange(chosen.sum())
    return ranks


@frozen(eq=False)
class _Entries:
    """The words of the references, by which entries are made: all words by number, known ones, ranks, weights."""

    flat: Integers
    known: Sequence[str]
    ranks: Integers
    weights: WordWeights

    def of(self, units: Integers, worth: Worth) -> list[OneSided]:
        """The entries that one side wins, most valuable first.

        Both orders, by value and by one-sidedness, have `LIST_LENGTH` entries here, whatever kinds are hidden.
        One-sidedness is the number of standard errors between the counts and those of a fair coin. A phrase that is
        part of a listed phrase with the same counts is left out.
        """
        lengths, matches, others, *tested = units.T[1:]
        numbers, present = _unit_words(units, self.flat)
        values = (matches - others) * worth.values(numbers, present, self.weights)
        kinds = self.weights.kinds(numbers, present)
        alphabetical = [*np.where(present, self.ranks[numbers], -1).T[::-1], -lengths]
        orders = [np.lexsort((*alphabetical, key)) for key in (-values, (others - matches) / np.sqrt(matches + others))]
        chosen = np.zeros(len(units), bool)
        chosen[orders[0][tested[-1][orders[0]] > 0][:MOST_NAMED]] = True
        for order in orders:
            for first in shortlist(order, kinds, 4 * LIST_LENGTH):
                chosen[_listed(first, units[first].tolist(), numbers[first].tolist())] = True
        ranked = orders[0][chosen[orders[0]]]
        columns = (numbers, lengths, matches, others, values, kinds, *tested)
        return [
            OneSided(tuple([self.known[number] for number in row[:length]]), *rest)
            for row, length, *rest in zip(*(column[ranked].tolist() for column in columns), strict=True)
        ]


def _listed(places: Integers, units: Sequence[Sequence[int]], numbers: Sequence[Sequence[int]]) -> list[int]:
    """The first `LIST_LENGTH` places, without units that are part of an earlier one with the same counts."""
    listed: list[int] = []
    earlier: dict[tuple[int, int], str] = {}  # units as text, the numbers of their words between spaces
    for place, (_, length, matches, others, *_), row in zip(places.tolist(), units, numbers, strict=True):
        unit = f" {' '.join(map(str, row[:length]))} "
        known = earlier.get((matches, others), "")
        if unit not in known:
            earlier[matches, others] = f"{known};{unit}"
            listed.append(place)
            if len(listed) == LIST_LENGTH:
                break
    return listed
