"""Configurations that are handed to a `Scorer`."""

from __future__ import annotations

import warnings

import pytest
from attrs import evolve

from meteorlib import Scorer, StageConfig
from meteorlib.config import load_preset
from meteorlib.errors import MeteorWarning

BASE = load_preset("meteor-2005")
EXACT, STEM, SYNONYM = BASE.stages


@pytest.mark.parametrize("stages", [[STEM], [SYNONYM, STEM], [STEM, EXACT]])
def test_a_first_stage_that_does_not(stages):
    """A preset that does not match equal words first scores a sentence 0 against itself; making it warns the caller."""
    message = f"^preset 'mine': its first stage, {stages[0].matcher}, does not match equal words"
    with pytest.warns(MeteorWarning, match=message) as caught:
        scorer = Scorer(evolve(BASE, name="mine", stages=stages))
    assert [warning.filename for warning in caught] == [__file__]
    assert scorer.score("the same words", "the same words").score == 0


@pytest.mark.parametrize("stages", [[EXACT], [EXACT, STEM], [StageConfig("lemma", 1.0, "wordnet-en"), STEM]])
def test_a_first_stage_that_does(stages):
    """With `exact` first, or with `lemma`, which takes equal words too, there is no warning."""
    search = load_preset("nltk").search
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer = Scorer(evolve(BASE, stages=stages, search=search))
    assert scorer.score("cats cats", "cats cats").score > 0


def test_from_a_file(tmp_path, recwarn):
    """A file's preset is warned of, once, when it is loaded; the built-in ones need no warning."""
    path = tmp_path / "my.yaml"
    path.write_text("presets: {mine: {extends: meteor-2005, stages: [{matcher: stem, resource: porter}]}}\n")
    with pytest.warns(MeteorWarning, match="preset 'mine'"):
        Scorer.from_file(path)
    for name in ("meteor-2005", "meteor-1.5-en-core", "nltk"):
        Scorer(name)
    assert not recwarn.list
