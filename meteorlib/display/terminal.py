"""Text in the cells of a terminal, cut, padded, wrapped; tables, and alignments drawn as rows or as a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from textwrap import wrap
from typing import NamedTuple
from unicodedata import bidirectional, category, combining

from meteorlib.display.drawing import UNMATCHED, Cell, Column, Plan, stage_marks
from meteorlib.display.text import JOINERS, Row, harmless, label_width, listing, one_line, visible_text

Grid = Sequence[Sequence[str]]
"""Rows of a table, the column names first."""

WIDTH = 80
"""Width of a line in characters: the usual width of a terminal."""

MIN_CELLS = 4
"""Fewest cells for words, however narrow the terminal is."""

LABEL = 12
"""Width of the row labels of an alignment, in cells."""

GAP = 2
"""Space between two columns of an alignment, in cells."""

_LABELS = 18
"""Characters of a line that `fit_columns` keeps for the first column."""

_RIGHT_TO_LEFT = ("R", "AL", "AN")
_LEFT_TO_RIGHT_MARK = "\u200e"  # keeps text that follows right-to-left text behind it


class Piece(NamedTuple):
    """Text in one style, given by name; the code that prints it decides what the style looks like."""

    text: str
    style: str = ""


Line = list[Piece]


def plain(line: Line) -> str:
    """The text of a line, without styles."""
    return "".join(piece.text for piece in line)


def width(text: str) -> int:
    """Number of terminal cells that `text` takes."""
    from rich.cells import cell_len  # noqa: PLC0415 – slow to load

    return cell_len(text)


def pad(text: str, cells: int, filler: str = " ") -> str:
    """`text` padded to a number of cells; right-to-left text stays in its place."""
    mark = _LEFT_TO_RIGHT_MARK if any(bidirectional(letter) in _RIGHT_TO_LEFT for letter in text) else ""
    return f"{text}{mark}{filler * (cells - width(text))}"


def trim(line: Line) -> Line:
    """`line` without trailing spaces, which could run past the edge of the terminal."""
    kept = list(line)
    while kept:
        last = kept.pop()
        if text := last.text.rstrip(" "):
            return [*kept, Piece(text, last.style)]
    return kept


def clusters(text: str) -> Iterator[str]:
    """Grapheme clusters: letters with their marks, joined emoji, pairs of letters that make a flag."""
    if not text:
        return
    start, flags = 0, 0
    for index, (before, letter) in enumerate(pairwise(text), 1):
        flags = flags + 1 if _is_flag(before) else 0
        joined = letter in JOINERS or before == "\u200d" or combining(letter) or category(letter).startswith("M")
        if not (joined or "\U0001f3fb" <= letter <= "\U0001f3ff" or (_is_flag(letter) and flags % 2)):
            yield text[start:index]
            start = index
    yield text[start:]


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def cut(text: str, cells: int) -> list[str]:
    """`text` in pieces of at most `cells` cells (a wider letter is a piece); all except the last end with ``…``."""
    if width(text) <= cells:
        return [text]
    pieces: list[str] = []
    piece: list[str] = []
    used = 0
    for cluster in clusters(text):
        wide = width(cluster)
        if piece and used + wide > cells - 1:
            pieces.append("".join(piece) + "…")
            piece, used = [], 0
        piece.append(cluster)
        used += wide
    return [*pieces, "".join(piece)]


def wrap_line(text: str, cells: int, indent: int) -> list[str]:
    """`text` in lines of at most `cells` cells, broken at spaces; all but the first are indented."""
    words = text.lstrip(" ")
    lines, line, fresh = [], text[: len(text) - len(words)], True
    for word in words.split(" "):
        for number, part in enumerate(cut(word, max(cells - indent, MIN_CELLS))):
            if not fresh and (number or width(line) + 1 + width(part) > cells):
                lines.append(line)
                line, fresh = " " * indent, True
            line += part if fresh else f" {part}"
            fresh = False
    return [*lines, line]


def style_of(stage: int | None) -> str:
    """Name of the style of a stage, or of unmatched words."""
    return "unmatched" if stage is None else f"stage {stage}"


def row_lines(plan: Plan, cells: int) -> Iterator[Line]:
    """An alignment as two rows of words, at most `cells` cells wide; blocks are separated by an empty line."""
    room, marks = max(cells - LABEL, MIN_CELLS), stage_marks(plan.stages)
    shown = [part for column in plan.columns() for part in _cut_column(column, room)]
    moved = any(cell.stage is not None and not column.joined for column in shown for cell in column.cells)
    for number, block in enumerate(_blocks(shown, room)):
        if number:
            yield []
        widths = [_width(column) for column in block]
        above, below = [column.reference for column in block], [column.hypothesis for column in block]
        stages = [column.stage for column in block]
        of_stages = [Cell(UNMATCHED if stage is None else marks[stage], stage=stage) for stage in stages]
        yield _chunk_line(above, widths)
        yield _word_line("reference", above, widths)
        yield _word_line("stage", of_stages, widths)
        yield _word_line("hypothesis", below, widths)
        if moved:
            yield _chunk_line(below, widths)


def _cut_column(column: Column, room: int) -> Iterator[Column]:
    """The column, split into several if it is too wide."""
    sides = ([] if cell is None else [cell._replace(text=text) for text in cut(cell.text, room)] for cell in column[:2])
    return (Column(above, below, column.joined) for above, below in zip_longest(*sides))


def _width(column: Column) -> int:
    return max(max(width(cell.text), len(str(cell.chunk or ""))) for cell in column.cells)


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


def _word_line(label: str, cells: Sequence[Cell | None], widths: Sequence[int]) -> Line:
    shown = [Piece("") if cell is None else Piece(cell.text, style_of(cell.stage)) for cell in cells]
    padded = (Piece(pad(text, wide + GAP), style) for (text, style), wide in zip(shown, widths, strict=True))
    return [Piece(f"{label:<{LABEL}}", "label"), *padded]


def _chunk_line(cells: Sequence[Cell | None], widths: Sequence[int]) -> Line:
    """The number of each chunk above its first word, and a line over the rest of it."""
    line = [Piece(f"{'chunk':<{LABEL}}", "label")]
    numbers = [None if cell is None else cell.chunk for cell in cells]
    for (before, number), after, wide in zip(pairwise([None, *numbers]), [*numbers[1:], None], widths, strict=True):
        if number is None:
            line.append(Piece(" " * (wide + GAP)))
            continue
        drawn = pad("" if number == before else str(number), wide, "─")
        line.append(Piece(drawn + ("─" if number == after else " ") * GAP, "chunk"))
    return line


def matrix_lines(plan: Plan, cells: int) -> Iterator[Line]:
    """An alignment as a matrix, reference words down, hypothesis words across, at most `cells` cells wide.

    A match shows the mark of its stage. Each row starts with its reference word and the number of the chunk that
    begins there, or a line if the chunk continues. Blocks of columns are separated by an empty line.
    """
    reference = [visible_text(word) for word in plan.reference]
    hypothesis = [list(clusters(visible_text(word))) for word in plan.hypothesis]
    chunks, marks, matched = _chunk_labels(plan), stage_marks(plan.stages), plan.cells()
    of_reference = {row: stage for (row, _), stage in matched.items()}
    of_hypothesis = {column: stage for (_, column), stage in matched.items()}
    numbers = max((len(number) for number in chunks.values()), default=1)
    label = min(max(map(width, reference), default=0), max(cells // 3, MIN_CELLS))
    wide = 1 + max((width(letter) for word in hypothesis for letter in word), default=1)
    block_size = max((cells - label - numbers - 2) // wide, 1)
    for start in range(0, max(len(hypothesis), 1), block_size):
        if start:
            yield []
        block = range(start, min(start + block_size, len(hypothesis)))
        styles = [style_of(of_hypothesis.get(column)) for column in block]
        for letters in _heads([hypothesis[column] for column in block]):
            head = (Piece(pad(letter, wide), style) for letter, style in zip(letters, styles, strict=True))
            yield [Piece(" " * (label + numbers + 2)), *head]
        for row, word in enumerate(reference):
            first, *others = cut(word, label)
            style = style_of(of_reference.get(row))
            line = [Piece(pad(first, label + 1), style), Piece(f"{chunks.get(row, ''):>{numbers}} ", "chunk")]
            for stage, run in groupby(matched.get((row, column)) for column in block):
                mark, look = (UNMATCHED, "no match") if stage is None else (marks[stage], style_of(stage))
                line.append(Piece(pad(mark, wide) * len([*run]), look))
            yield line
            yield from ([Piece(other, style)] for other in others)


def _heads(words: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Words written downward, aligned at the bottom."""
    height = max(map(len, words), default=0)
    for row in range(height):
        yield [word[row - height + len(word)] if row >= height - len(word) else "" for word in words]


def _chunk_labels(plan: Plan) -> dict[int, str]:
    """Chunk label of each matched reference position: the number where the chunk begins, then a line."""
    numbers = zip(plan.matches, plan.chunk_numbers(), strict=True)
    chunk_of = {row: number for match, number in numbers for row in range(match[0], match[0] + match[1])}
    return {row: "│" if chunk_of.get(row - 1) == number else str(number) for row, number in chunk_of.items()}


def align_columns(rows: Grid) -> str:
    """Aligned columns of text, safe to print: the first one left-aligned, the others right-aligned."""
    safe = [[*map(harmless, row)] for row in rows]
    return _table_text(safe, max(width(row[0]) for row in safe))


def fit_columns(rows: Grid) -> str:
    """Aligned columns in lines of at most `WIDTH` characters, without cutting a cell.

    Columns that do not fit follow in another table below, with the first column repeated. A first cell that is too
    long gets a line of its own.
    """
    rows = [[*map(harmless, row)] for row in rows]
    widths = [max(map(width, column)) + 2 for column in zip(*rows, strict=True)][1:]
    tables = []
    for start, end in _column_ranges(widths, WIDTH - _LABELS):
        room = WIDTH - sum(widths[start:end])
        labels = [wide for row in rows if (wide := width(row[0])) <= room]
        tables.append(_table_text([[row[0], *row[1 + start : 1 + end]] for row in rows], max(labels, default=0)))
    return "\n\n".join(tables)


def _column_ranges(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """First column and end of each table, with as many columns as fit."""
    start = used = 0
    for column, wide in enumerate(widths):
        if used + wide > room and column > start:
            yield start, column
            start, used = column, 0
        used += wide
    yield start, len(widths)


def _table_text(rows: Grid, first: int) -> str:
    """Aligned columns, the first of them `first` characters wide; a longer first cell gets a line of its own."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)][1:]
    lines = []
    for label, *cells in rows:
        if width(label) > first:
            lines.append(label)
            label = ""  # noqa: PLW2901 – printed above
        others = (" " * (wide - width(cell)) + cell for cell, wide in zip(cells, widths, strict=True))
        lines.append("  ".join([label + " " * (first - width(label)), *others]).rstrip())
    return "\n".join(lines)


def notes_block(notes: Sequence[Row], signatures: Sequence[Row]) -> str:
    """Labeled notes, wrapped at `WIDTH` characters, and signatures, which stay whole so that they can be copied."""
    room = max(WIDTH - label_width([*notes, *signatures]), WIDTH // 2)
    lines = [
        ("" if number else label, line)
        for label, said in notes
        for number, line in enumerate(wrap_sentence(said, room))
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
