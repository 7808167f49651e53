"""Other metrics of whole test sets: those of sacrebleu, and scores from tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.sacrebleu import EXTRA, SACREBLEU, empty_reference_note, written_beside_empty
from meteorlib.analysis.significance.scored_outputs import MeanScore, MetricOutput, ScoredMetric
from meteorlib.arrays import Numbers
from meteorlib.core.segment import Pair
from meteorlib.errors import ExtraMissing, UnknownName
from meteorlib.inputs.segment_data import ScoreTable

Texts = Callable[[], Iterable[Pair]]


@frozen
class _Sums:
    """Score of summed statistics by a metric of sacrebleu."""

    metric: Any

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        rows = sums.reshape(-1, sums.shape[-1]).tolist()
        found = np.array([self.metric._compute_score_from_stats(row).score for row in rows])  # noqa: SLF001 – as sacrebleu's own tests do
        return found.reshape(sums.shape[:-1])


def _changed_by_empty(
    metric: Any, references: Sequence[Sequence[str]], hypotheses: Sequence[str], statistics: Sequence[Sequence[float]]
) -> Iterator[int]:
    """Indices of the segments whose statistics would change without their empty references."""
    for place, (each, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        streams = [[one] for one in written_beside_empty(each)]
        if streams and metric._extract_corpus_statistics([hypothesis], streams) != [statistics[place]]:  # noqa: SLF001 – as above
            yield place


def sacrebleu_corpus(name: str, systems: Mapping[str, Sequence[Texts]]) -> ScoredMetric:
    """Score systems with a metric of sacrebleu, with its default settings.

    Args:
        name: one of `SACREBLEU`, in any case.
        systems: texts of each run of each system by name.

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
    kind = getattr(metrics, known.kind)
    of_segments = kind(**known.settings)
    whole = kind(**{option: value for option, value in known.settings.items() if option != "effective_order"})

    def output(texts: Texts) -> MetricOutput:
        references, hypotheses = zip(*((pair.references, pair.hypothesis) for pair in texts()), strict=True)
        streams = [*map(list, zip_longest(*references))]
        found = whole._extract_corpus_statistics(list(hypotheses), streams)  # noqa: SLF001 – as above
        changed.extend(islice(_changed_by_empty(of_segments, references, hypotheses, found), 1))
        columns = np.array(found, np.float64)
        total = float(_Sums(whole).scores(columns.sum(axis=0)[np.newaxis])[0])
        return MetricOutput(total, columns, _Sums(of_segments).scores(columns))

    changed: list[int] = []
    outputs = {system: [output(texts) for texts in runs] for system, runs in systems.items()}
    note = empty_reference_note(name, f"segment {min(changed) + 1}") if changed else ""
    signature = str(whole.get_signature())
    return ScoredMetric(name, signature, _Sums(whole), outputs, known.counts_errors, percent=True, note=note)


def table_metric(name: str, table: ScoreTable, systems: Sequence[str], count: int) -> ScoredMetric:
    """A metric whose scores a table has, higher is better.

    Args:
        name: its name.
        table: the scores.
        systems: names of the systems.
        count: number of segments.
    """
    outputs = {system: [MetricOutput(score)] for system, score in table.systems.items()}
    if table.segments:
        outputs = {
            system: [MetricOutput(float(own.mean()), own[:, np.newaxis], own)]
            for system, own in zip(systems, np.array(table.segments).T, strict=True)
        }
    return ScoredMetric(name, "", MeanScore(count), outputs, note=table.note)
