"""Sentence scores of sacrebleu's metrics on judged texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any
from warnings import warn

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.cache import cached_statistics
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import Metric, Progress, Scored
from meteorlib.arrays import SegmentArrays
from meteorlib.core.segment import Pair
from meteorlib.corpus.segment_arrays import BATCH_SIZE, distinct_pairs
from meteorlib.errors import ExtraMissing, MeteorWarning, UnknownName

EXTRA = "sacrebleu"


@frozen
class _SacrebleuMetric:
    """Metric of sacrebleu: class name, settings, and whether it counts errors."""

    kind: str
    settings: Mapping[str, Any]
    counts_errors: bool = False


SACREBLEU: Mapping[str, _SacrebleuMetric] = {
    "bleu": _SacrebleuMetric("BLEU", {"effective_order": True}),
    "chrf": _SacrebleuMetric("CHRF", {}),
    "chrf++": _SacrebleuMetric("CHRF", {"word_order": 2}),
    "ter": _SacrebleuMetric("TER", {}, counts_errors=True),
}
"""Metrics by name, with sacrebleu's own settings for sentences."""


def written_beside_empty(references: Sequence[str]) -> list[str]:
    """The references of a segment that are not empty; none if all are like that, or all are empty."""
    written = [one for one in references if one.strip()]
    return written if len(written) < len(references) else []


def empty_reference_note(name: str, place: str) -> str:
    """Note on a metric whose score depends on empty references.

    sacrebleu documents that an empty reference is like none, but TER averages lengths with it, BLEU compares the length
    of a short hypothesis with it, and chrF uses it if it is the first and nothing matches.

    Args:
        name: the metric.
        place: the first text with such a reference beside others.
    """
    return (
        f"{name} counts empty references beside others, such as that of {place}, as references without words, as "
        "sacrebleu does; its score would be different without them. For fewer references in some segments, use a table "
        "with lists of references"
    )


def sacrebleu_metric(name: str, judgments: Sequence[Judgments], *, progress: Progress = lambda _: None) -> Metric:
    """Score judged texts with a metric of sacrebleu, negating TER so that higher is better.

    Scores are cached on disk (see `cache`). A `MeteorWarning` names a text whose score depends on an empty reference.

    Args:
        name: one of `SACREBLEU`, in any case.
        judgments: judgments of each language pair.
        progress: callback, called with the number of further texts scored.

    Raises:
        UnknownName: the name is not in `SACREBLEU`.
        ExtraMissing: sacrebleu is not installed.
    """
    known = SACREBLEU.get(name.lower())
    if known is None:
        raise UnknownName("metric of sacrebleu", name, SACREBLEU)
    try:
        from sacrebleu import metrics  # noqa: PLC0415 – an extra
    except ModuleNotFoundError as error:
        raise ExtraMissing(str(error.name), EXTRA) from None
    metric = getattr(metrics, known.kind)(**known.settings)
    counts = {len(text.texts.references) for one in judgments for text in one.texts}
    metric.num_refs = counts.pop() if len(counts) == 1 else -1  # sacrebleu's own value for a varying number
    signature = f"{EXTRA} {name.lower()}|{metric.get_signature()}"

    def score(texts: Sequence[Pair]) -> SegmentArrays:
        scores = []
        for place, (references, hypothesis) in enumerate(texts, 1):
            scores.append(metric.sentence_score(hypothesis, list(references)).score)
            if not place % BATCH_SIZE or place == len(texts):
                progress(place % BATCH_SIZE or BATCH_SIZE)
        return SegmentArrays(np.zeros((len(scores), 0), np.int64), np.array(scores))

    scores = [_scores(signature, one, score) for one in judgments]
    texts = (text for one in judgments for text in one.texts)
    for text, score_as_is in zip(texts, chain.from_iterable(scores), strict=True):
        written = written_beside_empty(text.texts.references)
        if written and metric.sentence_score(text.texts.hypothesis, written).score != score_as_is:
            warn(empty_reference_note(name, str(text)), MeteorWarning, stacklevel=2)
            break
    sign = -1.0 if known.counts_errors else 1.0
    return Metric(name, tuple(Scored(sign * found) for found in scores), signature)


def _scores(signature: str, judgments: Judgments, score: Callable[[Sequence[Pair]], SegmentArrays]) -> Any:
    texts, places = distinct_pairs([text.texts for text in judgments.texts])
    return cached_statistics(EXTRA, signature, texts, lambda: score(texts)).scores[places]
