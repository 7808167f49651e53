"""TSV report of systems, in full double precision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from meteorlib.analysis.results import Difference, MetricSystem, System
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.formula import NUMBERS
from meteorlib.core.rows import exact, tsv_row
from meteorlib.reports.systems.table import Systems

SCORED = (*NUMBERS, "chunks", "reference_index")
"""Columns of a segment."""

COLUMNS = (
    "segment", "system", *SCORED, "mean_segment_score", "compared", "low", "high", "runs", "s_sel", "s_opt",
    "difference", "difference_low", "difference_high", "p", "adjusted_p", "rank", "baseline", "test", "samples",
    "seed", "confidence", "preset", "signature",
)  # fmt: skip

_METRIC: dict[str, Callable[[MetricSystem], float | None]] = {
    "": lambda one: one.score,
    "_low": lambda one: None if one.interval is None else one.interval.low,
    "_high": lambda one: None if one.interval is None else one.interval.high,
    "_p": lambda one: one.p,
    "_adjusted_p": lambda one: one.adjusted_p,
}
"""Columns of another metric, by what follows its name."""


def segment(_number: int, scored: ScoreBreakdown) -> str:
    """The line of a segment: the cells of `SCORED`."""
    return "\t".join(_scored(scored)) + "\n"


def tsv(systems: Systems) -> Iterator[str]:
    """A line of column names, then rows for each system: its segments, if requested, its groups, and ``corpus``.

    Rows of groups are called ``document=LABEL``; with groups there is a column ``segment_count``. If rows were
    joined by id, the last column is ``id``. Undefined values are empty.
    Each other metric has columns that start with its name.
    """
    counted, ids = bool(systems.groups), bool(systems.ids)
    more = [f"{metric.name}{suffix}" for metric in systems.metrics for suffix in _METRIC]
    yield tsv_row([*COLUMNS, *more, *(["segment_count"] if counted else []), *(["id"] if ids else [])])

    def end(metrics: Sequence[float | None], count: int, label: str = "") -> list[str]:
        cells = [*map(exact, metrics), *[""] * (len(more) - len(metrics))]
        return [*cells, *([str(count)] if counted else []), *([label] if ids else [])]

    blank = [""] * (len(COLUMNS) - len(SCORED) - 2)
    for system in systems.comparison.systems:
        name, metrics = system.name, [metric.systems[system.name] for metric in systems.metrics]
        for number, line in enumerate(_lines(systems, system.name)):
            scores = [
                one.segments[number] if not suffix and one.segments is not None else None
                for one in metrics
                for suffix in _METRIC
            ]
            label = systems.ids[number] if ids else ""
            yield tsv_row([str(number + 1), name, *line[:-1].split("\t"), *blank, *end(scores, 1, label)])
        for group in systems.groups.get(system.name, ()):
            cells = [f"{group.by}={group.label}", name, *_scored(group.scored)]
            yield tsv_row([*cells, exact(group.mean_segment_score), *blank[1:], *end((), group.segment_count)])
        values = [value(one) for one in metrics for value in _METRIC.values()]
        yield tsv_row(["corpus", name, *_row(system, systems), *end(values, systems.comparison.segment_count)])


def _lines(systems: Systems, name: str) -> Iterable[str]:
    """The line of each segment; of a system with several runs, its mean score."""
    if name in systems.lines:
        return systems.lines[name]
    empty = "\t" * (len(SCORED) - 1)
    return (f"{score!r}{empty}\n" for score in (systems.segments or {}).get(name, ()))


def _scored(scored: ScoreBreakdown) -> list[str]:
    numbers = [exact(getattr(scored, name)) for name in NUMBERS]
    return [*numbers, str(scored.statistics.chunks), exact(scored.reference_index)]


def _row(system: System, systems: Systems) -> list[str]:
    comparison, interval, difference = systems.comparison, system.interval, system.difference
    values = [
        system.mean_segment_score,
        comparison.compared,
        *([None] * 2 if interval is None else [interval.low, interval.high]),
        len(system.runs),
        system.s_sel,
        system.s_opt,
        *([None] * 5 if difference is None else _difference(difference)),
        system.rank,
        comparison.baseline,
        comparison.test,
        *([comparison.samples, comparison.seed, comparison.confidence] if comparison.samples else [None] * 3),
        systems.preset,
        systems.signature,
    ]
    return [*_scored(system.scored), *(value if isinstance(value, str) else exact(value) for value in values)]


def _difference(difference: Difference) -> list[float | None]:
    ends = difference.interval
    return [difference.value, ends.low, ends.high, difference.p, difference.adjusted_p]
