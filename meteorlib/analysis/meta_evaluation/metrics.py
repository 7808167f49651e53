"""Metric scores of judged texts, and METEOR as such a metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve, frozen

from meteorlib.analysis.meta_evaluation.cache import cached_statistics, this_code
from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments
from meteorlib.arrays import Counts, Numbers, SegmentArrays
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.corpus.segment_arrays import distinct_pairs
from meteorlib.scorer import Scorer

CACHED_BATCH_SIZE = 10_000
"""Number of texts per cache file; at most this many are aligned again after an interruption."""

Progress = Callable[[int], object]
"""Callback that receives the number of further texts scored."""


@frozen(eq=False)
class Scored:
    """Scores of the texts of one language pair.

    Attributes:
        scores: score of each text.
        counts: statistics of each text, summed for the score of a system; None if a system's score is the mean.
        parameters: parameters of the formula that turns counts into scores.
    """

    scores: Numbers
    counts: Counts | None = None
    parameters: Parameters | None = None

    def at(self, places: Indices) -> Scored:
        """Select the scores of the texts at these indices."""
        counts = None if self.counts is None else self.counts[places]
        return evolve(self, scores=self.scores[places], counts=counts)


@frozen(eq=False)
class Metric:
    """Metric with its scores of judged texts.

    Attributes:
        name: name of the metric.
        scored: scores of each language pair, in the order of the judgments.
        signature: signature of the METEOR scorer or of sacrebleu; empty for another metric.
    """

    name: str
    scored: tuple[Scored, ...]
    signature: str = ""


def sort_texts(judgments: Sequence[Judgments], metrics: Sequence[Metric]) -> tuple[list[Judgments], list[Metric]]:
    """Sort the texts of each language pair in judgments and metrics; see `Judgments.in_order`."""
    found = [one.in_order() for one in judgments]
    orders = [order for _, order in found]
    ordered = [
        evolve(one, scored=tuple(scored.at(order) for scored, order in zip(one.scored, orders, strict=True)))
        for one in metrics
    ]
    return [one for one, _ in found], ordered


def meteor(
    scorer: Scorer,
    judgments: Sequence[Judgments],
    *,
    name: str = "",
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Metric:
    """Score judged texts with METEOR; statistics are cached on disk, so each text is aligned once (see `cache`).

    Args:
        scorer: scorer to use.
        judgments: judgments of each language pair.
        name: name of the metric; empty for the name of the preset.
        jobs: number of processes; see `meteorlib.Scorer.arrays`.
        progress: callback, called with the number of further texts scored.

    Raises:
        InvalidText: a text cannot be scored.
        WorkerLost: a process has ended; see `meteorlib.Scorer.arrays`.
    """
    scored = tuple(_scored(scorer, one, jobs, progress) for one in judgments)
    return Metric(name or scorer.config.name, scored, str(scorer.signature))


def _scored(scorer: Scorer, judgments: Judgments, jobs: int, progress: Progress) -> Scored:
    found = statistics_of(scorer, [text.texts for text in judgments.texts], jobs=jobs, progress=progress)
    return Scored(found.scores, found.counts, scorer.parameters)


def statistics_of(
    scorer: Scorer, texts: Sequence[Pair], *, jobs: int = 1, progress: Progress = lambda _: None
) -> SegmentArrays:
    """Statistics and scores of texts, cached on disk in batches, so that each text is aligned once."""
    different, places = distinct_pairs(texts)
    parts = []
    for first in range(0, len(different), CACHED_BATCH_SIZE):
        batch = different[first : first + CACHED_BATCH_SIZE]
        make = partial(scorer.arrays, batch, jobs=jobs, progress=progress)
        parts.append(cached_statistics(this_code(), scorer.signature.numbers, batch, make))
    found = SegmentArrays.joined(parts)
    return SegmentArrays(found.counts[places], found.scores[places])
