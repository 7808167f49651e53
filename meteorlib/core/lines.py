"""Lines: a breakdown for people, a label and a value at a time."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from meteorlib.core.breakdown import NUMBERS, ScoreBreakdown

PARTS = tuple(name for name in NUMBERS if name != "f1")
"""The numbers of a breakdown that people are shown: F1 is no part of the score."""

WIDTH = 15

DIGITS = 4
"""Digits behind the point, for people."""


def digits(value: float, width: int = DIGITS) -> str:
    """So many digits behind the point; a dash for what has no value."""
    return "–" if isnan(value) else f"{value:.{width}f}"


def breakdown_lines(scored: ScoreBreakdown, width: int = DIGITS) -> list[tuple[str, str]]:
    """The score and what it was made of, but for the alignment; numbers with so many digits behind the point."""
    statistics = scored.statistics
    matches = [f"{name} {count}" for name, count in zip(scored.stages, statistics.matches, strict=True)]
    unmatched = statistics.hypothesis_length - sum(statistics.matches)
    return [
        *((name, digits(getattr(scored, name), width)) for name in PARTS),
        ("chunks", str(statistics.chunks)),
        ("matches", ", ".join([*matches, f"none {unmatched}"])),
        ("length", f"hypothesis {statistics.hypothesis_length}, reference {statistics.reference_length}"),
    ]


def listing(lines: Iterable[tuple[str, str]]) -> str:
    """The lines as text, values below each other."""
    return "\n".join(f"{label:<{WIDTH}}{value}".rstrip() for label, value in lines)


def short(text: str, letters: int = 40) -> str:
    """`text`, or so many letters of it."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
