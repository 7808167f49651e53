"""Metrics: what they say of judged texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from meteorlib.arrays import Counts, Numbers, SegmentArrays
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.corpus.parallel import score_stream
from meteorlib.corpus.portion import Rows
from meteorlib.judge.cache import kept
from meteorlib.judge.judgments import Indices, Judgments
from meteorlib.scorer import Scorer

TOGETHER = 500
"""Texts that are scored at a time."""

Progress = Callable[[int], object]
"""Told how many more texts are scored."""


@frozen(eq=False)
class Scored:
    """What a metric says of the texts of one language pair.

    Attributes:
        scores: of each text.
        counts: statistics of each text, which give the score of a system; None where a system's score is the mean.
        parameters: what makes a score of them.
    """

    scores: Numbers
    counts: Counts | None = None
    parameters: Parameters | None = None


@frozen(eq=False)
class Metric:
    """A metric on judged texts.

    Attributes:
        name: what it is called.
        scored: for each language pair, in the order of the judgments.
        signature: the line that names the METEOR, or sacrebleu's; empty for another metric.
    """

    name: str
    scored: tuple[Scored, ...]
    signature: str = ""


def meteor(
    scorer: Scorer,
    judgments: Sequence[Judgments],
    *,
    name: str = "",
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Metric:
    """A METEOR as a metric; each text is aligned once, and its statistics are kept on disk (see `cache`).

    Args:
        scorer: the METEOR.
        judgments: the texts.
        name: what it is called; empty for the name of its preset.
        jobs: how many processes score.
        progress: is told of texts that are scored.

    Raises:
        InvalidText: a text that cannot be scored.
        WorkerLost: a process has ended.
    """
    scored = tuple(_scored(scorer, one, jobs, progress) for one in judgments)
    return Metric(name or scorer.config.name, scored, str(scorer.signature))


def _scored(scorer: Scorer, judgments: Judgments, jobs: int, progress: Progress) -> Scored:
    texts, places = each_once(judgments)

    def make() -> SegmentArrays:
        portions = (Rows(texts[first : first + TOGETHER]) for first in range(0, len(texts), TOGETHER))
        parts = []
        for batch in score_stream(scorer, portions, jobs, _numbers):
            parts.append(SegmentArrays.made(batch.rendered))
            progress(len(batch.rendered))
        return SegmentArrays.joined(parts)

    found = kept(scorer.signature.numbers, texts, make)
    return Scored(found.scores[places], found.counts[places], scorer.parameters)


def each_once(judgments: Judgments) -> tuple[list[Pair], Indices]:
    """The different texts, and which of them each text is."""
    every = [(tuple(text.texts.references), text.texts.hypothesis) for text in judgments.texts]
    places = {texts: place for place, texts in enumerate(dict.fromkeys(every))}
    return [Pair(*texts) for texts in places], np.array([places[texts] for texts in every], np.int64)


def _numbers(number: int, scored: ScoreBreakdown) -> tuple[tuple[int, ...], float]:  # noqa: ARG001 – all texts alike
    return scored.statistics.counts(), scored.score
