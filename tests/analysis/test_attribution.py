"""Attribution of a difference to the parts of two configurations, and configurations made of parts of two others."""

from __future__ import annotations

from itertools import combinations
from math import isclose

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.attribution import (
    PARTS,
    contributions,
    differing_parts,
    is_possible,
    largest_contributor,
    subsets,
    substitute_parts,
)
from meteorlib.config import ScorerConfig, StageConfig, load_preset, preset_names

ALIKE = {"name": "", "description": "", "source": ""}


def test_a_single_part_makes_the_whole_difference():
    """With one differing part there is nothing to share."""
    assert contributions(["search"], lambda parts: 0.7 if parts else 0.4) == {"search": 0.7 - 0.4}


def test_independent_parts_contribute_what_they_move():
    """If steps do not depend on each other, each part has its own; the largest comes first."""
    moves = {"text": 1, "stages": 4, "search": -2}
    found = contributions(list(moves), lambda parts: float(sum(moves[part] for part in parts)))
    assert found == {"stages": 4.0, "text": 1.0, "search": -2.0}
    assert list(found) == ["stages", "text", "search"]


def test_what_two_parts_make_together_is_shared():
    """A stage without its weight counts nothing: half of the gain is the stage's, half the weight's."""
    gain = {frozenset({"stages", "parameters"}): 1.0}
    assert contributions(["stages", "parameters"], lambda parts: gain.get(parts, 0.0)) == {
        "stages": 0.5, "parameters": 0.5,
    }  # fmt: skip


def test_orders_that_cannot_be_are_left_out():
    """If the stages need the other search, they follow it in every order."""
    values = {(): 0.0, ("search",): 1.0, ("search", "stages"): 4.0}
    found = contributions(["stages", "search"], lambda parts: values.get(tuple(sorted(parts))))
    assert found == {"stages": 3.0, "search": 1.0}


def test_no_possible_order_gives_no_contributions():
    """If every order is blocked, nothing is claimed."""
    assert contributions(["stages", "search"], lambda parts: 1.0 if len(parts) != 1 else None) == {}
    assert contributions([], dict.fromkeys([frozenset()], 1.0).get) == {}


@given(st.lists(st.floats(0, 1), min_size=16, max_size=16))
def test_contributions_add_up_to_the_difference(values):
    """Contributions of parts that depend on each other add up to the difference."""
    parts = ["text", "stages", "search", "parameters"]
    value = dict(zip(subsets(parts), values, strict=True))
    total = value[frozenset(parts)] - value[frozenset()]
    assert isclose(sum(contributions(parts, value.__getitem__).values()), total, abs_tol=1e-12)


@given(st.lists(st.floats(0, 1), min_size=8, max_size=8))
def test_the_other_way_round_the_contributions_are_the_same_with_the_other_sign(values):
    """Attribution does not depend on which of the two configurations comes first."""
    parts = ["text", "stages", "search"]
    value = dict(zip(subsets(parts), values, strict=True))
    there = contributions(parts, value.__getitem__)
    back = contributions(parts, lambda chosen: value[frozenset(parts) - chosen])
    assert all(isclose(there[part], -back[part], abs_tol=1e-12) for part in parts)


def test_reason():
    """The reason is the part with the largest contribution in the direction of the difference."""
    assert largest_contributor({"stages": 0.1, "text": -0.4}) == "stages"
    assert largest_contributor({}) is None


@pytest.mark.parametrize("pair", list(combinations(preset_names()[::12], 2)), ids="-".join)
def test_no_part_is_the_one_and_all_parts_are_the_other(pair):
    """The parts cover all that moves a number: with all of them, one configuration becomes the other."""
    one, other = map(load_preset, pair)
    assert evolve(substitute_parts(one, other, ()), **ALIKE) == evolve(one, **ALIKE)
    assert evolve(substitute_parts(one, other, PARTS), **ALIKE) == evolve(other, **ALIKE)
    assert evolve(substitute_parts(one, other, differing_parts(one, other)), **ALIKE) == evolve(other, **ALIKE)


def test_parts_name_every_field():
    """A field that is added to ScorerConfig without a part fails here."""
    assert {field.name for field in ScorerConfig.__attrs_attrs__} == {
        *ALIKE, "resources",
        "text", "language", "stages", "search", "parameters", "formula", "perfect_segments", "weights",
        "case", "function_words", "negations", "count", "reduce",
    }  # fmt: skip


def test_weights_belong_to_the_parameters():
    """A stage weighs as where the parameters are from; one that is missing there, as where the stages are from."""
    one, other = load_preset("meteor-2005"), load_preset("meteor-1.5-en")

    def weights(*parts):
        return [(stage.matcher, stage.weight) for stage in substitute_parts(one, other, parts).stages]

    assert weights("stages") == [("exact", 1.0), ("stem", 1.0), ("synonym", 1.0), ("paraphrase", 0.6)]
    assert weights("parameters") == [("exact", 1.0), ("stem", 0.6), ("synonym", 0.8)]


def test_equal_matchers_are_told_apart_by_their_order():
    """Two stem stages keep a weight each."""
    stages = [StageConfig("stem", 0.9, "porter"), StageConfig("stem", 0.3, "snowball-en")]
    one = evolve(load_preset("meteor-1.5-en-core"), stages=stages)
    other = evolve(one, stages=[evolve(stage, weight=stage.weight / 2) for stage in stages])
    assert [stage.weight for stage in substitute_parts(one, other, ["parameters"]).stages] == [0.45, 0.15]


def test_the_new_formula_is_a_matter_of_parameters(config_2026):
    """Word weights, the penalty of crossing matches and perfect segments come and go with the other numbers."""
    other = load_preset("meteor-1.5-en-core")
    numbers = substitute_parts(other, config_2026, ["parameters"])
    assert (numbers.formula, numbers.weights) == ("meteor-2026", config_2026.weights)
    assert numbers.parameters.crossing == 0.25
    assert [(stage.matcher, stage.weight) for stage in numbers.stages] == [
        ("exact", 1),
        ("stem", 0.6),
        ("synonym", 0.7),
    ]
    assert is_possible(numbers)
    assert differing_parts(config_2026, evolve(config_2026, weights=None)) == ("parameters",)
    assert differing_parts(other, evolve(other, perfect_segments="penalized")) == ("parameters",)
    assert evolve(substitute_parts(config_2026, other, PARTS), **ALIKE) == evolve(other, **ALIKE)


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("meteor-1.5-en", "meteor-1.5-en-core", ("stages",)),
        ("meteor-1.5-en", "meteor-1.5-en-adq", ("parameters",)),
        ("meteor-1.5-en", "meteor-1.5-en-universal", ("stages", "parameters")),
        ("meteor-1.5-en", "meteor-1.5-en-util", ("parameters",)),
        ("meteor-1.5-fr", "meteor-1.5-fr-intended", ("parameters",)),
        ("meteor-2005", "nltk", ("text", "stages", "search")),
        ("meteor-2005", "meteor-1.5-en", ("text", "stages", "search", "parameters")),
    ],
)
def test_differing(one, other, parts):
    """Function words and the counted unit are parameters; a missing stage is not a changed weight."""
    assert differing_parts(load_preset(one), load_preset(other)) == parts
    assert differing_parts(load_preset(other), load_preset(one)) == parts
    assert differing_parts(load_preset(one), load_preset(one)) == ()


def test_the_choice_among_references_is_a_part():
    """Two configurations that take another of several references differ in that alone."""
    one = load_preset("meteor-2005")
    assert differing_parts(one, evolve(one, reduce="mean")) == ("references",)


def test_possible():
    """Paraphrases in a search for single words cannot be."""
    one, other = load_preset("meteor-2005"), load_preset("meteor-1.5-en")
    assert not is_possible(substitute_parts(one, other, ["stages"]))
    assert is_possible(substitute_parts(one, other, ["stages", "search"]))
