"""The formula that is printed is the one that was computed."""

from __future__ import annotations

import re
from math import isnan

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset

TEXTS = ("the doctor examined the patients .", "the physician carefully examined a patient .")


def computed(written):
    """The value of a printed formula, evaluated as arithmetic; None if it is undefined."""
    assert re.fullmatch(r"(min\(1, |[-0-9.e()·/+− ^–])+", written)
    arithmetic = written.replace("·", "*").replace("^", "**").replace("−", "-").replace("–", "float('nan')")
    try:
        return eval(arithmetic)  # noqa: S307 – nothing but arithmetic
    except ZeroDivisionError:
        return None


def check(explanation, digits, tolerance):
    """Every line gives its value; where it divides by zero the value is 0 or none."""
    for step in explanation.steps:
        found = computed(step.written(digits))
        if found is None or (isinstance(found, float) and isnan(found)):
            assert isnan(step.value) or step.value == 0, step
        else:
            assert found == pytest.approx(step.value, rel=tolerance, abs=tolerance), step
    assert explanation.steps[-1].value == explanation.scored.score


def test_lines_reproduce_the_score(scorers, segments):
    """With every preset, on any segment, the printed values give the printed results."""
    for scorer in scorers:
        for reference, hypothesis in segments:
            explanation = scorer.explain(reference, hypothesis, budget=0)
            check(explanation, 17, 1e-12)
            check(explanation, 6, 1e-4)


def test_line_by_line():
    """The symbols are those of docs/formula.md, and the values those of its worked example."""
    steps = Scorer("meteor-1.5-en-core").explain(*TEXTS).steps
    assert [step.symbol for step in steps] == [
        "Lh", "Lr", "Mh", "Mr", "P", "R", "Fmean", "fragmentation", "penalty", "score",
    ]  # fmt: skip
    assert steps[0].written() == "0.75·4 + 0.25·3"
    assert steps[3].written() == "0.75·(1·1 + 0.6·1 + 0.8·1) + 0.25·(1·2)"
    assert [round(step.value, 6) for step in steps[4:]] == [0.613333, 0.766667, 0.738956, 0.6, 0.541728, 0.338643]


def test_formulas_apart():
    """Each of the two formulas writes its own F_mean."""
    mean = {name: Scorer(name).explain(*TEXTS).steps[6].formula for name in ("meteor-2005", "meteor-1.5-en-core")}
    assert mean == {"meteor-2005": "P·R / (α·P + (1 − α)·R)", "meteor-1.5-en-core": "1 / ((1 − α)/P + α/R)"}


def test_lines_of_the_new_formula(scorer_2026, segments_2026):
    """Under METEOR 2026 the printed values give the score too; there a word of weight 1 is 1."""
    references, hypotheses = segments_2026
    for reference, hypothesis in [*zip(references, hypotheses, strict=True), ("", "a"), ("a", ""), ("cat", "cat")]:
        explanation = scorer_2026.explain(reference, hypothesis, budget=0)
        check(explanation, 17, 1e-12)
        check(explanation, 6, 1e-4)
    steps = {step.symbol: step for step in scorer_2026.explain("the cat sat", "the mat the cat").steps}
    assert list(steps) == ["Lh", "Lr", "Mh", "Mr", "P", "R", "Fmean", "fragmentation", "crossing", "penalty", "score"]
    assert steps["Lh"].written() == "0.5·1.68 + 0.5·0"  # the 0.14 twice, cat 0.6, mat 0.8
    assert steps["Mr"].written() == "0.5·(1·0.74 + 0.4·0.4666) + 0.5·0"  # sat is near mat: 2 of 3 letters of 0.7
    assert steps["fragmentation"].written() == "1 / (4 / 2)"
    assert steps["crossing"].written() == "2 / 3"


def test_a_penalty_is_at_most_one(config_2026):
    """If both penalties together are more than 1, the line takes the minimum with 1."""
    parameters = evolve(config_2026.parameters, gamma=0.9, crossing=0.9)
    explanation = Scorer(evolve(config_2026, parameters=parameters)).explain("a b c d", "d c b a")
    check(explanation, 17, 1e-12)
    step = next(step for step in explanation.steps if step.symbol == "penalty")
    assert (step.value, step.written()) == (1, "min(1, 0.9·1^0.5 + 0.9·1^0.5)")


def test_mean_of_references():
    """If the mean counts, a last line computes it."""
    scorer = Scorer(evolve(load_preset("meteor-2005"), reduce="mean"))
    explanation = scorer.explain(["the cat", "a cat sat"], "the cat sat")
    check(explanation, 17, 1e-12)
    assert explanation.steps[-1].symbol == "mean"
    assert explanation.steps[-2].value == max(one.score for one in explanation.references)


def test_data():
    """As data, the numbers have full precision."""
    step = Scorer("meteor-1.5-en-core").explain(*TEXTS).steps[-1]
    assert computed(step.to_dict()["written"]) == step.to_dict()["value"] == step.value
