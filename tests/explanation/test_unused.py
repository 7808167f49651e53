"""Possible matches that are not used."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset


def test_the_beam_drops_a_match():
    """A match of two free words that METEOR 1.5's beam drops is named, with what the best alignment does."""
    reference = "officials said on Monday that they pay the costs of the pension"
    hypothesis = "on Monday , officials who pays the pensions said it costs"
    core = load_preset("meteor-1.5-en-core")
    explanation = Scorer(core).explain(reference, hypothesis)
    unmatched = {explanation.alignment.reference[place] for place in explanation.alignment.unmatched_reference}
    dropped = [one for one in explanation.unused if "beam" in one.reason]
    assert dropped
    optimal = Scorer(evolve(core, search=load_preset("meteor-1.5-en-optimal").search))
    found = optimal.explain(reference, hypothesis)
    pairs = {
        (found.alignment.reference[one.reference_start], found.alignment.hypothesis[one.hypothesis_start])
        for one in found.alignment.matches
    }
    for one in dropped:
        assert one.reference_words[0] in unmatched
        has = (one.reference_words[0], one.hypothesis_words[0]) in pairs
        verb = "has it" if has else "does not use it, either"
        assert one.reason == f"METEOR 1.5's beam dropped it; the search optimal {verb}"
        assert f"({one.stage}): METEOR 1.5's beam dropped it" in " ".join(str(explanation).split())
    assert explanation.to_dict()["unused"] == [one.to_dict() for one in explanation.unused]
    assert not any("beam" in one.reason for one in found.unused)


@pytest.mark.parametrize("preset", ["meteor-2005", "nltk", "meteor-1.5-en-core", "meteor-2026-en-core"])
def test_a_word_that_is_taken(preset):
    """A word whose only counterpart is matched otherwise is named, with the match that was chosen; alike ones once."""
    explanation = Scorer(preset).explain("the cat", "the cat cat cat")
    for one in explanation.unused:
        assert (one.reference_words, one.hypothesis_words, one.stage) == (("cat",), ("cat",), "exact")
    assert len(explanation.unused) == 2
    line = "not used    “cat” – “cat” (exact): another “cat” – “cat” was chosen\n"
    assert str(explanation).count(line) == str(explanation).count("was chosen") == 1
    assert "not used" in explanation._repr_html_()


def test_another_match_was_chosen():
    """The match that keeps a candidate from being used is named with its stage."""
    (one,) = Scorer("meteor-1.5-en-core").explain("patients", "patient patients").unused
    assert str(one) == "“patients” – “patient” (stem): “patients” – “patients” (exact) was chosen"


def test_long_segments():
    """Matches are not looked for among more pairs of words than the budget, and the output says so."""
    texts = "the cat", "the cat cat cat"
    explanation = Scorer().explain(*texts, budget=7)
    assert explanation.unused is explanation.to_dict()["unused"] is None
    assert "not used    would take long: --all-gains, explain(budget=None)\n" in str(explanation)
    assert len(Scorer().explain(*texts, budget=8).unused) == len(Scorer().explain(*texts, budget=None).unused) == 2


def test_nothing_is_left():
    """Unmatched words without candidates are not named."""
    assert Scorer().explain("the cat", "the dog").unused == ()
    assert "not used" not in str(Scorer().explain("the cat", "the dog"))
