"""Other metrics of whole test sets: those of sacrebleu, and scores read from tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.readers.columns import (
    id_of,
    number_of,
    open_judgment_table,
    parse_cell,
    rows_of,
)
from meteorlib.analysis.meta_evaluation.sacrebleu import EXTRA, SACREBLEU
from meteorlib.analysis.significance.measures import MeanScore
from meteorlib.analysis.significance.other_metrics import MetricOutput, ScoredMetric
from meteorlib.arrays import Numbers
from meteorlib.core.pair import Pair
from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText, UnknownName
from meteorlib.files.readers import Dialect
from meteorlib.files.table import Table, column_of, without_role

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
        found = whole._extract_corpus_statistics(list(hypotheses), streams)  # noqa: SLF001 – likewise
        columns = np.array(found, np.float64)
        total = float(_Sums(whole).scores(columns.sum(axis=0)[np.newaxis])[0])
        return MetricOutput(total, columns, _Sums(of_segments).scores(columns))

    outputs = {system: [output(texts) for texts in runs] for system, runs in systems.items()}
    return ScoredMetric(name, str(whole.get_signature()), _Sums(whole), outputs, known.counts_errors, percent=True)


def read_scores(name: str, file: str, systems: Sequence[str], count: int) -> ScoredMetric:
    """Read the scores of a metric, higher is better.

    Args:
        name: name of the metric.
        file: table with a column of scores for each system and a row for each of `count` segments; or with a column
            ``system``, one of scores (the metric's name or ``score``), and a row for each system.
        systems: names of the systems.
        count: number of segments.

    Raises:
        InputMismatch: a system has no row, or the number of segments differs.
        InvalidText: a score is not a number, or a system has two.
        UnknownName: a system or the metric has no column.
    """
    table = open_judgment_table(file, Dialect())  # not that of the texts
    measure = MeanScore(count)
    if "system" in map(without_role, table.columns):
        found = _system_scores(table, name)
        for system in systems:
            if system not in found:
                raise InputMismatch(f"{table.name}: no score of system {system!r}; it has {', '.join(found)}")
        return ScoredMetric(name, "", measure, {system: [MetricOutput(found[system])] for system in systems})
    columns = [column_of(table, system) for system in systems]
    rows = [
        [parse_cell(number_of, cell, where, column) for cell, column in zip(cells, columns, strict=True)]
        for where, cells in rows_of(table, columns)
    ]
    if len(rows) != count:
        raise InputMismatch(f"{table.name}: has {len(rows)} rows of scores for {count} segments; it needs one for each")
    scores = np.array(rows).T
    return ScoredMetric(
        name,
        "",
        measure,
        {
            system: [MetricOutput(float(mine.mean()), mine[:, np.newaxis], mine)]
            for system, mine in zip(systems, scores, strict=True)
        },
    )


def _system_scores(table: Table, name: str) -> dict[str, float]:
    known = [*map(without_role, table.columns)]
    names = [column_of(table, "system"), column_of(table, name if name in known else "score")]
    found: dict[str, float] = {}
    for where, (system, score) in rows_of(table, names):
        label = parse_cell(id_of, system, where, "system")
        if label in found:
            raise InvalidText(
                where, f"system {label!r} has a score already; a table with a row for each system has one"
            )
        found[label] = parse_cell(number_of, score, where, names[1])
    return found
