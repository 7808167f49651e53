"""Parts of tables for papers, shared by LaTeX and Markdown: best scores, marks of significance, scores by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from meteorlib.core.rows import NONE, digits
from meteorlib.reports.groups import shown_label
from meteorlib.reports.systems.table import TESTS, Systems, cells, metric_column, score_of

METRICS = {"bleu": "BLEU", "chrf": "chrF", "chrf++": "chrF++", "ter": "TER"}
"""Names of metrics as papers write them."""


def best(systems: Systems) -> dict[str, set[str]]:
    """Names of the systems with the best score, as printed, by column of scores; empty for a single system."""
    if len(systems.comparison.systems) == 1:
        return {}
    columns = {"score": {one.name: systems.number(one.score) for one in systems.comparison.systems}}
    columns |= {metric.name: metric_column(systems, metric) for metric in systems.metrics}
    lower = {metric.name for metric in systems.metrics if metric.lower_is_better}
    found = {}
    for column, scores in columns.items():
        top = (min if column in lower else max)(scores.values(), key=float)
        found[column] = {name for name, score in scores.items() if score == top}
    return found


def marked(systems: Systems) -> dict[str, set[str]]:
    """Names of the systems that differ significantly from the baseline, by the adjusted p value, by column."""
    comparison = systems.comparison
    columns: dict[str, Mapping[str, float | None]] = {
        "score": {one.name: one.difference.adjusted_p for one in comparison.systems if one.difference is not None}
    }
    columns |= {
        metric.name: {name: one.adjusted_p for name, one in metric.systems.items()} for metric in systems.metrics
    }
    return {
        column: {name for name, p in listed.items() if p is not None and comparison.significant(p)}
        for column, listed in columns.items()
    }


def paper_cells(systems: Systems) -> list[list[str]]:
    """The whole table, with a column for each other metric."""
    head, *found = cells(systems)
    columns = {metric.name: metric_column(systems, metric) for metric in systems.metrics}
    return [
        [*head, *columns],
        *(
            [*row, *(scores[one.name] for scores in columns.values())]
            for row, one in zip(found, systems.comparison.systems, strict=True)
        ),
    ]


@frozen
class GroupTable:
    """Scores of the groups of a column, such as the test set: names first, a row for each system.

    Attributes:
        cells: the cells, with the labels of the groups in the first row.
        lower_is_better: whether the scores count errors.
    """

    cells: Sequence[Sequence[str]]
    lower_is_better: bool = False


def best_cells(table: GroupTable) -> set[tuple[int, int]]:
    """Row and column of the best scores, as printed; none for a single system."""
    best_of = min if table.lower_is_better else max
    found = set()
    for place, column in enumerate(zip(*table.cells[1:], strict=True)):
        scores = {number: float(cell) for number, cell in enumerate(column, 1) if place and cell != NONE}
        if len(column) > 1 and scores:
            top = best_of(scores.values())
            found |= {(number, place) for number, score in scores.items() if score == top}
    return found


def mark_meaning(systems: Systems) -> str:
    """The meaning of bold numbers and asterisks, in a sentence without its period."""
    comparison = systems.comparison
    if len(comparison.systems) == 1:
        return ""
    if comparison.test is None:
        return "bold: best score"
    return (
        f"bold: best score; *: differs significantly from {comparison.baseline} "
        f"({TESTS[comparison.test]}, {comparison.samples} samples, seed {comparison.seed}, "
        f"Holm-adjusted p < {1 - comparison.confidence:.4g})"
    )


def group_tables(systems: Systems) -> list[GroupTable]:
    """A table for each grouping column and each metric that has scores of groups."""
    tables = []
    for by in dict.fromkeys(group.by for groups in systems.groups.values() for group in groups):
        chosen = {name: [one for one in groups if one.by == by] for name, groups in systems.groups.items()}
        labels = [one.label for one in next(iter(chosen.values()))]
        shown = [*map(shown_label, labels)]
        scores = [
            [name, *(systems.number(score_of(one, systems.comparison)) for one in groups)]
            for name, groups in chosen.items()
        ]
        tables.append(GroupTable([[f"{by}: METEOR" if systems.metrics else by, *shown], *scores]))
        for metric in systems.metrics:
            width, found = systems.metric_width(metric), systems.metric_groups.get((by, metric.name))
            if found:
                scores = [[name, *(digits(one[label], width) for label in labels)] for name, one in found.items()]
                heading = f"{by}: {METRICS.get(metric.name, metric.name)}"
                tables.append(GroupTable([[heading, *shown], *scores], metric.lower_is_better))
    return tables
