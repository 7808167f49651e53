"""Segments as encoded columns for the HTML report, with words as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from attrs import frozen

from meteorlib.arrays import FAULT_COLUMNS, ORDER_COLUMNS
from meteorlib.core.safe_text import visible
from meteorlib.core.segment import SCALE
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.encoding import letter_rows
from meteorlib.reports.html.measures import units
from meteorlib.reports.html.ragged import Integers, Ragged

SEGMENT_NUMBERS = ("precision", "recall", "f_mean", "fragmentation", "penalty")
"""Numbers of a segment besides its score, in this order."""


@frozen(eq=False)
class References:
    """For each segment, the references that counted for any system, each once, in the order of the systems.

    Attributes:
        texts: these references, segment after segment, as numbers of words.
        segments: index of the segment of each.
        used: for each system, the index in `texts` of the reference of each segment.
    """

    texts: Ragged
    segments: Integers
    used: Sequence[Integers]

    @classmethod
    def of(cls, systems: Sequence[Aligned]) -> Self:
        """The references of systems with the same segments."""
        count = len(systems[0])
        first = np.zeros((len(systems), count), np.int64)  # the first system with the same reference
        for place, system in enumerate(systems):
            first[place] = place
            for other in reversed(range(place)):
                first[place][system.reference.equal_rows(systems[other].reference)] = other
        segments, places = np.nonzero((first == np.arange(len(systems))[:, None]).T)
        lengths = np.concatenate([system.reference.lengths for system in systems])
        everything = Ragged.of_lengths(np.concatenate([system.reference.flat for system in systems]), lengths)
        index = np.zeros((len(systems), count), np.int64)
        index[places, segments] = np.arange(len(segments))
        used = [index[first[place], np.arange(count)] for place in range(len(systems))]
        return cls(everything.take(places * count + segments), segments, used)

    @property
    def firsts(self) -> Integers:
        """Index in `texts` of the first reference of each segment."""
        return np.flatnonzero(np.diff(self.segments, prepend=-1))


@frozen
class Vocabulary:
    """All words of the page, most frequent first.

    Attributes:
        words: word of each number.
        numbers: number of each word, by its number in `Aligned.numbers`.
    """

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
        found = np.flatnonzero(counts)
        ranked = found[np.lexsort((first[found], -counts[found]))]
        numbers = np.zeros(len(known), np.int64)
        numbers[ranked] = np.arange(len(ranked))
        return cls([known[number] for number in ranked.tolist()], numbers)

    def texts(self, texts: Ragged) -> list[str]:
        """Each text as encoded numbers."""
        return letter_rows(Ragged(self.numbers[texts.flat], texts.starts))

    def to_list(self) -> list[str]:
        """The words, safe to show."""
        return [visible(word) for word in self.words]


def reference_columns(references: References, vocabulary: Vocabulary) -> list[list[str]]:
    """For each segment its references, encoded."""
    texts = vocabulary.texts(references.texts)
    return [texts[first:end] for first, end in pairwise([*references.firsts.tolist(), len(texts)])]


def segment_columns(system: Aligned, place: int, references: References, vocabulary: Vocabulary) -> dict[str, Any]:
    """Encoded columns of the segments of a system.

    Args:
        system: the segments.
        place: index of the system.
        references: for each segment, the references that counted for any system.
        vocabulary: all words.

    Returns:
        The columns ``score`` (unencoded), ``hypothesis``, ``runs`` (see `runs`), ``chunks`` (start and length of each
        chunk, in reference and hypothesis), ``parts`` (position and grade of each match that counts in part; missing if
        there are none) and ``numbers``: index of the counting reference, its number among all, the numbers of
        `SEGMENT_NUMBERS`, whether the search was optimal, the statistics, and the share of crossing matches if it
        counts.
    """
    columns = {
        "score": system.scores.tolist(),
        "hypothesis": vocabulary.texts(system.hypothesis),
        "runs": letter_rows(_unfolded(runs(system.matches))),
        "chunks": letter_rows(_unfolded(system.chunks())),
    }
    if system.grades is not None:
        columns["parts"] = letter_rows(_unfolded(_parts(system.matches, system.grades)))
    own = references.used[place] - references.firsts
    numbers = np.column_stack([own, system.reference_index, *_numbers(system)])
    columns["numbers"] = letter_rows(Ragged.of_lengths(numbers.ravel(), np.full(len(numbers), numbers.shape[1])))
    return columns


def _unfolded(rows: Ragged) -> Ragged:
    """Rows of the numbers of their items."""
    return Ragged(rows.flat.ravel(), rows.starts * rows.flat.shape[1])


def _parts(matches: Ragged, grades: Integers) -> Ragged:
    chosen = np.flatnonzero(grades != SCALE)
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
    firsts = np.flatnonzero(heads)
    counts = np.diff(firsts, append=len(flat))
    found = flat[firsts][:, [0, 2, 4, 1, 3]]
    alone = single[firsts]
    found[alone, 3], found[alone, 4] = counts[alone], 0
    return Ragged.of_lengths(found, np.bincount(rows[firsts], minlength=len(matches)))
