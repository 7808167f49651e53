"""Segments of the HTML report as letters: a sixth of the size of JSON's digits, and quick to decode.

The encoding is that of source maps, base64 VLQ without the sign: five bits per letter, lowest first, plus 32 if more
letters follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from meteorlib.analysis.contrast.aligned import Aligned, Integers, Ragged, References
from meteorlib.analysis.contrast.shares import units
from meteorlib.arrays import FAULT_COLUMNS, ORDER_COLUMNS
from meteorlib.core.segment import SCALE

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

BLOCK_ROWS = 1 << 11
"""Rows that are encoded at a time: so few that their numbers stay in the processor's cache."""

SEGMENT_NUMBERS = ("precision", "recall", "f_mean", "fragmentation", "penalty")
"""Numbers of a segment besides its score, in this order."""

_LETTERS = np.frombuffer(ALPHABET.encode(), np.uint8)


def letters(numbers: Iterable[int]) -> str:
    """Encode a sequence of non-negative numbers."""
    flat = np.array([*numbers], np.int64)
    return _letter_rows(flat, np.array([0, len(flat)]))[0]


def letter_rows(numbers: Ragged) -> list[str]:
    """Each row of non-negative numbers, encoded like `letters`."""
    blocks = (numbers.starts[first : first + BLOCK_ROWS + 1] for first in range(0, len(numbers), BLOCK_ROWS))
    return [row for starts in blocks for row in _letter_rows(numbers.flat[starts[0] : starts[-1]], starts - starts[0])]


def _letter_rows(left: Integers, starts: Integers) -> list[str]:
    """The rows of a block; for the arguments see `Ragged`."""
    sizes = np.ones(len(left), np.int64)
    most, bound = left.max(initial=0), 32
    while bound <= most:
        sizes += left >= bound
        bound *= 32
    ends = sizes.cumsum()
    places, codes = ends - sizes, np.empty(ends[-1] if len(ends) else 0, np.uint8)
    for _ in range(int(sizes.max(initial=0))):
        more = left > 31
        codes[places] = _LETTERS[(left & 31) + 32 * more]
        left, places = (left >> 5)[more], places[more] + 1
    text = codes.tobytes().decode("ascii")
    bounds = np.concatenate([[0], ends])[starts].tolist()
    return [text[first:end] for first, end in pairwise(bounds)]


def by_segment(rows: Sequence[str], firsts: Integers) -> list[list[str]]:
    """For each segment, the rows of its references, given the index of the first of each; see `References.firsts`."""
    return [rows[first:end] for first, end in pairwise([*firsts.tolist(), len(rows)])]  # type: ignore[misc]


@frozen
class Vocabulary:
    """All words of the page, most frequent first, and the number of each by its number in `Aligned.numbers`."""

    words: Sequence[str]
    numbers: Integers

    @classmethod
    def of(cls, systems: Sequence[Aligned], references: References) -> Vocabulary:
        """The words of references and hypotheses; equally frequent ones are in order of appearance."""
        known = systems[0].words()
        everything = np.concatenate([references.texts.flat, *(one.hypothesis.flat for one in systems)])
        counts = np.bincount(everything, minlength=len(known))
        first = np.zeros(len(known), np.int64)
        first[everything[::-1]] = np.arange(len(everything))[::-1]  # of a word's places, the last one assigned stays
        used = counts.nonzero()[0]
        ranked = used[np.lexsort((first[used], -counts[used]))]
        numbers = np.zeros(len(known), np.int64)
        numbers[ranked] = np.arange(len(ranked))
        return cls([known[number] for number in ranked.tolist()], numbers)

    def texts(self, texts: Ragged) -> list[str]:
        """Each text as encoded numbers."""
        return letter_rows(Ragged(self.numbers[texts.flat], texts.starts))


def segment_columns(system: Aligned, used: Integers, firsts: Integers, vocabulary: Vocabulary) -> dict[str, Any]:
    """Encoded columns of the segments of a system; for `used` and `firsts` see `References`.

    Returns:
        The columns ``score`` (unencoded), ``hypothesis``, ``runs`` (see `runs`), ``chunks`` (start and length of each
        chunk, in reference and hypothesis), ``parts`` (position and grade of each match that counts in part; missing if
        there are none) and ``numbers``: index of the counting reference, its number among all, the numbers of
        `SEGMENT_NUMBERS`, whether the search was optimal, the statistics, and the share of crossing matches if it
        counts.
    """
    numbers = np.column_stack([used - firsts, system.reference_index, *_numbers(system)])
    return {
        "score": system.scores.tolist(),
        "hypothesis": vocabulary.texts(system.hypothesis),
        "runs": _rows(runs(system.matches)),
        "chunks": _rows(system.chunks),
        **({} if system.grades is None else {"parts": _rows(_parts(system.matches, system.grades))}),
        "numbers": _rows(Ragged(numbers, np.arange(len(numbers) + 1))),
    }


def _rows(rows: Ragged) -> list[str]:
    """Rows of items that are arrays of numbers, encoded."""
    return letter_rows(Ragged(rows.flat.ravel(), rows.starts * rows.flat.shape[1]))


def _parts(matches: Ragged, grades: Integers) -> Ragged:
    chosen = (grades != SCALE).nonzero()[0]
    rows = matches.rows[chosen]
    places = chosen - matches.starts[rows]
    return Ragged.of_lengths(np.column_stack([places, grades[chosen]]), np.bincount(rows, minlength=len(matches)))


def _numbers(system: Aligned) -> list[Integers]:
    counts, scored = system.arrays.counts, system.breakdowns()
    numbers = [units(getattr(scored, name)) for name in SEGMENT_NUMBERS]
    if not system.corpus.parameters.ordered:
        return [*numbers, system.optimal, *counts.T]
    faults = counts.shape[1] - FAULT_COLUMNS * system.counts_faults
    crossings, pairs = counts[:, faults - ORDER_COLUMNS + 1], counts[:, faults - 1]
    crossing = units(np.divide(crossings, pairs, out=np.zeros(len(counts)), where=pairs > 0))
    return [*numbers, system.optimal, *counts[:, :faults].T, crossing, *counts[:, faults:].T]


def runs(matches: Ragged) -> Ragged:
    """Matches as runs: a shorter form without loss.

    Returns:
        Reference start, hypothesis start, stage, and then: for consecutive matches of single words, their number and 0;
        for a match of phrases, its length in the reference and in the hypothesis.
    """
    flat, rows = matches.flat, matches.rows
    single = (flat[:, 1] == 1) & (flat[:, 3] == 1)
    heads = np.ones(len(flat), bool)
    heads[1:] = ~(
        single[1:]
        & single[:-1]
        & (rows[1:] == rows[:-1])
        & (flat[1:, 0] == flat[:-1, 0] + 1)
        & (flat[1:, 2] == flat[:-1, 2] + 1)
        & (flat[1:, 4] == flat[:-1, 4])
    )
    firsts = heads.nonzero()[0]
    counts = np.diff(firsts, append=len(flat))
    found = flat[firsts][:, [0, 2, 4, 1, 3]]
    alone = single[firsts]
    found[alone, 3], found[alone, 4] = counts[alone], 0
    return Ragged.of_lengths(found, np.bincount(rows[firsts], minlength=len(matches)))
