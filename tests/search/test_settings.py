"""Settings of the searches, and the room that a search may take."""

from __future__ import annotations

import numpy as np
import pytest

from meteorlib.errors import InvalidText
from meteorlib.search import MOST_BYTES, check_memory
from meteorlib.search.beam import Beam
from meteorlib.search.greedy import Greedy
from meteorlib.search.optimal import Optimal
from meteorlib.search.staged import Staged
from meteorlib.search.weighted import Weighted


def test_defaults():
    """The defaults are those of the papers and of the pages that describe the searches."""
    assert Beam() == Beam(width=40)
    assert Optimal() == Optimal(width=40, budget=2_000_000)
    assert Staged() == Staged(budget=200_000)
    assert Weighted() == Weighted(width=40, chunk=0.1, distance=0.2, far=20, kept=0.25)
    assert Greedy() == Greedy()


@pytest.mark.parametrize(
    ("search", "setting", "most"),
    [(Beam, "width", 10**6), (Staged, "budget", 10**12), (Optimal, "budget", 10**12), (Weighted, "far", 10**6)],
)
def test_whole_numbers(search, setting, most):
    """A whole number within its range is taken, of any type; anything else is an error that names the setting."""
    for value in (1, most, np.int64(7)):
        taken = getattr(search(**{setting: value}), setting)
        assert (taken, type(taken)) == (value, int)
    for value in (0, most + 1):
        with pytest.raises(ValueError, match=f"^{setting} must be between 1 and {most:,}: {value:,}$"):
            search(**{setting: value})
    for value in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match=f"^{setting} must be a whole number, not {value!r}$"):
            search(**{setting: value})


@pytest.mark.parametrize("setting", ["chunk", "distance"])
def test_costs(setting):
    """A cost is from 0 to 1000 times the value of a word."""
    for value in (0, 1000):
        assert getattr(Weighted(**{setting: value}), setting) == value
    for value in (-0.001, 1000.001):
        with pytest.raises(ValueError, match=setting):
            Weighted(**{setting: value})


def test_room():
    """Two gigabytes are room enough; a segment that needs a byte more is an error that says how much it needs."""
    check_memory(MOST_BYTES, [[]] * 2000, 1500)
    with pytest.raises(InvalidText, match=r"1,500 words against 2,000 are too many .* would need 2,048 MB"):
        check_memory(MOST_BYTES + 1, [[]] * 2000, 1500)
    assert MOST_BYTES == 2**31
