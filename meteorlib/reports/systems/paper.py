"""Parts of tables for papers, shared by LaTeX and Markdown: best scores, marks of significance, scores by group."""

from __future__ import annotations

from meteorlib.core.safe_text import harmless
from meteorlib.reports.groups import NO_LABEL
from meteorlib.reports.systems.table import TESTS, Systems, one_line, score_of


def best(systems: Systems) -> set[str]:
    """Names of the systems with the highest score, as printed; empty for a single system."""
    scores = {one.name: systems.number(one.score) for one in systems.comparison.systems}
    highest = systems.number(max(one.score for one in systems.comparison.systems))
    return {name for name, score in scores.items() if score == highest} if len(scores) > 1 else set()


def marked(systems: Systems) -> set[str]:
    """Names of the systems that differ significantly from the baseline, by the adjusted p value."""
    comparison = systems.comparison
    return {
        one.name
        for one in comparison.systems
        if one.difference is not None
        and one.difference.adjusted_p is not None
        and comparison.significant(one.difference.adjusted_p)
    }


def mark_meaning(systems: Systems) -> str:
    """The meaning of bold numbers and asterisks, in a sentence without its period."""
    comparison = systems.comparison
    if len(comparison.systems) == 1:
        return ""
    if comparison.test is None:
        return "bold: highest score"
    return (
        f"bold: highest score; *: differs significantly from {one_line(comparison.baseline)} "
        f"({TESTS[comparison.test]}, {comparison.samples} samples, seed {comparison.seed}, "
        f"Holm-adjusted p < {1 - comparison.confidence:.4g})"
    )


def group_cells(systems: Systems) -> list[list[list[str]]]:
    """A table for each grouping column, such as the test set: one row per system, one column per group."""
    tables = []
    for by in dict.fromkeys(group.by for groups in systems.groups.values() for group in groups):
        chosen = {name: [one for one in groups if one.by == by] for name, groups in systems.groups.items()}
        labels = [harmless(one.label) or NO_LABEL for one in next(iter(chosen.values()))]
        scores = [
            [one_line(name), *(systems.number(score_of(one, systems.comparison)) for one in groups)]
            for name, groups in chosen.items()
        ]
        tables.append([[by, *labels], *scores])
    return tables
