"""Markdown table of compared systems."""

from __future__ import annotations

from collections.abc import Iterator

from meteorlib.core.safe_text import one_line
from meteorlib.reports.grid import escape_markdown, markdown_table
from meteorlib.reports.systems.paper import (
    METRICS,
    GroupTable,
    best,
    best_cells,
    group_tables,
    mark_meaning,
    marked,
    paper_cells,
)
from meteorlib.reports.systems.table import Systems, notes


def markdown(systems: Systems) -> Iterator[str]:
    """Markdown tables, with the highest score in bold, marks of significance, and the notes as a list below."""
    tables = [*map(_group_table, group_tables(systems)), _marked_table(systems)]
    yield "\n\n".join([*tables, "\n".join(_notes(systems))]) + "\n"


def _group_table(table: GroupTable) -> str:
    lines = markdown_table(table.cells).split("\n")
    highest = best_cells(table)
    for number, row in enumerate(table.cells[1:], 1):
        listed = [escape_markdown(cell) for cell in row]
        shown = [f"**{cell}**" if (number, place) in highest else cell for place, cell in enumerate(listed)]
        lines[1 + number] = f"| {' | '.join(shown)} |"
    return "\n".join(lines)


def _marked_table(systems: Systems) -> str:
    (head, *rows), bold, star = paper_cells(systems), best(systems), marked(systems)
    lines = markdown_table([[METRICS.get(name, name) for name in head], *rows]).split("\n")
    for number, one in enumerate(systems.comparison.systems):
        listed = [escape_markdown(cell) for cell in rows[number]]
        for place, column in enumerate(head):
            if one.name in bold.get(column, ()):
                listed[place] = f"**{listed[place]}**"
            if one.name in star.get(column, ()):
                listed[place] += r"\*"
        lines[2 + number] = f"| {' | '.join(listed)} |"
    return "\n".join(lines)


def _notes(systems: Systems) -> Iterator[str]:
    for label, said in notes(systems):
        if label == "signature" and (marks := mark_meaning(systems)):
            yield f"- marks: {escape_markdown(marks)}"
        # a signature has no backquotes
        written = f"`{one_line(said)}`" if label == "signature" else escape_markdown(said)
        yield f"- {escape_markdown(METRICS.get(label, label))}: {written}"
