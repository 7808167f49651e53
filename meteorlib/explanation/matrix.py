"""Matrix drawing of an alignment: reference words down, hypothesis words across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.stages import stage_marks
from meteorlib.explanation.cells import MIN_CELLS, Line, Piece, clusters, cut, pad, visible_text, width
from meteorlib.explanation.rows import UNMATCHED, style_of


def matrix_lines(alignment: Alignment, cells: int) -> Iterator[Line]:
    """The lines, at most `cells` cells wide; blocks of columns are separated by an empty line.

    A match shows the mark of its stage. Each row starts with its reference word and the number of the chunk that
    begins there, or a line if the chunk continues.
    """
    reference = [visible_text(word) for word in alignment.reference]
    hypothesis = [list(clusters(visible_text(word))) for word in alignment.hypothesis]
    chunks = _chunks(alignment)
    stages = stage_marks(alignment.stages)
    numbers = max((len(number) for number in chunks.values()), default=1)
    label = min(max(map(width, reference), default=0), max(cells // 3, MIN_CELLS))
    column = 1 + max((width(letter) for word in hypothesis for letter in word), default=1)
    block_size = max((cells - label - numbers - 2) // column, 1)
    of_reference, of_hypothesis = alignment.by_reference, alignment.by_hypothesis
    for start in range(0, max(len(hypothesis), 1), block_size):
        if start:
            yield []
        block = range(start, min(start + block_size, len(hypothesis)))
        styles = [style_of(of_hypothesis[place].stage if place in of_hypothesis else None) for place in block]
        margin = " " * (label + numbers + 2)
        for row in _heads([hypothesis[place] for place in block]):
            cells_of_row = zip(row, styles, strict=True)
            yield [Piece(margin), *(Piece(pad(letter, column), style) for letter, style in cells_of_row)]
        for position, word in enumerate(reference):
            match = of_reference.get(position)
            first, *others = cut(word, label)
            style = style_of(None if match is None else match.stage)
            before = [Piece(pad(first, label + 1), style), Piece(f"{chunks.get(position, ''):>{numbers}} ", "chunk")]
            yield [*before, *_marks(block, match, column, stages)]
            yield from ([Piece(other, style)] for other in others)


def _marks(block: range, match: Match | None, column: int, stages: Sequence[str]) -> Iterator[Piece]:
    """A row of a block: the cells before the match, the match, the cells after it."""
    place, end, stage = block.stop, block.stop, 0
    if match is not None:
        place, end = (
            min(max(at, block.start), block.stop)
            for at in (match.hypothesis_start, match.hypothesis_start + match.hypothesis_length)
        )
        stage = match.stage
    yield Piece(pad(UNMATCHED, column) * (place - block.start), "no match")
    yield Piece(pad(stages[stage], column) * (end - place), style_of(stage))
    yield Piece(pad(UNMATCHED, column) * (block.stop - end), "no match")


def _heads(words: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Words written downward, aligned at the bottom."""
    height = max(map(len, words), default=0)
    for row in range(height):
        yield [word[row - height + len(word)] if row >= height - len(word) else "" for word in words]


def _chunks(alignment: Alignment) -> dict[int, str]:
    """Chunk label of each matched reference position: the number where the chunk begins, then a line."""
    return {
        position: "│" if position > chunk.reference_start else str(number)
        for number, chunk in enumerate(alignment.chunking.chunks, 1)
        for position in range(chunk.reference_start, chunk.reference_start + chunk.reference_length)
    }
