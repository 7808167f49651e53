"""Grids: rows of cells, the names of the columns first, as text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

Grid = Sequence[Sequence[str]]


def aligned(rows: Grid) -> str:
    """Columns of text: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def piped(rows: Grid) -> str:
    """A table of Markdown."""
    names, *others = [[escaped(cell) for cell in row] for row in rows]
    rule = [":--", *["--:"] * (len(names) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *others))


def escaped(text: str) -> str:
    """Text that means itself in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", text)
