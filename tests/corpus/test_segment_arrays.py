"""Statistics and scores of many segments as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from meteorlib import Scorer
from meteorlib.arrays import rescored
from meteorlib.core.segment import Pair
from meteorlib.corpus import segment_arrays
from meteorlib.errors import InputMismatch

PAIRS = [
    Pair(("a cat sat", "the cats"), "a cat"),
    Pair(["the dog ran"], "dog the ran"),
    Pair(["a cat sat", "the cats"], "a cat"),
    Pair(["x"], ""),
]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_segment_once(jobs, lowered):
    """Rows are those of the segments, in their order; a segment that comes again is not scored again."""
    scorer = Scorer("meteor-2005-exact")
    told = []
    batches = lowered(segment_arrays, "BATCH_SIZE", 2, lambda: len(told))
    found = scorer.arrays(iter(PAIRS), jobs=jobs, progress=told.append)
    expected = [scorer.score(*pair) for pair in PAIRS]
    assert found.scores.tolist() == [one.score for one in expected]
    assert [tuple(row) for row in found.counts.tolist()] == [one.statistics.counts() for one in expected]
    assert (sum(told), batches()) == (3, 2)
    assert rescored(found.counts, [scorer.parameters])[0] == pytest.approx(found.scores)


def test_nothing_and_mistakes():
    """No segments make empty arrays; items that are not pairs are refused."""
    scorer = Scorer("meteor-2005-exact")
    assert scorer.arrays([]).counts.shape == (0, 12)
    assert rescored(scorer.arrays([]).counts, [scorer.parameters]).shape == (1, 0)
    with pytest.raises(TypeError, match=r"a segment must be a meteorlib\.Pair"):
        scorer.arrays([("a", "b")])
    with pytest.raises(InputMismatch, match="needs at least one reference"):
        scorer.arrays([Pair((), "b")])
    assert isinstance(scorer.arrays(PAIRS).counts, np.ndarray)
