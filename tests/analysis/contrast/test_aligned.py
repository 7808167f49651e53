"""Rows of different lengths give the same as lists of lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.contrast.aligned import Ragged

ROWS = st.lists(st.lists(st.integers(0, 2), max_size=3), min_size=1, max_size=6)


def ragged(rows):
    """Lists as rows."""
    return Ragged.of_lengths(
        np.array([item for row in rows for item in row], int), np.array([len(row) for row in rows])
    )


def lists(rows):
    """Rows as lists."""
    return [rows.flat[first:end].tolist() for first, end in zip(rows.starts, rows.starts[1:], strict=False)]


@given(ROWS, st.data())
def test_rows(rows, data):
    """Lengths, row of each item, chosen rows and counts of flags."""
    found = ragged(rows)
    assert found.lengths.tolist() == [len(row) for row in rows]
    assert found.rows.tolist() == [index for index, row in enumerate(rows) for _ in row]
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    assert lists(found.take(np.array(chosen, int))) == [rows[index] for index in chosen]
    assert found.count(found.flat == 1).tolist() == [row.count(1) for row in rows]
    assert found.any(found.flat == 1).tolist() == [1 in row for row in rows]


@given(st.lists(st.tuples(*[st.lists(st.integers(0, 1), max_size=2)] * 2), min_size=1))
def test_equal_rows(pairs):
    """A row equals another one if all its items do."""
    one, other = (ragged(rows) for rows in zip(*pairs, strict=True))
    assert one.equal_rows(other).tolist() == [a == b for a, b in pairs]
