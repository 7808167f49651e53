"""Segments of a corpus as a table: the first ones, and those with the lowest scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from meteorlib.core.breakdown import MAIN_NUMBERS, ScoreBreakdown
from meteorlib.display.displayable import Grid, Tabular
from meteorlib.display.text import NONE, digits, visible_text

SEGMENTS_SHOWN = 20
"""Segments that a notebook lists."""


def segment_grid(indices: Sequence[int], segments: Sequence[ScoreBreakdown]) -> Grid:
    """A table of segments with their indices in the corpus, from 0."""
    return [
        ["index", *MAIN_NUMBERS, "chunks", "reference"],
        *(
            [
                str(index),
                *(digits(getattr(scored, name)) for name in MAIN_NUMBERS),
                str(scored.statistics.chunks),
                NONE if scored.reference_index is None else str(scored.reference_index),
            ]
            for index, scored in zip(indices, segments, strict=True)
        ),
    ]


@frozen
class WorstSegments(Tabular):
    """The segments of a corpus with the lowest scores, lowest first, equal ones in their order.

    It is a sequence of pairs: the index in the corpus, from 0, and the breakdown. A notebook shows the words, too.

    Attributes:
        indices: the indices of the segments.
        segments: their breakdowns.
    """

    indices: tuple[int, ...]
    segments: tuple[ScoreBreakdown, ...]

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[tuple[int, ScoreBreakdown]]:
        return zip(self.indices, self.segments, strict=True)

    def __str__(self) -> str:
        from meteorlib.display.terminal import align_columns  # noqa: PLC0415 – for people only

        return align_columns(segment_grid(self.indices, self.segments))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"segments": [{"index": index, **scored.to_dict()} for index, scored in self]}

    def _grids(self) -> list[Grid]:
        head, *rows = segment_grid(self.indices, self.segments)
        words = [[_words(scored, "hypothesis"), _words(scored, "reference")] for scored in self.segments]
        return [[[*head, "words", "words of the reference"], *map(list.__add__, rows, words)]]


def _words(scored: ScoreBreakdown, side: str) -> str:
    """The words of a side as METEOR compares them; a dash if the mean of several references counts."""
    return NONE if scored.alignment is None else visible_text(" ".join(getattr(scored.alignment, side)))
