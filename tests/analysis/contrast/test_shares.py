"""Shares of a difference, and bands of numbers and of differences."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.attribution import contributions, shapley_values
from meteorlib.analysis.contrast.shares import (
    NO_VALUE,
    bands,
    difference_bands,
    rounded_shares,
    shown,
    ten_thousandths,
)
from meteorlib.analysis.significance.resampling import changes
from meteorlib.reports.html.data import band_ranges


def scored(*values):
    """Scores of segments."""
    return np.array(values)


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, 0), (0.03125, 312), (0.99995, 10000), (-0.12344, -1234), (-1e-9, 0), (nan, NO_VALUE)]
)
def test_units(value, expected):
    """Numbers are counted in units of the last digit that is printed, rounded as it is printed."""
    assert ten_thousandths(value) == expected


def test_bands():
    """A band includes its lower end; the last one includes 1, too; undefined values are counted separately."""
    counts = bands(scored(0.0, 0.0499, 0.05, 0.95, 1.0, nan))
    assert (counts[0], counts[1], counts[19], counts[20]) == (2, 1, 2, 1)
    assert sum(counts) == 6


def test_differences():
    """Bands of differences begin at 0 on both sides; what does not differ belongs to neither."""
    zoom, counts = difference_bands(
        scored(0.5, 0.5, 0.4, 0.7, 1.0, 0.0, nan), scored(0.5, 0.4, 0.5, 0.5, 0.0, 1.0, 0.5)
    )
    assert zoom == 0
    assert [counts[band] for band in (0, 9, 10, 11, 12, 20, 21)] == [1, 1, 1, 1, 1, 1, 1]


def test_turned():
    """Exchanging two systems mirrors the bands."""
    one, other = scored(0.5, 0.43, 0.9), scored(0.5, 0.5, 0.1)
    (zoom, counts), (again, turned) = difference_bands(one, other), difference_bands(other, one)
    assert (zoom, counts[:-1]) == (again, turned[-2::-1])


def test_bands_are_those_of_the_comparison():
    """A difference below the four digits of the page is one: the counts are those that `meteorlib score` prints."""
    one, other = scored(0.50002, 0.6000149, 0.5, 0.3, 1), scored(0.5, 0.5, 0.5, 0.2, 0)
    (_, counts), found = difference_bands(one, other), changes(one, other)
    assert (counts[10], counts[11], counts[12]) == (1, 2, 1) == (found.unchanged, *found.bands[10:12])
    assert difference_bands(shown(one), shown(other))[1][10] == 2


def test_ranges_of_bands():
    """A range holds exactly the values that its band counts."""
    values = np.arange(0, 1.00001, 1e-5)
    spread = [1, 0.5, 0.2, 0.1]
    found = [difference_bands(share * 2 * values, share * np.ones_like(values)) for share in spread]
    assert [zoom for zoom, _ in found] == [0, 1, 2, 3]
    counts = [bands(values)[:-1], *(each[:-1] for _, each in found)]
    differences = [share * (2 * values - 1) for share in spread]
    for ranges, counted, numbers in zip(band_ranges(), counts, (values, *differences), strict=True):
        assert [int(is_within(np.round(numbers, 10), low, high).sum()) for _, low, high in ranges] == counted
    assert band_ranges()[0][0] == ("0.00 to 0.05", "0", "<0.05")
    assert band_ranges()[1][9:12] == [
        ("−0.1 to −0.0", "-0.1", "<0"), ("no difference", "0", "0"), ("+0.0 to +0.1", ">0", "0.1"),
    ]  # fmt: skip


def is_within(values, low, high):
    """Whether each value is within a range."""
    low, high = low or "-9", high or "9"
    above = values > float(low[1:]) if low[0] == ">" else values >= float(low)
    return above & (values < float(high[1:]) if high[0] == "<" else values <= float(high))


def test_narrower_bands():
    """Where nearly all differences are small, bands are narrower, and the outermost ones count what is beyond."""
    one = np.concatenate([np.full(98, 0.515), [1.0, 0.0]])
    zoom, counts = difference_bands(one, np.full(100, 0.5))
    assert (zoom, counts[12], counts[0], counts[20]) == (3, 98, 1, 1)
    assert band_ranges()[4][20] == ("more than +0.09", ">0.09", "")


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9))
def test_rounded_shares_add_up(shares):
    """Rounded shares add up to the rounded total, each within one unit of its value."""
    total = round(sum(shares) * 10_000)
    units = rounded_shares(shares, total)
    assert sum(units) == total
    assert all(abs(unit - share * 10_000) <= 1 + 1e-6 for unit, share in zip(units, shares, strict=True))


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8))
def test_both_ways_to_shapley_values(numbers):
    """Sums over sets and means over orders are the same."""

    def value(chosen):
        return numbers[sum(1 << "abc".index(part) for part in chosen)]

    one, other = shapley_values("abc", value), contributions("abc", value)
    assert one == pytest.approx(other, abs=1e-12)
