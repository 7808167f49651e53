"""The interval of a gain."""

from __future__ import annotations

import pytest

from meteorlib.analysis.results import Interval
from meteorlib.analysis.tuning.gain import widen_interval


@pytest.mark.parametrize(("folds", "factor"), [(2, 3**0.5), (5, 1.5), (1001, 2.001**0.5)])
def test_an_interval_is_widened_for_fits_that_share_judgments(folds, factor):
    """The variance of n folds, 1/n, becomes 1/n + 1/(n - 1); both ends move away from the gain itself."""
    found = widen_interval(Interval(-0.1, 0.5, 0.31), 0.3, folds)
    assert found.low == pytest.approx(0.3 - factor * 0.4)
    assert found.high == pytest.approx(0.3 + factor * 0.2)
    assert found.mean == 0.31
