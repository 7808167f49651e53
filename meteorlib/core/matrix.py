"""Matrix: an alignment as plain data, for code that draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from meteorlib.core.segment import SCALE


class Matrix(NamedTuple):
    """The words of both sides and their matches; the attributes are those of `meteorlib.core.Alignment`."""

    reference: Sequence[str]
    hypothesis: Sequence[str]
    matches: Sequence[tuple[int, int, int, int, int]]
    stages: Sequence[str]
    grades: Sequence[int] | None = None

    def graded_pairs(self) -> list[str]:
        """The matches that count in part: both sides, and how much of them counts."""
        return [
            f"{' '.join(self.reference[start : start + length])} – {' '.join(self.hypothesis[place : place + words])} "
            f"{grade_text(grade)}"
            for (start, length, place, words, _), grade in zip(self.matches, self.grades or (), strict=False)
            if grade != SCALE
        ]


def grade_text(grade: int) -> str:
    """The share of a match that counts, given in units of 1/`SCALE`: two digits behind the point."""
    return f"{grade / SCALE:.2f}"
