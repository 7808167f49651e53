"""Candidates: what a search chooses from."""

from __future__ import annotations

import pytest

from meteorlib import Match, Scorer


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core"])
def test_all_that_could_be_matched(preset):
    """Candidates are spans with their stage, by reference position; they include all aligned matches."""
    scorer = Scorer(preset)
    texts = "the cat sat on the mat", "on the mats sat the cat"
    found = scorer.candidates(*texts)
    assert [*found] == sorted(found, key=lambda match: match.reference_start)
    assert Match(0, 1, 1, 1, 0) in found
    assert Match(0, 1, 4, 1, 0) in found
    assert Match(5, 1, 2, 1, 1) in found
    assert set(scorer.align(*texts).matches) <= set(found)
    assert scorer.candidates(*texts) == found


def test_equal_texts():
    """If both sides are the same words, only the first stage is asked."""
    assert {match.stage for match in Scorer().candidates("a cat", "a cat")} == {0}
    assert Scorer().candidates("a cat", "") == ()
