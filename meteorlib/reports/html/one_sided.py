"""Words and phrases that only one of two systems matches, with what these matches are worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from heapq import nsmallest
from itertools import chain, combinations
from math import sqrt
from typing import Any

from meteorlib.core.alignment import Alignment
from meteorlib.core.chunking import Chunking
from meteorlib.corpus.corpus import Corpus
from meteorlib.reports.html.segments import Words, alignment_of
from meteorlib.reports.html.words import LIST_LENGTH, entry_text, is_part
from meteorlib.reports.html.worth import Kind, WordWeights, Worth

LONGEST_PHRASE = 4
"""Words of the longest phrases."""

FEW_SEGMENTS = 2000
"""With more segments, phrases that occur in the references of one segment only are ignored, to save memory."""

MANY_UNITS = 5000
"""With more words and phrases, those with a difference of one match are left out: they come last in both orders."""

Masks = tuple[int, ...]
"""For each length from 1 to `LONGEST_PHRASE`: bits of the reference positions where a matched phrase begins."""

Wins = dict[Words, list[int]]
"""Word or phrase → how often only the first, and only the second, of two systems matches it."""


def one_sided_matches(corpora: Sequence[Corpus], references: Sequence[Sequence[Words]]) -> list[dict[str, Any]]:
    """For each pair of systems, the words and phrases that only one of them matches.

    A phrase of two to four words is matched if all of it is in one chunk. If two systems were scored against different
    references, only words and phrases of both references are compared.

    Args:
        corpora: the corpus of each system.
        references: for each segment, the references that counted for any system.

    Returns:
        In the order of `itertools.combinations`: ``words`` and ``phrases``, each with the entries of the first and of
        the second system, see `_entries`.
    """
    if len(corpora) < 2:
        return []
    wanted = None if len(references) <= FEW_SEGMENTS else _repeated(references)
    pairs = list(combinations(range(len(corpora)), 2))
    wins: list[tuple[Wins, Wins]] = [(defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])) for _ in pairs]
    for same in zip(*(corpus.segments for corpus in corpora), strict=True):
        alignments = [alignment_of(scored) for scored in same]
        masks = [_masks(alignment) for alignment in alignments]
        for (one, other), won in zip(pairs, wins, strict=True):
            if alignments[one].reference == alignments[other].reference:
                if masks[one] != masks[other]:
                    _add(_differing(alignments[one].reference, masks[one], masks[other], wanted), won)
            else:
                _add(_differing_shared(alignments[one], alignments[other], wanted), won)
    weights = WordWeights.of(corpora[0])
    worths = [Worth.of(corpus, weights) for corpus in corpora]
    return [
        {
            name: [_entries(found, side, worths[pair[side]], weights) for side in (0, 1)]
            for name, found in zip(("words", "phrases"), won, strict=True)
        }
        for pair, won in zip(pairs, wins, strict=True)
    ]


def _masks(alignment: Alignment) -> Masks:
    matched = joined = 0
    for start, length, *_ in Chunking.of(alignment.matches).chunks:
        matched |= ((1 << length) - 1) << start
        joined |= ((1 << (length - 1)) - 1) << start
    masks = [matched, joined]
    while len(masks) < LONGEST_PHRASE:
        masks.append(masks[-1] & (masks[1] >> (len(masks) - 1)))
    return tuple(masks)


def _differing(reference: Words, ours: Masks, theirs: Masks, wanted: Set[int] | None) -> dict[Words, int]:
    """Units that one of two systems matches more often in a segment, and how much more the first does."""
    found: dict[Words, int] = {}
    for length, (mine, its) in enumerate(zip(ours, theirs, strict=True), 1):
        different = mine ^ its
        while different:
            bit = different & -different
            different ^= bit
            start = bit.bit_length() - 1
            unit = reference[start : start + length]
            if length == 1 or wanted is None or hash(unit) in wanted:
                found[unit] = found.get(unit, 0) + (1 if mine & bit else -1)
    return found


def _differing_shared(one: Alignment, other: Alignment, wanted: Set[int] | None) -> dict[Words, int]:
    """`_differing` for two references: only units of both are compared."""
    counts = [Counter(_units(each.reference, _masks(each))) for each in (one, other)]
    present = [set(_units(each.reference, _everywhere(len(each.reference)))) for each in (one, other)]
    return {
        unit: counts[0][unit] - counts[1][unit]
        for unit in present[0] & present[1]
        if len(unit) == 1 or wanted is None or hash(unit) in wanted
    }


def _everywhere(size: int) -> Masks:
    return tuple((1 << max(0, size - length + 1)) - 1 for length in range(1, LONGEST_PHRASE + 1))


def _units(words: Words, masks: Masks) -> Iterator[Words]:
    for length, mask in enumerate(masks, 1):
        yield from (words[at : at + length] for at in range(mask.bit_length()) if mask >> at & 1)


def _add(differing: Mapping[Words, int], won: tuple[Wins, Wins]) -> None:
    for unit, more in differing.items():
        if more:
            won[len(unit) > 1][unit][more < 0] += abs(more)


def _repeated(references: Sequence[Sequence[Words]]) -> set[int]:
    """Hashes of phrases that occur in the references of more than one segment."""
    once: set[int] = set()
    more: set[int] = set()
    for each in references:
        here = {
            hash(phrase)
            for words in each
            for phrase in chain.from_iterable(
                zip(*(words[start:] for start in range(length)), strict=False)
                for length in range(2, LONGEST_PHRASE + 1)
            )
        }
        more |= once & here
        once |= here
    return more


def _entries(won: Wins, side: int, worth: Worth, weights: WordWeights) -> list[list[Any]]:
    """The entries that one side wins, most valuable first.

    Both orders of the page, by value and by one-sidedness, have `LIST_LENGTH` entries here, whatever kinds are hidden.
    One-sidedness is the number of standard errors between the counts and those of a fair coin. A phrase that is part of
    a listed phrase with the same counts is left out.

    Returns:
        Text, count of this side, count of the other, value of the difference between them, 1 for punctuation plus 2 for
        function words (see `Kind`).
    """
    units = [(unit, counts[side], counts[1 - side]) for unit, counts in won.items() if counts[side] > counts[1 - side]]
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
