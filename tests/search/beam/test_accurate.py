"""The aligner's search for accuracy: no phrase takes a word away, however long it is."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer, SearchConfig
from meteorlib.config.schema import ParameterConfig, ScorerConfig, StageConfig
from meteorlib.search.beam import Beam
from meteorlib.search.beam.accurate import Accurate

WORD, PHRASE = 2.0**32, 1.0


@pytest.mark.parametrize("length", [2, 50, 3000])
def test_words_before_phrases(length):
    """One matched word outweighs a phrase of any length, which wins by its words in the ordinary search."""
    candidates = [[(1, length - 1, 1, 0), (length, 0, length, 1)], *[[] for _ in range(length - 1)]]
    word, phrase = (0, 1, length - 1, 1, 0), (0, length, 0, length, 1)
    assert Accurate()(candidates, length, (WORD, PHRASE)).matches == [word]
    assert Beam()(candidates, length, (1.0, 1.0)).matches == [phrase]


def test_in_a_configuration():
    """A configuration can name it; the engine gives it the matchers' accuracy, and the signature says so."""
    config = ScorerConfig(
        name="mine",
        stages=[StageConfig("exact"), StageConfig("stem", resource="porter")],
        parameters=ParameterConfig(0.9, 3, 0.5),
        search=SearchConfig("accurate", width=7),
    )
    scorer = Scorer(config)
    assert "search:accurate(width=7)" in str(scorer.signature)
    # two stems in one chunk, where an exact match counts no more than they do
    assert [match.stage for match in scorer.align("cats dogs", "cat dog cats").matches] == [1, 1]
    beam = Scorer(evolve(config, search=SearchConfig("beam")))
    assert [match.stage for match in beam.align("cats dogs", "cat dog cats").matches] == [0, 1]
