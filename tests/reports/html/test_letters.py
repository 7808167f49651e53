"""Numbers as letters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.contrast.aligned import Ragged
from meteorlib.reports.html import letters as encoding
from meteorlib.reports.html.letters import ALPHABET, letter_rows, letters, runs


def numbers(text):
    """Back again, as the page does it."""
    found, number, scale = [], 0, 1
    for letter in text:
        value = ALPHABET.index(letter)
        number += value % 32 * scale
        scale *= 32
        if value < 32:
            found.append(number)
            number, scale = 0, 1
    return found


def test_known():
    """Five bits a letter, the lowest first, 32 on top where more follow, as in source maps."""
    assert letters([0, 1, 31, 32, 1000]) == "ABfgBof"


@given(st.lists(st.integers(0, 1 << 40)))
def test_back(given):
    """Written numbers are read back, however large they are."""
    assert numbers(letters(given)) == given


@given(st.lists(st.lists(st.integers(0, 1 << 40), max_size=4), min_size=1))
def test_rows(rows):
    """Rows that are encoded at once, in blocks, are those that are encoded one by one."""
    flat = np.array([number for row in rows for number in row], np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "BLOCK_ROWS", 2)
        assert letter_rows(Ragged.of_lengths(flat, np.array([len(row) for row in rows]))) == [*map(letters, rows)]


def test_blocks(lowered):
    """Rows are encoded block by block."""
    blocks = lowered(encoding, "BLOCK_ROWS", 2, "_letter_rows")
    assert letter_rows(Ragged.of_lengths(np.arange(5), np.ones(5, np.int64))) == [*"ABCDE"]
    assert blocks() == 3


def test_runs_stand_for_matches():
    """Runs are the matches and no others."""
    matches = [(0, 1, 4, 1, 0), (1, 1, 5, 1, 0), (2, 1, 6, 1, 1), (3, 2, 7, 1, 3), (5, 1, 8, 1, 0), (6, 1, 0, 1, 0)]
    found = runs(Ragged.of_lengths(np.array(matches), np.array([0, len(matches), 0])))
    assert found.lengths.tolist() == [0, 5, 0]
    assert found.flat.tolist() == [
        [0, 4, 0, 2, 0], [2, 6, 1, 1, 0], [3, 7, 3, 2, 1], [5, 8, 0, 1, 0], [6, 0, 0, 1, 0],
    ]  # fmt: skip
