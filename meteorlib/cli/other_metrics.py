"""The option ``--metric`` of commands that compare systems: other metrics beside METEOR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from meteorlib.cli.notes import Notes
from meteorlib.cli.progress import progress
from meteorlib.inputs.systems import Systems, order_of

if TYPE_CHECKING:
    from meteorlib.analysis.significance.scored_outputs import ScoredMetric


def scored_metrics(given: Sequence[str], systems: Systems, notes: Notes) -> Sequence[ScoredMetric]:
    """Score systems with sacrebleu's metrics, and read scores from the tables of ``NAME=FILE``.

    Args:
        given: values of the option.
        systems: the systems.
        notes: the notes of the run.

    Raises:
        click.UsageError: a name is unknown, repeated, or that of a column of the table of scores.
    """
    if not given:
        return ()
    from meteorlib.analysis.meta_evaluation.corpus_metrics import sacrebleu_corpus, table_metric  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.sacrebleu import SACREBLEU  # noqa: PLC0415 – as above
    from meteorlib.inputs.segment_data import read_scores  # noqa: PLC0415 – for tables only
    from meteorlib.reports.system_table import COLUMNS  # noqa: PLC0415 – as above

    found: list[ScoredMetric] = []
    (first, *_), *_ = systems.values()
    order = order_of(systems)
    for one in given:
        name, equals, file = one.partition("=")
        if not name or (equals and not file) or not (equals or name.lower() in SACREBLEU):
            raise click.UsageError(f"--metric {one}: expected NAME=FILE, or one of {', '.join(SACREBLEU)}")
        if name in (*COLUMNS, "system", *(metric.name for metric in found)):
            raise click.UsageError(f"--metric {one}: there already is a column {name!r}; give the metric another name")
        if equals:
            scores = read_scores(name, file, [*systems], first.count, order)
            found.append(table_metric(name, scores, [*systems], first.count))
            continue
        texts = {system: [run.segments for run in runs] for system, runs in systems.items()}
        with progress(f"scoring {name}", 1) as bar:
            found.append(sacrebleu_corpus(name, texts))
            bar(1)
    notes.say(*(metric.note for metric in found if metric.note))
    return found
