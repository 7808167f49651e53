"""Results of systems as JSON and TSV, in full double precision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from meteorlib.analysis.results import System
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.formula import NUMBERS
from meteorlib.display.displayable import value_at
from meteorlib.display.text import exact, json_text, tsv_row
from meteorlib.reports.system_table import TSV_COLUMNS, Results

_LIST = '"segments": ""'
"""Stands in the text for the segments of a system; no other value of this key is a text."""

SCORED = (*NUMBERS, "chunks", "reference_index")
"""Columns of TSV that segments have, too."""

ALL_COLUMNS = (
    "segment", "system", *SCORED, *TSV_COLUMNS, "baseline", "test", "samples", "seed", "confidence", "preset",
    "signature",
)  # fmt: skip
"""Columns of TSV."""

_OF_METRICS = {
    "": "score",
    "_low": "interval.low",
    "_high": "interval.high",
    "_p": "difference.p",
    "_adjusted_p": "difference.adjusted_p",
}
"""Attributes of a system in the columns of another metric, by what follows its name."""


def json_segment(_number: int, scored: ScoreBreakdown) -> str:
    """The line of a segment, an object."""
    return json_text(scored.to_dict()) + "\n"


def json_results(results: Results) -> Iterator[str]:
    """One JSON object: `SystemComparison.to_dict`, the preset and the signature, in pieces.

    Systems have `segments`, one in a line, and `groups` if requested. `metrics` has the scores of other metrics, if
    there are any. ``docs/score.schema.json`` describes it.
    """
    data: dict[str, Any] = results.comparison.to_dict() | {"signature": results.signature}
    data |= {"references": results.references, "preset": results.preset}
    if results.metrics:
        data["metrics"] = [metric.beside(segments=results.segments) for metric in results.metrics]
    for written, system in zip(data["systems"], results.comparison.systems, strict=True):
        if system.groups:
            written["groups"] = {
                by: [group.to_dict() for group in some] for by, some in groupby(system.groups, lambda group: group.by)
            }
        if results.segments:
            written["segments"] = ""
    first, *others = (json_text(data, indent=1) + "\n").split(_LIST)
    yield first
    for system, after in zip(results.comparison.systems, others, strict=False):
        yield '"segments": ['
        lines = results.segment_lines(system, lambda score: json_text({"score": score}) + "\n")
        for number, line in enumerate(lines):
            labels = results.labels(system.name, number)
            label = f"{json_text(labels)[:-1]}, " if labels else "{"
            yield f"{',' if number else ''}\n    {label}{line[1:-1]}"
        yield f"\n   ]{after}"


def tsv_segment(_number: int, scored: ScoreBreakdown) -> str:
    """The line of a segment: the cells of `SCORED`."""
    return "\t".join(_scored(scored)) + "\n"


def tsv_results(results: Results) -> Iterator[str]:
    """A line of column names, then rows for each system: its segments, if requested, its groups, and ``corpus``.

    Rows of groups are called ``document=LABEL``; with groups there is a column ``segment_count``. If rows were
    joined by id, or chosen from n-best lists, the last columns are `Results.labels`. Undefined values are empty. Each
    other metric has columns that start with its name.
    """
    comparison = results.comparison
    labels = [*results.labels(comparison.systems[0].name, 0)]
    counted = any(system.groups for system in comparison.systems)
    more = [f"{metric.name}{suffix}" for metric in results.metrics for suffix in _OF_METRICS]
    yield tsv_row([*ALL_COLUMNS, *more, *(["segment_count"] if counted else []), *labels])

    def row(name: str, cells: list[str], of_metrics: list[float | None], count: int, said: Iterable[Any] = ()) -> str:
        """A row; cells that are not given are empty."""
        shown = [*cells, *[""] * (len(ALL_COLUMNS) - len(cells) - 1), *map(exact, of_metrics)]
        shown += [""] * (len(more) - len(of_metrics))
        behind = [*map(str, said)] or [""] * len(labels)
        return tsv_row([name, *shown, *([str(count)] if counted else []), *behind])

    empty = "\t" * (len(SCORED) - 1)
    for system in comparison.systems:
        by_metrics = [metric[system.name] for metric in results.metrics]
        segments = [None if result.segments is None else result.segments.tolist() for result in by_metrics]
        lines = results.segment_lines(system, lambda score: f"{score!r}{empty}\n") if results.segments else ()
        for number, line in enumerate(lines):
            scores = [
                scores[number] if scores and not suffix else None for scores in segments for suffix in _OF_METRICS
            ]
            said = results.labels(system.name, number).values()
            yield row(str(number + 1), [system.name, *line[:-1].split("\t")], scores, 1, said)
        for group in system.groups:
            assert group.scored is not None  # noqa: S101 – METEOR's
            cells = [system.name, *_scored(group.scored), exact(group.mean_segment_score)]
            yield row(f"{group.by}={group.label}", cells, [], group.segment_count)
        values = [value_at(result, path) for result in by_metrics for path in _OF_METRICS.values()]
        yield row("corpus", [system.name, *_corpus_cells(results, system)], values, comparison.segment_count)


def _scored(scored: ScoreBreakdown) -> list[str]:
    numbers = [exact(getattr(scored, name)) for name in NUMBERS]
    return [*numbers, str(scored.statistics.chunks), exact(scored.reference_index)]


def _corpus_cells(results: Results, system: System) -> list[str]:
    comparison = results.comparison
    values = [value_at(system, path) if path else comparison.compared for path in TSV_COLUMNS.values()]
    resampled = [comparison.samples, comparison.seed, comparison.confidence] if comparison.samples else [None] * 3
    values += [comparison.baseline, comparison.test, *resampled, results.preset, results.signature]
    values = [len(value) if isinstance(value, tuple) else value for value in values]
    return [*_scored(system.scored), *(value if isinstance(value, str) else exact(value) for value in values)]
