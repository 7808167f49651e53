"""Measures of segments as the HTML report rounds them, and their distribution over bands."""

from __future__ import annotations

from math import isnan

import numpy as np

from meteorlib.analysis.significance.pvalues import changes
from meteorlib.arrays import Numbers
from meteorlib.reports.html.ragged import Integers

MEASURES = ("score", "precision", "recall", "fragmentation")
"""Measures with a chart, as in METEOR's X-ray."""

CALLED = {
    "f_mean": "F mean",
    "ratio": "length ratio",
    "referenceWords": "words of the reference",
    "hypothesisWords": "words",
    "content": "matched content words",
    "function": "matched function words",
    "faults": "penalty for faults",
    "missed": "unmatched words",
    "contentMissed": "unmatched content words",
    "functionMissed": "unmatched function words",
}
"""Names that filters have for measures, where they differ from the page's own."""

RESOLUTION = 10_000
"""Steps per 1: the page shows four digits, and counts in units of the last one so that all its parts agree."""

BANDS = 20
"""Number of bands: 20 of 0.05 each; for differences, 10 of 0.1 each on both sides."""

NO_VALUE = RESOLUTION + 1

_NEAR_TIE = 1e-6
"""Distance from the middle of two units within which the product may be rounded to the other side."""


def ten_thousandths(value: float) -> int:
    """`value` in units of 0.0001, rounded as it is printed; `NO_VALUE` for NaN."""
    return NO_VALUE if isnan(value) else int(f"{value:.4f}".replace(".", ""))


def units(values: Numbers) -> Integers:
    """`ten_thousandths` of each value."""
    scaled = np.nan_to_num(values * RESOLUTION, nan=NO_VALUE)
    rounded = np.rint(scaled).astype(np.int64)
    for place in np.flatnonzero(np.abs(np.abs(scaled - np.floor(scaled)) - 0.5) < _NEAR_TIE):
        rounded[place] = ten_thousandths(float(values[place]))
    return rounded


def shown(values: Numbers) -> Numbers:
    """Each value with the four digits that the page has of it."""
    return np.where(np.isnan(values), np.nan, units(values) / RESOLUTION)


def bands(values: Numbers) -> list[int]:
    """Number of values in each band [0, 0.05), [0.05, 0.1), … [0.95, 1], and number of NaN."""
    missing = np.isnan(values)
    places = np.floor(np.round(values[~missing] * BANDS, 9)).astype(np.int64).clip(max=BANDS - 1)
    return [*np.bincount(places, minlength=BANDS).tolist(), int(missing.sum())]


def band_ranges() -> list[list[tuple[str, str, str]]]:
    """Text and ends of each band of `bands` and of `difference_bands`; an end after ``<`` or ``>`` is no part of it."""
    values = [(band / BANDS, (band + 1) / BANDS) for band in range(BANDS)]
    found = [(f"{low:.2f} to {high:.2f}", f"{low:g}", f"{'<' if high < 1 else ''}{high:g}") for low, high in values]
    tenths = [(band / 10, (band + 1) / 10) for band in range(-BANDS // 2, BANDS // 2)]
    differences = [
        (f"−{-low:.1f} to −{abs(high):.1f}", f"{low:g}", f"<{high:g}")
        if low < 0
        else (f"+{low:.1f} to +{high:.1f}", f">{low:g}", f"{high:g}")
        for low, high in tenths
    ]
    differences.insert(BANDS // 2, ("no difference", "0", "0"))
    return [found, differences]


def difference_bands(first: Numbers, second: Numbers) -> list[int]:
    """Distribution of the differences between segments, first minus second, by the bands of `Changes`.

    Args:
        first: a value for each segment.
        second: the same of the other system.

    Returns:
        The counts of [−1, −0.9), … [−0.1, 0), of segments without a difference, of (0, 0.1], … (0.9, 1], and of
        segments where one of the two has no value.
    """
    missing = np.isnan(first) | np.isnan(second)
    found = changes(first[~missing], second[~missing])
    half = BANDS // 2
    return [*found.bands[:half], found.unchanged, *found.bands[half:], int(missing.sum())]
