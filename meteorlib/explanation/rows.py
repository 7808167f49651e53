"""Row drawing of an alignment: two rows of words in blocks of a terminal's width."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest

from attrs import evolve

from meteorlib.core.alignment import Alignment
from meteorlib.core.stages import stage_marks
from meteorlib.explanation.cells import MIN_CELLS, Line, Piece, cut, pad, width
from meteorlib.explanation.columns import Cell, Column, columns

LABEL = 12
"""Width of the row labels, in cells."""

GAP = 2
"""Space between two columns, in cells."""

UNMATCHED = "·"
"""Mark of unmatched words, in place of the mark of a stage."""


def row_lines(alignment: Alignment, cells: int) -> Iterator[Line]:
    """The lines, at most `cells` cells wide; blocks are separated by an empty line."""
    room = max(cells - LABEL, MIN_CELLS)
    stages = stage_marks(alignment.stages)
    shown = [part for column in columns(alignment) for part in _cut(column, room)]
    moved = any(cell.stage is not None and not column.joined for column in shown for cell in _cells(column))
    for number, block in enumerate(_blocks(shown, room)):
        if number:
            yield []
        widths = [_width(column) for column in block]
        yield _chunks(block, widths, lambda column: column.reference)
        yield _words("reference", block, widths, lambda column: column.reference)
        yield _marks(block, widths, stages)
        yield _words("hypothesis", block, widths, lambda column: column.hypothesis)
        if moved:
            yield _chunks(block, widths, lambda column: column.hypothesis)


def style_of(stage: int | None) -> str:
    """Name of the style of a stage, or of unmatched words."""
    return "unmatched" if stage is None else f"stage {stage}"


def _cells(column: Column) -> list[Cell]:
    return [cell for cell in (column.reference, column.hypothesis) if cell is not None]


def _cut(column: Column, room: int) -> Iterator[Column]:
    """The column, split into several if it is too wide."""
    above, below = ([] if cell is None else cut(cell.text, room) for cell in (column.reference, column.hypothesis))
    for one, other in zip_longest(above, below):
        reference = None if one is None or column.reference is None else evolve(column.reference, text=one)
        hypothesis = None if other is None or column.hypothesis is None else evolve(column.hypothesis, text=other)
        yield Column(reference, hypothesis, column.joined)


def _width(column: Column) -> int:
    return max(max(width(cell.text), len(str(cell.chunk or ""))) for cell in _cells(column))


def _blocks(shown: Sequence[Column], room: int) -> Iterator[list[Column]]:
    block: list[Column] = []
    used = 0
    for column in shown:
        wide = _width(column)
        if block and used + GAP + wide > room:
            yield block
            block, used = [], 0
        used += wide + (GAP if block else 0)
        block.append(column)
    if block:
        yield block


def _words(label: str, block: Sequence[Column], widths: Sequence[int], side: Callable[[Column], Cell | None]) -> Line:
    line = [Piece(f"{label:<{LABEL}}", "label")]
    for column, wide in zip(block, widths, strict=True):
        cell = side(column)
        text, style = ("", "") if cell is None else (cell.text, style_of(cell.stage))
        line.append(Piece(pad(text, wide + GAP), style))
    return line


def _marks(block: Sequence[Column], widths: Sequence[int], stages: Sequence[str]) -> Line:
    line = [Piece(f"{'stage':<{LABEL}}", "label")]
    for column, wide in zip(block, widths, strict=True):
        mark = UNMATCHED if column.stage is None else stages[column.stage]
        line.append(Piece(pad(mark, wide + GAP), style_of(column.stage)))
    return line


def _chunks(block: Sequence[Column], widths: Sequence[int], side: Callable[[Column], Cell | None]) -> Line:
    """The number of each chunk above its first word, and a line over the rest of it."""
    line = [Piece(f"{'chunk':<{LABEL}}", "label")]
    numbers = [cell.chunk if (cell := side(column)) is not None else None for column in block]
    for (before, number), after, wide in zip(pairwise([None, *numbers]), [*numbers[1:], None], widths, strict=True):
        if number is None:
            line.append(Piece(" " * (wide + GAP)))
            continue
        drawn = pad("" if number == before else str(number), wide, "─")
        line.append(Piece(drawn + ("─" if number == after else " ") * GAP, "chunk"))
    return line
