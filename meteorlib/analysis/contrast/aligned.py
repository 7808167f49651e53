"""Segments of systems with their alignments, as flat arrays; rows of different lengths."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.arrays import Breakdowns, Numbers, SegmentArrays, breakdowns
from meteorlib.core.breakdown import FlatSegments, ScoreBreakdown, WordNumbers, breakdown
from meteorlib.core.segment import SCALE
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch

Integers = NDArray[Any]
Flags = NDArray[np.bool_]
Words = tuple[str, ...]

MATCH_NUMBERS = 5
"""Reference start and length, hypothesis start and length, stage."""


@frozen(eq=False)
class Ragged:
    """Rows of different lengths, one after the other."""

    flat: Integers  # the items of all rows; an item may be an array itself
    starts: Integers  # index of the first item of each row, and at the end the number of items

    @classmethod
    def of_lengths(cls, flat: Integers, lengths: Integers) -> Self:
        """Divide `flat` into rows of these lengths."""
        starts = np.zeros(len(lengths) + 1, np.int64)
        lengths.cumsum(out=starts[1:])
        return cls(flat, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        """Number of items of each row."""
        return self.starts[1:] - self.starts[:-1]

    @property
    def rows(self) -> Integers:
        """Index of the row of each item."""
        return np.arange(len(self)).repeat(self.lengths)

    def row(self, index: int) -> Integers:
        """The items of a row."""
        items: Integers = self.flat[self.starts[index] : self.starts[index + 1]]
        return items

    def places(self, rows: Integers) -> Integers:
        """Indices of the items of `rows`, row after row."""
        lengths = self.lengths[rows]
        starts: Integers = (self.starts[:-1][rows] - (lengths.cumsum() - lengths)).repeat(lengths)
        return starts + np.arange(len(starts))

    def take(self, rows: Integers) -> Ragged:
        """The rows with these indices, in this order."""
        return Ragged.of_lengths(self.flat[self.places(rows)], self.lengths[rows])

    def equal_rows(self, other: Ragged) -> Flags:
        """Whether each row is equal to that of `other`, which has as many rows."""
        equal: Flags = self.lengths == other.lengths
        same = equal.nonzero()[0]
        differs = self.flat[self.places(same)] != other.flat[other.places(same)]
        equal[same.repeat(self.lengths[same])[differs]] = False
        return equal

    def any(self, flags: Flags) -> Flags:
        """Whether any item of each row has a flag; `flags` has one for each item."""
        return self.count(flags) > 0

    def count(self, flags: Flags) -> Integers:
        """Number of items with a flag in each row."""
        counted = np.zeros(len(flags) + 1, np.int64)
        flags.cumsum(out=counted[1:])
        return np.diff(counted[self.starts])

    def spans(self, rows: Integers, starts: Integers, lengths: Integers) -> Flags:
        """Flags of the items that spans cover, given the row, start and length of each."""
        first = self.starts[:-1][rows] + starts
        size = len(self.flat) + 1
        changes = np.bincount(first, minlength=size) - np.bincount(first + lengths, minlength=size)
        covered: Flags = changes.cumsum()[:-1] > 0
        return covered


def _narrow(numbers: array[int], kind: type[np.signedinteger[Any]]) -> Integers:
    """Numbers in a smaller type, if it has the sum of any two of them."""
    given = np.asarray(numbers)
    return given.astype(kind) if 2 * int(given.max(initial=0)) <= np.iinfo(kind).max else given


def ahead(flags: Flags, offset: int) -> Flags:
    """For each place, the flag of the place `offset` places later; False beyond the end."""
    moved = np.zeros(len(flags), bool)
    moved[: max(len(flags) - offset, 0)] = flags[offset:]
    return moved


@frozen(eq=False)
class Aligned:
    """Segments of a run of a system."""

    corpus: Corpus  # the scored corpus; it need not keep its segments
    numbers: WordNumbers  # number of each word; the runs that are compared share it
    arrays: SegmentArrays  # statistics and scores of the segments
    reference: Ragged  # for each segment, the words of the reference that counts, by number
    hypothesis: Ragged  # the words of the hypotheses
    matches: Ragged  # for each segment, rows of `MATCH_NUMBERS` numbers in reference order
    grades: Integers | None  # how much of each match counts, in units of 1/`SCALE`; None if all count whole
    reference_index: Integers  # index of the reference of each segment
    optimal: Flags  # whether the search proved the matches of each segment the best
    stages: tuple[str, ...]  # names of the stages
    unit: int  # size of a word of weight 1 in the statistics

    @classmethod
    def of(cls, corpus: Corpus, numbers: WordNumbers | None = None) -> Aligned:
        """The segments of a corpus that keeps them, with alignments; words get their numbers in `numbers`."""
        return Collected(corpus, WordNumbers() if numbers is None else numbers).extend(corpus).aligned()

    def __len__(self) -> int:
        return len(self.arrays)

    @property
    def scores(self) -> Numbers:
        """Score of each segment."""
        return self.arrays.scores

    @property
    def counts_faults(self) -> bool:
        """Whether the statistics count faults."""
        return self.corpus.statistics.faults is not None

    def breakdowns(self) -> Breakdowns:
        """Numbers behind the score of each segment."""
        return breakdowns(self.arrays.counts, self.corpus.parameters)

    def words(self) -> list[str]:
        """Word of each number."""
        return list(self.numbers)

    def covered(self) -> Flags:
        """Whether each word of `reference` is matched."""
        return self.reference.spans(self.matches.rows, self.matches.flat[:, 0], self.matches.flat[:, 1])

    @cached_property
    def chunks(self) -> Ragged:
        """For each segment its chunks: start and length in the reference and in the hypothesis; see `Chunking`."""
        flat, rows = self.matches.flat, self.matches.rows
        heads = np.ones(len(flat), bool)
        heads[1:] = (
            (rows[1:] != rows[:-1])
            | (flat[1:, 0] != flat[:-1, 0] + flat[:-1, 1])
            | (flat[1:, 2] != flat[:-1, 2] + flat[:-1, 3])
        )
        firsts = heads.nonzero()[0]
        first, last = flat[firsts], flat[np.append(firsts[1:], len(flat))[: len(firsts)] - 1]
        chunks = first[:, :4].copy()
        chunks[:, 1::2] = last[:, 0:4:2] + last[:, 1:4:2] - first[:, 0:4:2]
        return Ragged.of_lengths(chunks, np.bincount(rows[firsts], minlength=len(self)))

    def sums(self, groups: Integers, count: int) -> list[Statistics]:
        """Summed statistics of groups of segments; `groups` has the group of each segment, and -1 for none."""
        summed = np.zeros((count, self.arrays.counts.shape[1]), np.int64)
        order = groups.argsort(kind="stable")
        found, firsts = np.unique(groups[order], return_index=True)
        sums = np.add.reduceat(self.arrays.counts[order], firsts, dtype=np.int64)
        summed[found[found >= 0]] = sums[found >= 0]
        stages = len(self.corpus.parameters.weights)
        return [Statistics.from_counts(row, stages) for row in summed.tolist()]

    def group_scores(self, groups: Integers, count: int) -> list[float]:
        """Corpus score of each group; see `sums`."""
        return [breakdown(summed, self.corpus.parameters).score for summed in self.sums(groups, count)]


@frozen(eq=False)
class Collected:
    """Scored segments of a run, collected one after the other: only numbers are kept; `corpus` takes their totals."""

    corpus: Corpus
    numbers: WordNumbers
    # for each array of `FlatSegments`, and for the scores, what `extend` added
    _added: Sequence[list[Integers]] = field(factory=lambda: [[] for _ in range(7)], init=False)

    def extend(self, segments: Iterable[ScoreBreakdown]) -> Self:
        """Add segments; one without an alignment raises `InputMismatch`."""
        flat, scores = FlatSegments(self.numbers), array("d")
        for scored in segments:
            if not scored.flatten(flat):
                raise InputMismatch(
                    "this preset takes the mean over the references of a segment, so that there is no one alignment to "
                    "show; give one reference, or take a preset with  reduce: max"
                )
            scores.append(scored.score)
        added = (
            *map(np.asarray, (flat.reference, flat.hypothesis, flat.segments, scores)),
            *(_narrow(*each) for each in ((flat.matches, np.int16), (flat.grades, np.int16), (flat.counts, np.int32))),
        )
        for known, more in zip(self._added, added, strict=True):
            known.append(more)
        return self

    def aligned(self) -> Aligned:
        """The segments that were added; if there are none, `InputMismatch` is raised."""
        joined: list[Any] = []
        for added in self._added:
            joined.append(np.concatenate(added) if added else np.zeros(0))
            added.clear()  # before more memory is taken
        reference, hypothesis, segments, scores, matches, grades, counts = joined
        if not len(scores):
            raise InputMismatch("nothing to show: no segment was added")
        score = self.corpus.score()
        words, others, match_counts, indices, optimal = segments.reshape(len(scores), -1).T
        return Aligned(
            self.corpus,
            self.numbers,
            SegmentArrays(counts.reshape(len(scores), -1), scores),
            Ragged.of_lengths(reference, words),
            Ragged.of_lengths(hypothesis, others),
            Ragged.of_lengths(matches.reshape(-1, MATCH_NUMBERS), match_counts),
            grades if (grades != SCALE).any() else None,
            indices,
            optimal.astype(bool),
            score.stages,
            score.unit,
        )


@frozen(eq=False)
class References:
    """For each segment, the references that counted for any system, each once, in the order of the systems."""

    texts: Ragged  # these references, segment after segment, as numbers of words
    segments: Integers  # index of the segment of each
    used: Sequence[Integers]  # for each system, the index in `texts` of the reference of each segment

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
        return np.diff(self.segments, prepend=-1).nonzero()[0]
