"""Tables as aligned text and as Markdown, from rows of cells with the column names first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from meteorlib.core.rows import Row, label_width, listing
from meteorlib.core.safe_text import harmless, one_line

Grid = Sequence[Sequence[str]]

WIDTH = 80
"""Width of a line in characters: the usual width of a terminal."""

_LABELS = 18
"""Characters of a line that `fit_columns` keeps for the first column."""


def cell_len(text: str) -> int:
    """Columns of a terminal that a text takes."""
    from rich.cells import cell_len as measured  # noqa: PLC0415 – slow to load

    return measured(text)


def align_columns(rows: Grid) -> str:
    """Aligned columns of text: the first one left-aligned, the others right-aligned."""
    rows = _safe(rows)
    return _table_text(rows, max(cell_len(row[0]) for row in rows))


def fit_columns(rows: Grid) -> str:
    """Aligned columns in lines of at most `WIDTH` characters, without cutting a cell.

    Columns that do not fit follow in another table below, with the first column repeated. A first cell that is too
    long gets a line of its own.
    """
    rows = _safe(rows)
    widths = [max(map(cell_len, column)) + 2 for column in zip(*rows, strict=True)][1:]
    tables = []
    for start, end in _spans(widths, WIDTH - _LABELS):
        room = WIDTH - sum(widths[start:end])
        labels = [wide for row in rows if (wide := cell_len(row[0])) <= room]
        tables.append(_table_text([[row[0], *row[1 + start : 1 + end]] for row in rows], max(labels, default=0)))
    return "\n\n".join(tables)


def _safe(rows: Grid) -> Grid:
    """Cells that break no line and do not control a terminal."""
    return [[*map(harmless, row)] for row in rows]


def _spans(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """First column and end of each table, with as many columns as fit."""
    start = used = 0
    for place, width in enumerate(widths):
        if used + width > room and place > start:
            yield start, place
            start, used = place, 0
        used += width
    yield start, len(widths)


def _table_text(rows: Grid, first: int) -> str:
    """Aligned columns, the first of them `first` characters wide; a longer first cell gets a line of its own."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)][1:]
    lines = []
    for label, *cells in rows:
        if cell_len(label) > first:
            lines.append(label)
            label = ""  # noqa: PLW2901 – printed above
        others = (" " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([label + " " * (first - cell_len(label)), *others]).rstrip())
    return "\n".join(lines)


def notes_block(notes: Sequence[Row], signatures: Sequence[Row]) -> str:
    """Labeled notes, wrapped at `WIDTH` characters, and signatures, which stay whole so that they can be copied."""
    room = max(WIDTH - label_width([*notes, *signatures]), WIDTH // 2)
    lines = [
        ("" if place else label, line) for label, said in notes for place, line in enumerate(wrap_sentence(said, room))
    ]
    return listing([*lines, *signatures])


def wrap_sentence(sentence: str, width: int = WIDTH) -> list[str]:
    """A sentence in lines of at most this many characters, safe to print; words stay whole."""
    return wrap(harmless(sentence), width, break_long_words=False, break_on_hyphens=False)


def markdown_table(rows: Grid) -> str:
    """A Markdown table."""
    names, *others = [[escape_markdown(cell) for cell in row] for row in rows]
    rule = [":--", *["--:"] * (len(names) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *others))


def escape_markdown(text: str) -> str:
    """Text in one line with the special characters of Markdown escaped, safe to print."""
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", one_line(text))
