"""Digests of judgments, and judgments that come twice."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib.analysis.meta_evaluation import Judgments, Pairs, Ratings
from meteorlib.analysis.tuning import tune
from meteorlib.analysis.tuning.digests import digest_of
from meteorlib.errors import InputMismatch
from tests.analysis.tuning.conftest import ranked, rated


def shuffled(judged, seed=1):
    """Judgments with the texts in another order."""
    order = np.random.default_rng(seed).permutation(len(judged.texts))
    place = np.argsort(order)
    pairs, ratings = judged.pairs, judged.ratings
    return Judgments(
        judged.name,
        tuple(judged.texts[one] for one in order),
        pairs and Pairs(place[pairs.better], place[pairs.worse], pairs.count),
        ratings and Ratings(place[ratings.text], ratings.value),
    )


def test_a_digest_is_that_of_texts_and_judgments(taste):
    """Another rating or another text has another digest; another order of the texts has the same."""
    judged = rated(taste)
    values = judged.ratings.value.copy()
    values[3] += 0.5
    other = evolve(judged, ratings=Ratings(judged.ratings.text, values))
    assert digest_of([judged]) == digest_of([rated(taste)]) == digest_of([shuffled(judged)])
    assert digest_of([other]) != digest_of([judged]) != digest_of([rated(taste, segments=39)])
    pairs = ranked(taste)
    turned = evolve(pairs, pairs=Pairs(pairs.pairs.worse, pairs.pairs.better, pairs.pairs.count))
    assert digest_of([pairs]) == digest_of([shuffled(pairs)]) != digest_of([turned])


def test_the_same_judgments_under_two_names(base, taste):
    """They are refused: whatever is left out would be fitted to under the other name."""
    judged = rated(taste)
    copy = evolve(shuffled(judged), name="copy")
    with pytest.raises(InputMismatch, match="y13 and y14 contain the same texts and judgments; name each set"):
        tune(base, {"y13": [judged], "y14": [copy]}, ["alpha=0/1"], objective="pearson", method="grid")
