"""An explanation says the same as the score: which reference counts, by how much, and why."""

from __future__ import annotations

import json
import pickle
import re
from inspect import signature

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.core.formula import NUMBERS
from meteorlib.errors import InputMismatch
from meteorlib.explanation.explanation import BUDGET, explanation_page

REFERENCES = ["a dog lay there", "the cat sat on the mat", "the cat sat there"]
HYPOTHESIS = "the cat sat on a mat"
HOSTILE = "<script>alert(1)</script> \x1b[2J \u202e\"'& <b>"


def reduced(how):
    """METEOR 2005, the best, the worst or the mean of the references."""
    return Scorer(evolve(load_preset("meteor-2005"), reduce=how))


def test_is_the_score(scorers, segments):
    """Its score and its alignment are those of `Scorer.score`, under every preset."""
    for scorer in scorers:
        for reference, hypothesis in segments:
            explanation = scorer.explain(reference, hypothesis, budget=0)
            assert explanation.scored == scorer.score(reference, hypothesis)
            assert explanation.alignment == explanation.scored.alignment


@pytest.mark.parametrize(("how", "shown", "second"), [("max", 1, 2), ("min", 0, 2)])
def test_which_reference_counts(how, shown, second):
    """The reference that counts is shown, with the one that would come next and the difference of the two."""
    explanation = reduced(how).explain(REFERENCES, HYPOTHESIS)
    alone = [Scorer().score(reference, HYPOTHESIS).score for reference in REFERENCES]
    assert [one.score for one in explanation.references] == alone
    assert (explanation.shown, explanation.runner_up) == (shown, second)
    assert explanation.margin == abs(alone[shown] - alone[second]) > 0
    assert f"references  {shown + 1} of 3 counts" in str(explanation)


def test_mean():
    """If the mean counts, the best reference is shown, with a remark."""
    explanation = reduced("mean").explain(REFERENCES, HYPOTHESIS)
    assert (explanation.shown, explanation.runner_up, explanation.margin) == (1, None, None)
    assert explanation.alignment.reference == tuple(REFERENCES[1].split())
    assert "references  the mean of 3 (" in str(explanation)


def test_a_single_reference_has_no_runner_up():
    """A single reference is not mentioned."""
    explanation = Scorer().explain("the cat", "the cat")
    assert (explanation.runner_up, explanation.margin) == (None, None)
    assert "references" not in str(explanation)


def test_values():
    """An explanation is immutable, equal to one of the same values, and can be pickled."""
    explanation = Scorer().explain(REFERENCES, HYPOTHESIS)
    assert explanation == Scorer().explain(iter(REFERENCES), HYPOTHESIS)
    assert explanation == pickle.loads(pickle.dumps(explanation))  # noqa: S301 – our own
    with pytest.raises(FrozenInstanceError):
        explanation.shown = 0
    assert repr(explanation) == f"Explanation(score={explanation.scored.score:.4f}, references=3, gains=2)"


def test_data():
    """As data, ready for JSON, it has the numbers in full, the alignment, the formula and the gains."""
    explanation = Scorer().explain(REFERENCES, HYPOTHESIS)
    data = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert {name: data[name] for name in NUMBERS} == {name: getattr(explanation.scored, name) for name in NUMBERS}
    assert data["alignment"] == explanation.alignment.to_dict()
    assert len(data["chunking"]) == explanation.scored.statistics.chunks
    assert data["margin"] == explanation.margin
    assert data["formula"][-1]["value"] == data["score"]
    assert [gain["gain"] for gain in data["gains"]] == [gain.gain for gain in explanation.gains]
    assert json.loads(json.dumps(Scorer().explain("", "").to_dict(), allow_nan=False))["precision"] is None


def test_default_budget():
    """The budget of a scorer's method is that of the module, which it does not load before it is needed."""
    assert signature(Scorer.explain).parameters["budget"].default == BUDGET


def test_no_reference():
    """Without a reference there is nothing to explain."""
    with pytest.raises(InputMismatch):
        Scorer().explain([], "x")


@pytest.mark.parametrize("view", ["rows", "matrix"])
def test_page(view):
    """A page has every word and every number, and loads nothing."""
    explanation = Scorer("meteor-1.5-en-core").explain(REFERENCES, HYPOTHESIS)
    page = explanation_page(explanation, view)
    for word in (*explanation.alignment.reference, *explanation.alignment.hypothesis, explanation.signature):
        assert f"<bdi>{word}</bdi>" in page
    assert all(f"<bdi>{step.written()}</bdi>" in page for step in explanation.steps)
    assert page.count("default-src 'none'") == 1
    assert not re.search(r"<script|<link|<img|src=|href=|url\(", page)


@pytest.mark.parametrize("preset", ["nltk", "meteor-1.5-en-core"])
def test_hostile_text_is_shown_not_run(preset):
    """Markup and controls in a segment are seen as what they are, in a terminal and on a page."""
    explanation = Scorer(preset).explain(HOSTILE, f"{HOSTILE} x")
    for page in (explanation_page(explanation), explanation_page(explanation, "matrix"), explanation._repr_html_()):
        assert "<script" not in page
        assert "<b>" not in page
        assert not {"\x1b", "\u202e"} & set(page)
        assert "\\u202e" in page
    assert not {"\x1b", "\u202e"} & set(str(explanation))
    assert "\\x1b" in str(explanation)


@pytest.mark.thorough
def test_long_segments_are_drawn_in_full():
    """All of 2,000 words are shown in every drawing."""
    words = [f"w{number}" for number in range(2000)]
    explanation = Scorer("nltk").explain(" ".join(words), " ".join(reversed(words)))
    assert set(words) <= set(str(explanation).split())
    page = explanation_page(explanation)
    assert all(f"<bdi>{word}</bdi>" in page for word in words)
