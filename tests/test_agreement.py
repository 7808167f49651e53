"""The figures of docs/human-judgment.md: changed presets, shares of systems, texts with one more word, and cells."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.agreement import CHANGES, CORE, configuration, configurations, insertions, markdown, shares_won
from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Pairs
from meteorlib.core.segment import Pair


@pytest.mark.parametrize("name", CHANGES)
def test_changed_presets(name):
    """Each change is a configuration that differs from the preset."""
    config = configuration(f"{CORE}, {name}")
    assert config != configuration(CORE)
    assert Scorer(config).score("the cat sat", "the cat sat").score == 1


def test_shares_won():
    """A system's share is that of its judged pairs in which it is better; a pair counts as often as it was judged."""
    texts = tuple(Judged("1", system, Pair(("a",), system)) for system in ("one", "two", "three", "unjudged"))
    pairs = Pairs(np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([3, 1, 1]))
    assert shares_won(Judgments("xx-en", texts, pairs=pairs)) == {"one": 4 / 5, "two": 1 / 4, "three": 0}


def test_insertions():
    """A text gets one word of its reference that it lacks; one that lacks none is left out."""
    both = insertions([Pair(("the cat sat here",), "the cat sat"), Pair(("a dog",), "a dog")])
    before, after = both
    assert before.hypothesis == "the cat sat"
    assert sorted(after.hypothesis.split()) == ["cat", "here", "sat", "the"]


def test_recall_never_falls_with_exact_words():
    """Without case, one more word of the reference does not lower the recall of exact matches."""
    scorer = Scorer(configurations()[0])
    texts = [Pair(("the old cat sat on the mat",), "the cat on a mat sat"), Pair(("he said that it is",), "it is he")]
    both = insertions(texts)
    found = [breakdown.recall for breakdown in scorer.breakdowns(both)]
    assert len(both) == 4
    assert all(after >= before for before, after in zip(found[::2], found[1::2], strict=True))


def test_cells():
    """Figures have four digits, differences their interval, and a missing one a dash."""
    assert markdown(["name", 0.5, (0.01234, -0.1, 0.2), None]) == "| name | .5000 | +.0123 [−.1000, +.2000] | – |"
