"""The plan of a drawn alignment, which terminals, notebooks and pages render; marks and colors of its stages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from meteorlib.display.text import Row, visible_text

EXACT_MARK = "●"
"""Mark of the stage ``exact``, the most frequent one."""

UNMATCHED = "·"
"""Mark of unmatched words, in place of the mark of a stage."""


class StageColor(NamedTuple):
    """Color of a stage: hex colors, on which those of `ON_COLOR` can be read, and a terminal's own color."""

    light: str
    dark: str
    terminal: str  # suits the terminal's background


STAGE_COLORS = (
    StageColor("#697385", "#d6e6f9", "default"),
    StageColor("#12381a", "#67d47c", "green"),
    StageColor("#7957f5", "#956fff", "bright_blue"),
    StageColor("#ad5b14", "#cd6f01", "yellow"),
    StageColor("#7b176a", "#b8719d", "magenta"),
    StageColor("#123eb5", "#91affa", "blue"),
)
"""Colors by place of the stage; a seventh one has the first again.

The smallest distance between two hex colors (OKLab) is at least .13 on light pages and .14 on dark ones, for normal
vision, deuteranopia and protanopia; .02 can just be told apart. A random search found them; the dark ones were then
adjusted for contrast.
"""

ON_COLOR = StageColor("#fff", "#14171a", "default")
"""Color of text on these colors."""


def stage_marks(names: Sequence[str]) -> list[str]:
    """A mark for each stage: a dot for exact matches, else the first letter of its name that is free, or its number."""
    marks: list[str] = []
    letters: list[str] = []
    for number, name in enumerate(names, 1):
        free = (letter for letter in name.lower() if letter.isalnum() and letter not in letters)
        letters.append(next(free, str(number)))
        marks.append(EXACT_MARK if name == "exact" else letters[-1])
    return marks


def color_at(stage: int) -> StageColor:
    """Color of the stage at a place, from 0."""
    return STAGE_COLORS[stage % len(STAGE_COLORS)]


def color_variables(prefix: str, *, dark: bool) -> str:
    """Declarations of CSS variables: ``--PREFIXstage-0`` and so on, and ``--PREFIXon`` for text on them."""
    shades = [color.dark if dark else color.light for color in (*STAGE_COLORS, ON_COLOR)]
    names = [*(f"stage-{stage}" for stage in range(len(STAGE_COLORS))), "on"]
    return ";".join(f"--{prefix}{name}:{shade}" for name, shade in zip(names, shades, strict=True))


class Cell(NamedTuple):
    """A match on one side, with the number of its chunk, from 1, and the index of its stage; or an unmatched word."""

    text: str  # safe to print; several words are in braces
    chunk: int | None = None
    stage: int | None = None


class Column(NamedTuple):
    """A match, whose cells are `joined`, or two unrelated cells, one below the other; one side may be empty."""

    reference: Cell | None
    hypothesis: Cell | None
    joined: bool = False

    @property
    def cells(self) -> list[Cell]:
        """The cells that are not empty."""
        return [cell for cell in (self.reference, self.hypothesis) if cell is not None]

    @property
    def stage(self) -> int | None:
        """Stage of the match in this column; None if it has none."""
        return self.cells[0].stage


Span = tuple[tuple[str, ...], int | None]
"""The words of a match on one side and its index, or an unmatched word and None."""


class Plan(NamedTuple):
    """An alignment to be drawn: its words, its matches as `meteorlib.core.Match` has them, names of the stages."""

    reference: Sequence[str]
    hypothesis: Sequence[str]
    matches: Sequence[tuple[int, int, int, int, int]]
    heads: Sequence[int]  # for each chunk, the index of the match that begins it
    stages: Sequence[str]
    shares: Sequence[float] = ()  # how much of each match counts, 0..1; empty if all count whole

    @property
    def stage_counts(self) -> list[int]:
        """The number of matches of each stage."""
        return [sum(match[4] == stage for match in self.matches) for stage in range(len(self.stages))]

    def chunk_numbers(self) -> list[int]:
        """For each match, the number of its chunk, from 1."""
        heads, number = set(self.heads), 0
        return [number := number + (index in heads) for index in range(len(self.matches))]

    def spans(self, side: int) -> list[Span]:
        """The spans of the reference (0) or of the hypothesis (1), in order."""
        words = (self.reference, self.hypothesis)[side]
        spans: list[Span] = []
        position = 0
        placed = sorted((*match[2 * side : 2 * side + 2], index) for index, match in enumerate(self.matches))
        for start, length, index in placed:
            spans += [((word,), None) for word in words[position:start]]
            position = start + length
            spans.append((tuple(words[start:position]), index))
        return [*spans, *(((word,), None) for word in words[position:])]

    def cells(self) -> dict[tuple[int, int], int]:
        """Stage of each pair of matched positions of both sides."""
        return {
            (row, column): stage
            for start, length, first, words, stage in self.matches
            for row in range(start, start + length)
            for column in range(first, first + words)
        }

    def shared_pairs(self) -> list[str]:
        """The matches that count in part: both sides, and how much of them counts."""
        return [
            f"{' '.join(self.reference[start : start + length])} – {' '.join(self.hypothesis[first : first + words])} "
            f"{share:.2f}"
            for (start, length, first, words, _), share in zip(self.matches, self.shares, strict=False)
            if share != 1
        ]

    def rows(self) -> list[Row]:
        """Both sides, ``word[3]`` for the word of match 3 and ``{two words}[3]`` for several, and the matches by stage.

        Behind a match that counts in part stands how much of it does.
        """
        shares = self.shares or [1.0] * len(self.matches)
        numbers = [f"{number}{'' if share == 1 else f' ({share:.2f})'}" for number, share in enumerate(shares, 1)]
        of_stages = [
            (name, ", ".join(numbers[index] for index, match in enumerate(self.matches) if match[4] == stage))
            for stage, name in enumerate(self.stages)
        ]
        return [
            *((label, " ".join(map(_numbered, self.spans(side)))) for side, label in enumerate(self._fields[:2])),
            *((name, listed) for name, listed in of_stages if listed),
        ]

    def columns(self) -> list[Column]:
        """The words of both sides in order, matched ones below each other.

        As many matches as possible are joined in a column: a longest part of them that is in order on both sides. The
        others get a column of their own on each side, identified by the numbers of their chunks.
        """
        numbers, joined = self.chunk_numbers(), {*_longest_in_order(self.matches)}

        def cells(spans: Sequence[Span]) -> list[Cell]:
            texts = [(_braced([*map(visible_text, words)]), index) for words, index in spans]
            return [
                Cell(text) if index is None else Cell(text, numbers[index], self.matches[index][4])
                for text, index in texts
            ]

        above, below = self.spans(0), self.spans(1)
        columns: list[Column] = []
        i = j = 0
        while i < len(above) or j < len(below):
            start, other_start = i, j
            while i < len(above) and above[i][1] not in joined:
                i += 1
            while j < len(below) and below[j][1] not in joined:
                j += 1
            columns += _between(cells(above[start:i]), cells(below[other_start:j]))
            if i < len(above):
                first, second = cells([above[i], below[j]])
                columns.append(Column(first, second, joined=True))
                i, j = i + 1, j + 1
        return columns


def _braced(words: Sequence[str]) -> str:
    text = " ".join(words)
    return f"{{{text}}}" if len(words) > 1 else text


def _numbered(span: Span) -> str:
    words, index = span
    return f"{_braced(words)}{'' if index is None else f'[{index + 1}]'}"


def _between(above: list[Cell], below: list[Cell]) -> Iterator[Column]:
    """Spans between two joined columns: unmatched words share columns where there is nothing else."""
    if any(cell.stage is not None for cell in (*above, *below)):
        yield from (Column(cell, None) for cell in above)
        yield from (Column(None, cell) for cell in below)
        return
    for pair in zip_longest(above, below):
        yield Column(*pair)


def _longest_in_order(matches: Sequence[tuple[int, int, int, int, int]]) -> list[int]:
    """The indices of a longest part of the matches that is in order in the hypothesis, the last one first."""
    ends: list[int] = []  # of the parts of each length, the one that ends first: where, and its match
    indices: list[int] = []
    before: list[int | None] = []
    for index, match in enumerate(matches):
        length = bisect_left(ends, match[2])
        before.append(indices[length - 1] if length else None)
        ends[length : length + 1], indices[length : length + 1] = [match[2]], [index]
    part, last = [], indices[-1] if indices else None
    while last is not None:
        part.append(last)
        last = before[last]
    return part
