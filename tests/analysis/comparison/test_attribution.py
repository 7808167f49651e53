"""Attribution of a difference to the parts of two configurations."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.comparison.attribution import contributions, largest_contributor, subsets


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
