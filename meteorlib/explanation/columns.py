"""Columns of an alignment: matched words below each other, in two rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from attrs import frozen

from meteorlib.core.alignment import Alignment, Match
from meteorlib.explanation.cells import visible_text


@frozen
class Cell:
    """A span of one side.

    Attributes:
        text: its words, safe to print in a terminal; several are in braces.
        chunk: the number of its chunk, from 1; None if it is not matched.
        stage: the index of the stage that matched it; None if it is not matched.
    """

    text: str
    chunk: int | None = None
    stage: int | None = None


@frozen
class Column:
    """A match, or two unrelated spans, one below the other; one side may be empty.

    Attributes:
        reference: the span above.
        hypothesis: the span below.
        joined: whether both belong to one match.
    """

    reference: Cell | None
    hypothesis: Cell | None
    joined: bool = False

    @property
    def stage(self) -> int | None:
        """Stage of the match in this column; None if it has none."""
        cell = self.reference or self.hypothesis
        return None if cell is None else cell.stage


def columns(alignment: Alignment) -> list[Column]:
    """The words of both sides in order.

    As many matches as possible are joined in a column: a longest part of them that is in order on both sides. The
    others get a column of their own on each side, identified by the numbers of their chunks.
    """
    matches = alignment.matches
    heads = set(alignment.chunking.heads)
    numbers, number = [], 0
    for index in range(len(matches)):
        number += index in heads
        numbers.append(number)
    above = _side(alignment.reference, [(match.reference_start, match.reference_length) for match in matches])
    below = _side(alignment.hypothesis, [(match.hypothesis_start, match.hypothesis_length) for match in matches])

    def cell(words: Sequence[str], index: int | None) -> Cell:
        shown = " ".join(map(visible_text, words))
        if len(words) > 1:
            shown = f"{{{shown}}}"
        return Cell(shown) if index is None else Cell(shown, numbers[index], matches[index].stage)

    found: list[Column] = []
    joined = {*_longest_in_order(matches)}
    i = j = 0
    while i < len(above) or j < len(below):
        first, second = i, j
        while i < len(above) and above[i][1] not in joined:
            i += 1
        while j < len(below) and below[j][1] not in joined:
            j += 1
        found += _between([cell(*span) for span in above[first:i]], [cell(*span) for span in below[second:j]])
        if i < len(above):
            found.append(Column(cell(*above[i]), cell(*below[j]), joined=True))
            i, j = i + 1, j + 1
    return found


def _between(above: list[Cell], below: list[Cell]) -> Iterator[Column]:
    """Spans between two joined columns: unmatched words share columns where there is nothing else."""
    if any(cell.stage is not None for cell in (*above, *below)):
        yield from (Column(cell, None) for cell in above)
        yield from (Column(None, cell) for cell in below)
        return
    for index in range(max(len(above), len(below))):
        yield Column(above[index] if index < len(above) else None, below[index] if index < len(below) else None)


def _side(words: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[tuple[Sequence[str], int | None]]:
    """The spans of a side in order: the words of a match and its index, or an unmatched word and None."""
    found: list[tuple[Sequence[str], int | None]] = []
    position = 0
    for start, length, index in sorted((start, length, index) for index, (start, length) in enumerate(spans)):
        found += [((word,), None) for word in words[position:start]]
        position = start + length
        found.append((words[start:position], index))
    return [*found, *(((word,), None) for word in words[position:])]


def _longest_in_order(matches: Sequence[Match]) -> list[int]:
    """The indices of a longest increasing part of the matches, by their places in the hypothesis."""
    lasts: list[int] = []  # of the parts of each length, the one that ends first: where, and its match
    indices: list[int] = []
    before: list[int | None] = []
    for index, match in enumerate(matches):
        length = bisect_left(lasts, match.hypothesis_start)
        before.append(indices[length - 1] if length else None)
        lasts[length : length + 1], indices[length : length + 1] = [match.hypothesis_start], [index]
    found, last = [], indices[-1] if indices else None
    while last is not None:
        found.append(last)
        last = before[last]
    return found[::-1]
