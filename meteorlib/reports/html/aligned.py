"""Segments of a run with their alignments, as flat arrays for the HTML report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.arrays import Breakdowns, Numbers, SegmentArrays, breakdowns
from meteorlib.core.breakdown import ScoreBreakdown, breakdown
from meteorlib.core.flat_segment import FlatSegment
from meteorlib.core.segment import SCALE
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch
from meteorlib.reports.html.ragged import Integers, Ragged

Words = tuple[str, ...]

MATCH_NUMBERS = 5
"""Reference start and length, hypothesis start and length, stage."""


class WordNumbers(dict[str, int]):
    """Number of each word of a page, in order of appearance; a new word gets the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


@frozen(eq=False)
class Aligned:
    """Segments of a run.

    Attributes:
        corpus: the scored corpus; it need not keep its segments.
        numbers: number of each word; the runs of a page share it.
        arrays: statistics and scores of the segments.
        reference: for each segment, the words of the reference that counts, by number.
        hypothesis: the words of the hypotheses.
        matches: for each segment, rows of `MATCH_NUMBERS` numbers in reference order.
        grades: how much of each match counts, in units of 1/`SCALE`; None if all count whole.
        reference_index: index of the reference of each segment.
        optimal: whether the search proved the matches of each segment the best.
        stages: names of the stages.
        unit: size of a word of weight 1 in the statistics.
    """

    corpus: Corpus
    numbers: WordNumbers
    arrays: SegmentArrays
    reference: Ragged
    hypothesis: Ragged
    matches: Ragged
    grades: Integers | None
    reference_index: Integers
    optimal: NDArray[np.bool_]
    stages: tuple[str, ...]
    unit: int

    @classmethod
    def of(cls, corpus: Corpus, numbers: WordNumbers | None = None) -> Aligned:
        """The segments of a corpus that keeps them; words get their numbers in `numbers`.

        Raises:
            InputMismatch: the corpus is empty or does not keep its segments, or a segment has no alignment.
        """
        collected = Collected(corpus, WordNumbers() if numbers is None else numbers)
        for scored in corpus:
            collected.add(scored)
        return collected.aligned()

    def __len__(self) -> int:
        return len(self.arrays)

    @property
    def scores(self) -> Numbers:
        """Score of each segment."""
        return self.arrays.scores

    def breakdowns(self) -> Breakdowns:
        """Numbers behind the score of each segment."""
        return breakdowns(self.arrays.counts, self.corpus.parameters)

    @property
    def counts_faults(self) -> bool:
        """Whether the statistics count faults."""
        return self.corpus.statistics.faults is not None

    def words(self) -> list[str]:
        """Word of each number."""
        return list(self.numbers)

    def covered(self) -> NDArray[np.bool_]:
        """Whether each word of `reference` is matched."""
        flat = self.matches.flat
        return spans(self.reference, self.matches.rows, flat[:, 0], flat[:, 1])

    def chunks(self) -> Ragged:
        """For each segment its chunks: start and length in the reference and in the hypothesis; see `Chunking`."""
        flat, rows = self.matches.flat, self.matches.rows
        heads = np.ones(len(flat), bool)
        heads[1:] = (
            (rows[1:] != rows[:-1])
            | (flat[1:, 0] != flat[:-1, 0] + flat[:-1, 1])
            | (flat[1:, 2] != flat[:-1, 2] + flat[:-1, 3])
        )
        firsts = np.flatnonzero(heads)
        lasts = np.append(firsts[1:], len(flat)) - 1 if len(firsts) else firsts
        first, last = flat[firsts], flat[lasts]
        found = np.stack(
            [
                first[:, 0], last[:, 0] + last[:, 1] - first[:, 0],
                first[:, 2], last[:, 2] + last[:, 3] - first[:, 2],
            ],
            axis=1,
        )  # fmt: skip
        return Ragged.of_lengths(found, np.bincount(rows[firsts], minlength=len(self)))

    def sums(self, groups: Integers, count: int) -> list[Statistics]:
        """Summed statistics of groups of segments; `groups` has the group of each segment, and -1 for none."""
        summed = np.zeros((count, self.arrays.counts.shape[1]), np.int64)
        kept = groups >= 0
        np.add.at(summed, groups[kept], self.arrays.counts[kept])
        stages = len(self.corpus.parameters.weights)
        return [Statistics.from_counts(row, stages) for row in summed.tolist()]

    def group_scores(self, groups: Integers, count: int) -> list[float]:
        """Corpus score of each group; see `sums`."""
        return [breakdown(summed, self.corpus.parameters).score for summed in self.sums(groups, count)]


def spans(texts: Ragged, rows: Integers, starts: Integers, lengths: Integers) -> NDArray[np.bool_]:
    """Flags of the words of `texts` that spans cover, given the row, start and length of each."""
    first = texts.starts[:-1][rows] + starts
    size = len(texts.flat) + 1
    changes = np.bincount(first, minlength=size) - np.bincount(first + lengths, minlength=size)
    covered: NDArray[np.bool_] = np.cumsum(changes)[:-1] > 0
    return covered


@frozen(eq=False)
class Collected:
    """Scored segments of a run, collected one after the other: only numbers are kept.

    Attributes:
        corpus: takes the totals of the segments; it need not keep them.
        numbers: number of each word; see `Aligned`.
    """

    corpus: Corpus
    numbers: WordNumbers
    _segments: list[FlatSegment] = field(factory=list, init=False)
    _scores: list[float] = field(factory=list, init=False)

    def add(self, scored: ScoreBreakdown) -> None:
        """Add a segment.

        Raises:
            InputMismatch: it has no alignment.
        """
        segment = scored.flat(self.numbers)
        if segment is None:
            raise InputMismatch(
                "this preset takes the mean over the references of a segment, so that there is no one alignment to "
                "show; give one reference, or take a preset with  reduce: max"
            )
        self._segments.append(segment)
        self._scores.append(scored.score)

    def aligned(self) -> Aligned:
        """The segments that were added.

        Raises:
            InputMismatch: there are none.
        """
        if not self._segments:
            raise InputMismatch("nothing to show: no segment was added")
        reference, hypothesis, matches, grades, counts, indices, optimal = zip(*self._segments, strict=True)
        grade, score = np.frombuffer(b"".join(grades), np.int32), self.corpus.score()
        return Aligned(
            self.corpus,
            self.numbers,
            SegmentArrays(np.frombuffer(b"".join(counts), np.int64).reshape(len(counts), -1), np.array(self._scores)),
            _joined(reference),
            _joined(hypothesis),
            _joined(matches, MATCH_NUMBERS),
            grade if (grade != SCALE).any() else None,
            np.array(indices),
            np.array(optimal),
            score.stages,
            score.unit,
        )


def _joined(rows: Sequence[bytes], columns: int = 1) -> Ragged:
    """Rows of items, which are arrays of `columns` integers, or single ones."""
    flat = np.frombuffer(b"".join(rows), np.int32)
    lengths = np.array([*map(len, rows)]) // (columns * flat.itemsize)
    return Ragged.of_lengths(flat if columns == 1 else flat.reshape(-1, columns), lengths)
