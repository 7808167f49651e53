"""Grids: rows of cells, the names of the columns first, as text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len

from meteorlib.core.rows import Row, label_width, listing

Grid = Sequence[Sequence[str]]

WIDTH = 80
"""Characters of a line: the usual width of a terminal."""

_LABELS = 18
"""Characters of a line that `fitted` keeps for the first column."""


def aligned(rows: Grid) -> str:
    """Columns of text: the first to the left, the others to the right."""
    return _drawn(rows, max(cell_len(row[0]) for row in rows))


def fitted(rows: Grid) -> str:
    """Aligned columns in lines of at most `WIDTH` characters, without cutting a cell.

    Columns that do not fit follow in another table below, with the first column repeated. A first cell that is too
    long to stand before the others has a line of its own.
    """
    widths = [max(map(cell_len, column)) + 2 for column in zip(*rows, strict=True)][1:]
    tables = []
    for start, end in _spans(widths, WIDTH - _LABELS):
        room = WIDTH - sum(widths[start:end])
        labels = [wide for row in rows if (wide := cell_len(row[0])) <= room]
        tables.append(_drawn([[row[0], *row[1 + start : 1 + end]] for row in rows], max(labels, default=0)))
    return "\n\n".join(tables)


def _spans(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """The first column, and the one after the last, of each table that has as many columns as there is room for."""
    start = taken = 0
    for place, width in enumerate(widths):
        if taken + width > room and place > start:
            yield start, place
            start, taken = place, 0
        taken += width
    yield start, len(widths)


def _drawn(rows: Grid, first: int) -> str:
    """Aligned columns, the first of them `first` characters wide; a longer first cell has a line of its own."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)][1:]
    lines = []
    for label, *cells in rows:
        if cell_len(label) > first:
            lines.append(label)
            label = ""  # noqa: PLW2901 – printed above
        others = (" " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([label + " " * (first - cell_len(label)), *others]).rstrip())
    return "\n".join(lines)


def noted(notes: Sequence[Row], signatures: Sequence[Row]) -> str:
    """Labels with sentences, wrapped at `WIDTH` characters, and with signatures, which stay whole, to be copied."""
    room = max(WIDTH - label_width([*notes, *signatures]), WIDTH // 2)
    lines = [("" if place else label, line) for label, said in notes for place, line in enumerate(wrapped(said, room))]
    return listing([*lines, *signatures])


def wrapped(sentence: str, width: int = WIDTH) -> list[str]:
    """A sentence in lines of at most this many characters; words stay whole."""
    return wrap(sentence, width, break_long_words=False, break_on_hyphens=False)


def piped(rows: Grid) -> str:
    """A table of Markdown."""
    names, *others = [[escaped(cell) for cell in row] for row in rows]
    rule = [":--", *["--:"] * (len(names) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *others))


def escaped(text: str) -> str:
    """Text that means itself in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", text)
