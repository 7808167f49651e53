"""Gains are real scores of edited words."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset


def rescored(scorer, explanation, gain):
    """The score after the edit of `gain`, computed anew."""
    references = [one.alignment.reference for one in explanation.references]
    return scorer.score_tokens(references, gain.applied(explanation.alignment.hypothesis)).score


@pytest.mark.thorough
def test_gains_are_scores(scorers, segments):
    """Under every preset each gain is the difference of two scores, and each unmatched word has one."""
    for scorer in scorers:
        for reference, hypothesis in segments[:12]:
            explanation = scorer.explain(reference, hypothesis)
            for gain in explanation.gains:
                assert gain.score == rescored(scorer, explanation, gain)
                assert gain.gain == gain.score - explanation.scored.score
            alignment = explanation.alignment
            for side in ("reference", "hypothesis"):
                found = sorted(gain.position for gain in explanation.gains if gain.side == side)
                assert found == list(getattr(alignment, f"unmatched_{side}"))
            assert [gain.gain for gain in explanation.gains] == sorted(
                (g.gain for g in explanation.gains), reverse=True
            )
            assert explanation.gains_left_out == 0


@pytest.mark.parametrize("reduce", ["max", "min", "mean"])
def test_several_references(reduce):
    """All references take part in the score after an edit, as the METEOR takes them."""
    scorer = Scorer(evolve(load_preset("meteor-1.5-en-core"), reduce=reduce))
    explanation = scorer.explain(["the cat sat on the mat", "a dog sat there today"], "the dog sat on mats today")
    assert explanation.gains
    for gain in explanation.gains:
        assert gain.score == rescored(scorer, explanation, gain)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "edits"),
    [
        ("the cat sat", "the dog sat", {("reference", "cat", "replace", 1), ("hypothesis", "dog", "delete", 1)}),
        ("the cat sat", "the sat", {("reference", "cat", "insert", 1)}),
        ("sat here", "here", {("reference", "sat", "insert", 0)}),
        ("here sat", "here", {("reference", "sat", "insert", 1)}),
        ("here now", "", {("reference", "here", "insert", 0), ("reference", "now", "insert", 0)}),
    ],
)
def test_edits(reference, hypothesis, edits):
    """A missing word is put beside its neighbors, or in place of the unmatched word there; a word in vain goes."""
    found = Scorer("meteor-2005-exact").explain(reference, hypothesis).gains
    assert {(gain.side, gain.word, gain.edit, gain.place) for gain in found} == edits


def test_best_of_the_places():
    """No other of the four places beside its neighbors is better for a missing word."""
    scorer = Scorer("meteor-2005-exact")
    explanation = scorer.explain("a b c d e", "d e x a b")
    gain = next(gain for gain in explanation.gains if gain.word == "c")
    tried = ("d e x a b c", "c d e x a b")
    assert gain.score == max(scorer.score("a b c d e", text).score for text in tried) > explanation.scored.score


def test_budget():
    """Gains that would take too long are left out, in order, and counted."""
    scorer = Scorer("meteor-2005-exact")
    reference, hypothesis = "a b c d", "x y z"  # nothing matches: two edits for the first word, so as for each
    whole = scorer.explain(reference, hypothesis, budget=None)
    assert (len(whole.gains), whole.gains_left_out) == (7, 0)
    none = scorer.explain(reference, hypothesis, budget=0)
    assert (none.gains, none.gains_left_out) == ((), 7)
    some = scorer.explain(reference, hypothesis, budget=7 * 8)
    assert 0 < len(some.gains) < 7
    assert len(some.gains) + some.gains_left_out == 7
    assert set(some.gains) <= set(whole.gains)
