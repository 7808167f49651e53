"""Marks and colors of stages, the same in the terminal, in notebooks and in the HTML report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

EXACT_MARK = "●"
"""Mark of the stage ``exact``, the most frequent one."""


class StageColor(NamedTuple):
    """Color of a stage.

    Attributes:
        light: hex color for light pages; `ON_COLOR.light` can be read on it.
        dark: hex color for dark pages; `ON_COLOR.dark` can be read on it.
        terminal: closest of a terminal's own colors, which suit its background.
    """

    light: str
    dark: str
    terminal: str


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
        letters.append(next((one for one in name.lower() if one.isalnum() and one not in letters), str(number)))
        marks.append(EXACT_MARK if name == "exact" else letters[-1])
    return marks


def color_at(stage: int) -> StageColor:
    """Color of the stage at a place, from 0."""
    return STAGE_COLORS[stage % len(STAGE_COLORS)]


def color_variables(prefix: str, *, dark: bool) -> str:
    """Declarations of CSS variables: ``--PREFIXstage-0`` and so on, and ``--PREFIXon`` for text on them."""
    shades = [color.dark if dark else color.light for color in (*STAGE_COLORS, ON_COLOR)]
    names = [*(f"stage-{place}" for place in range(len(STAGE_COLORS))), "on"]
    return ";".join(f"--{prefix}{name}:{shade}" for name, shade in zip(names, shades, strict=True))
