"""Several scores → one, as NumPy makes it."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import ExtraMissing
from meteorlib.integrations.reduction import mean, reduction


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=300),
    st.integers(1, 40),
)
def test_the_mean_is_numpys(some, times):
    """Sums are rounded in NumPy's order, to the last digit, whatever the number of scores."""
    np = pytest.importorskip("numpy")
    scores = some * times
    assert mean(scores) == np.mean(scores)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from(["max", "min", "mean", "median", "prod"]))
def test_a_name_is_numpys(scores, name):
    """A name gives what NumPy's function of that name gives, as a float."""
    np = pytest.importorskip("numpy")
    found = reduction(name)(scores)
    assert found == getattr(np, name)(scores)
    assert type(found) is float


def test_without_numpy(monkeypatch):
    """Without NumPy, max, min and mean are available; another name is an error that says what to install."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert [reduction(name)([1.0, 2.0, 6.0]) for name in ("max", "min", "mean")] == [6.0, 1.0, 3.0]
    with pytest.raises(ExtraMissing, match=r"numpy is not installed: run  pip install 'meteorlib\[nlgmetricverse\]'"):
        reduction("median")
