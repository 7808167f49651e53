"""TSV report of compared systems, in full double precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from meteorlib.analysis.significance.other_metrics import MetricComparison, MetricSystem
from meteorlib.analysis.significance.results import Difference, System, SystemComparison
from meteorlib.core.formula import NUMBERS
from meteorlib.core.rows import exact, tsv_row
from meteorlib.reports.systems.table import Systems
from meteorlib.reports.tsv import ID, SEGMENT_COUNT

COLUMNS = (
    "segment", "system", *NUMBERS, "mean_segment_score", "compared", "low", "high", "runs", "s_sel", "s_opt",
    "difference", "difference_low", "difference_high", "p", "adjusted_p", "rank", "baseline", "test", "samples",
    "seed", "confidence", "signature",
)  # fmt: skip


def tsv(systems: Systems) -> str:
    """A line of column names, then rows for each system: its segments, if requested, its groups, and ``corpus``.

    Rows of groups are called ``document=LABEL``; with groups there is a column ``segment_count``. If rows were
    joined by id, the last column is ``id``. Undefined values are empty.
    Each other metric has columns that start with its name.
    """
    rows: list[list[str]] = [[*COLUMNS]]
    counts, ids = [SEGMENT_COUNT], [ID]
    for system in systems.comparison.systems:
        for number, score in enumerate((systems.segments or {}).get(system.name, ()), 1):
            rows.append([str(number), system.name, repr(score), *[""] * (len(COLUMNS) - 3)])
            counts.append("1")
            ids.append(systems.ids[number - 1] if systems.ids else "")
        for group in systems.groups.get(system.name, ()):
            numbers = [*(_cell(getattr(group.scored, name)) for name in NUMBERS), _cell(group.mean_segment_score)]
            row = [f"{group.by}={group.label}", system.name, *numbers]
            rows.append([*row, *[""] * (len(COLUMNS) - len(row))])
            counts.append(str(group.segment_count))
        rows.append(_row(system, systems.comparison, systems.signature))
        counts.append(str(systems.comparison.segment_count))
        ids += [""] * (len(rows) - len(ids))
    metrics = [column for metric in systems.metrics for column in _metric_columns(systems, metric)]
    for more in [*metrics, *([counts] if systems.groups else []), *([ids] if systems.ids else [])]:
        rows = [[*row, cell] for row, cell in zip(rows, more, strict=True)]
    return "".join(map(tsv_row, rows))


def _metric_columns(systems: Systems, metric: MetricComparison) -> Iterator[list[str]]:
    """Columns of another metric: its score, the ends of its interval, and its p values, in the rows of the systems."""
    values: dict[str, Callable[[MetricSystem], float | None]] = {
        "": lambda one: one.score,
        "_low": lambda one: None if one.interval is None else one.interval.low,
        "_high": lambda one: None if one.interval is None else one.interval.high,
        "_p": lambda one: one.p,
        "_adjusted_p": lambda one: one.adjusted_p,
    }
    for suffix, value in values.items():
        column = [f"{metric.name}{suffix}"]
        for system in systems.comparison.systems:
            one = metric.systems[system.name]
            count = len((systems.segments or {}).get(system.name, ()))
            scores = one.segments if not suffix and one.segments is not None else [None] * count
            column += [_cell(score) for score in scores[:count]]
            column += [""] * len(systems.groups.get(system.name, ()))
            column.append(_cell(value(one)))
        yield column


def _row(system: System, comparison: SystemComparison, signature: str) -> list[str]:
    difference = system.difference
    values = [
        *(getattr(system.scored, name) for name in NUMBERS),
        system.mean_segment_score,
        comparison.compared,
        system.interval.low,
        system.interval.high,
        len(system.runs),
        system.s_sel,
        system.s_opt,
        *([None] * 5 if difference is None else _difference(difference)),
        system.rank,
        comparison.baseline,
        comparison.test,
        comparison.samples,
        comparison.seed,
        comparison.confidence,
        signature,
    ]
    return ["corpus", system.name, *map(_cell, values)]


def _difference(difference: Difference) -> list[float | None]:
    ends = difference.interval
    return [difference.value, ends.low, ends.high, difference.p, difference.adjusted_p]


def _cell(value: float | str | None) -> str:
    return value if isinstance(value, str) else exact(value)
