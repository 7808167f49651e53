"""Marks and colors of stages: readable, and distinguishable for everyone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from meteorlib import Alignment, Match
from meteorlib.display.drawing import ON_COLOR, STAGE_COLORS, color_variables, stage_marks

LIGHT_PAGES = ("#ffffff", "#f7f7f5")
"""White and the report's own background."""

DARK_PAGES = ("#111111", "#14171a", "#1c2024", "#1e1e1e", "#383838")
"""Backgrounds of Jupyter, the report, its cards, VS Code and Colab."""

VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
"""Linear RGB as seen (Machado, Oliveira and Fernandes 2009, severity 1)."""

CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(color):
    """Linear RGB of a hex color, 0..1."""
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    parts = np.array([int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Contrast of two hex colors (Web Content Accessibility Guidelines 2)."""
    low, high = sorted(float(linear(color) @ [0.2126, 0.7152, 0.0722]) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def oklab(color, vision):
    """Coordinates of a hex color in OKLab (Ottosson 2020), as this vision sees it."""
    return OKLAB @ np.cbrt(np.clip(CONES @ np.clip(VISION[vision] @ linear(color), 0, 1), 0, None))


def test_the_measures():
    """Black on white has a contrast of 21; white is (1, 0, 0) in OKLab; red and green meet under deuteranopia."""
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert oklab("#ffffff", "normal") == pytest.approx([1, 0, 0], abs=1e-6)
    apart = [np.linalg.norm(oklab("#c0392b", vision) - oklab("#5f7a1f", vision)) for vision in VISION]
    assert apart[2] < apart[0] / 2


@pytest.mark.parametrize("color", STAGE_COLORS)
def test_contrast(color):
    """A color stands out from every background, 3 to 1; text can be read on it, and in it on a card, 4.5 to 1."""
    assert contrast(color.light, LIGHT_PAGES[0]) >= 4.5
    assert contrast(color.dark, DARK_PAGES[2]) >= 4.5
    assert min(contrast(color.light, page) for page in LIGHT_PAGES) >= 3
    assert min(contrast(color.dark, page) for page in DARK_PAGES) >= 3
    assert contrast(color.light, ON_COLOR.light) >= 4.5
    assert contrast(color.dark, ON_COLOR.dark) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(("shade", "least"), [("light", 0.13), ("dark", 0.14)])
def test_color_blindness(vision, shade, least):
    """Every two colors of a page are far apart, also with protanopia and deuteranopia."""
    seen = [oklab(getattr(color, shade), vision) for color in STAGE_COLORS]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) >= least


def test_marks():
    """A dot for exact matches, else the first letter that no earlier stage has, or the number of the stage."""
    assert stage_marks(["exact", "stem", "synonym", "paraphrase"]) == ["●", "s", "y", "p"]
    assert stage_marks(["stem", "exact", "entry"]) == ["s", "●", "n"]
    assert stage_marks(["<a>", "a"]) == ["a", "2"]


def test_variables():
    """One variable for each color, in the order of the stages, and one for text."""
    written = color_variables("x-", dark=True).split(";")
    assert written == [f"--x-stage-{at}:{color.dark}" for at, color in enumerate(STAGE_COLORS)] + ["--x-on:#14171a"]


PLAN = Alignment(
    ("the", "cat", "sat", "down", "\x1b", "quickly"),
    ("fast", "the", "cat", "took", "a", "seat"),
    (Match(0, 1, 1, 1, 0), Match(1, 1, 2, 1, 0), Match(2, 2, 3, 3, 2), Match(5, 1, 0, 1, 1)),
    ("exact", "synonym", "paraphrase"),
).plan()


def test_one_plan_of_all_drawings():
    """Spans, columns and cells have the same words, matches, chunks and stages; text is safe to print."""
    assert PLAN.chunk_numbers() == [1, 1, 1, 2]
    assert [span for span in PLAN.spans(0) if span[1] is None] == [(("\x1b",), None)]
    columns = PLAN.columns()
    assert [column.joined for column in columns] == [False, True, True, True, False, False]
    for side in (0, 1):
        cells = [column[side] for column in columns if column[side] is not None]
        spans = PLAN.spans(side)
        assert [cell.stage for cell in cells] == [None if at is None else PLAN.matches[at][4] for _, at in spans]
        assert [cell.chunk for cell in cells] == [None if at is None else PLAN.chunk_numbers()[at] for _, at in spans]
        assert [cell.text.strip("{}") for cell in cells] == [
            " ".join(words).replace("\x1b", "\\x1b") for words, _ in spans
        ]
    assert len(PLAN.cells()) == 1 + 1 + 2 * 3 + 1
    assert PLAN.cells()[3, 5] == 2
    assert PLAN.stage_counts == [2, 1, 1]
