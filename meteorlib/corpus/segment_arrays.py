"""Statistics and scores of a list of segments as NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from meteorlib.arrays import SegmentArrays
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Rows
from meteorlib.corpus.parallel import score_stream
from meteorlib.engine.engine import Scoring
from meteorlib.errors import blame, number_segment_errors
from meteorlib.text.validation import check_pair

BATCH_SIZE = 500
"""Segments that are scored at a time."""


def segment_arrays(
    scorer: Scoring, pairs: Iterable[Pair], jobs: int, progress: Callable[[int], object]
) -> SegmentArrays:
    """See `meteorlib.Scorer.arrays`."""
    with number_segment_errors():
        texts, places = distinct_pairs(pairs)
    batches = (Rows(texts[first : first + BATCH_SIZE]) for first in range(0, len(texts), BATCH_SIZE))
    rows: list[tuple[tuple[int, ...], float]] = []
    for batch in score_stream(scorer, batches, jobs, _numbers, lambda place: int((places == place).argmax())):
        rows += batch.rendered
        progress(len(batch.rendered))
    if not rows:
        return SegmentArrays(np.empty((0, len(scorer.engine.zero.statistics.counts())), np.int64), np.empty(0))
    distinct = SegmentArrays.made(rows)
    return SegmentArrays(distinct.counts[places], distinct.scores[places])


def distinct_pairs(pairs: Iterable[Pair]) -> tuple[list[Pair], NDArray[np.int64]]:
    """The different segments, and which of them each is; for a `TypeError` see `meteorlib.errors.blamed_segment`."""
    indices: dict[Pair, int] = {}
    places = []
    for index, pair in enumerate(pairs):
        try:
            check_pair(pair)
            places.append(indices.setdefault(Pair(tuple(pair.references), pair.hypothesis), len(indices)))
        except TypeError as error:
            blame(error, index)
            raise
    return [*indices], np.array(places, np.int64)


def _numbers(number: int, scored: ScoreBreakdown) -> tuple[tuple[int, ...], float]:  # noqa: ARG001 – all texts alike
    return scored.statistics.counts(), scored.score
