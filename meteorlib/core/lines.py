"""Lines: a breakdown for people, a label and a value at a time."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import NUMBERS, ScoreBreakdown
from meteorlib.core.segment import WHOLE

PARTS = tuple(name for name in NUMBERS if name != "f1")
"""The numbers of a breakdown that people are shown: F1 is no part of the score."""

WIDTH = 15

DIGITS = 4
"""Digits behind the point, for people."""


def digits(value: float, width: int = DIGITS) -> str:
    """So many digits behind the point; a dash for what has no value."""
    return "–" if isnan(value) else f"{value:.{width}f}"


def amount(count: int, unit: int = 1) -> str:
    """A count of words; of weighted ones, in units of 1/`unit`, with two digits behind the point."""
    return str(count) if unit == 1 else f"{count / unit:.2f}"


def breakdown_lines(scored: ScoreBreakdown, width: int = DIGITS) -> list[tuple[str, str]]:
    """The score and what it was made of, but for the alignment; numbers with so many digits behind the point."""
    statistics = scored.statistics
    unit = scored.unit
    matches = [f"{name} {amount(count, unit)}" for name, count in zip(scored.stages, statistics.matches, strict=True)]
    unmatched = amount(statistics.hypothesis_length - sum(statistics.matches), unit)
    lengths = amount(statistics.hypothesis_length, unit), amount(statistics.reference_length, unit)
    crossing = [] if scored.crossing is None else [("crossing", digits(scored.crossing, width))]
    return [
        *((name, digits(getattr(scored, name), width)) for name in PARTS),
        *crossing,
        ("chunks", str(statistics.chunks)),
        ("matches", ", ".join([*matches, f"unmatched {unmatched}"])),
        ("length", f"hypothesis {lengths[0]}, reference {lengths[1]}"),
    ]


def grade_text(grade: int) -> str:
    """How much of a match counts, given in units of 1/`WHOLE`: two digits behind the point."""
    return f"{grade / WHOLE:.2f}"


def graded_pairs(alignment: Alignment) -> list[str]:
    """The matches that count in part: both sides, and how much of them counts."""
    return [
        f"{' '.join(reference)} – {' '.join(hypothesis)} {grade_text(grade)}"
        for (reference, hypothesis, _), grade in zip(alignment.pairs(), alignment.grades or (), strict=False)
        if grade != WHOLE
    ]


def listing(lines: Iterable[tuple[str, str]]) -> str:
    """The lines as text, values below each other."""
    pairs = list(lines)
    width = max([WIDTH, *(len(label) + 1 for label, _ in pairs)])
    return "\n".join(f"{label:<{width}}{value}".rstrip() for label, value in pairs)


def short(text: str, letters: int = 40) -> str:
    """`text`, or so many letters of it."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
