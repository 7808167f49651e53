"""Alignments as Moses has them."""

from __future__ import annotations

import pytest

from meteorlib.core.alignment import Alignment, Match
from meteorlib.reports.moses import moses_line


@pytest.mark.parametrize(
    ("matches", "line"),
    [
        ([], ""),
        ([Match(0, 1, 2, 1, 0), Match(3, 1, 0, 1, 1)], "0-2 3-0"),
        ([Match(1, 2, 0, 3, 3), Match(0, 1, 3, 1, 0)], "0-3 1-0 1-1 1-2 2-0 2-1 2-2"),
    ],
)
def test_pairs(matches, line):
    """Reference-hypothesis from 0, ascending; of two phrases every pair of their words."""
    assert moses_line(Alignment(tuple("abcd"), tuple("abcd"), tuple(matches), ("exact",) * 4)) == line
