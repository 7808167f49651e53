"""HTML table of a corpus' first segments, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.display.notebook import grid
from meteorlib.display.text import digits

SEGMENTS_SHOWN = 20
"""Segments that a notebook lists."""

_COLUMNS = ("score", "precision", "recall", "penalty")


def segment_table(segments: Sequence[ScoreBreakdown], count: int) -> str:
    """A table of segments, the first ones of `count`."""
    rows = [
        [
            str(index),
            *(digits(getattr(scored, name)) for name in _COLUMNS),
            str(scored.statistics.chunks),
            "–" if scored.reference_index is None else str(scored.reference_index),
        ]
        for index, scored in enumerate(segments)
    ]
    more = count - len(rows)
    rest = f"<div>and {more} more segments; corpus[index] shows one</div>" if more else ""
    return f"{grid(['index', *_COLUMNS, 'chunks', 'reference_index'], rows)}{rest}"
