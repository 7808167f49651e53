"""Components cut down to a number of pairs."""

from __future__ import annotations

import pytest

from meteorlib.search.staged_bipartite import Matching
from meteorlib.search.staged_components import PAIRS_PER_STEP, components_of


def ring(words, classes, shift=0):
    """A loose part: each word matches the positions of every class but its own."""
    groups = {}
    for own in range(classes):
        mask = sum(1 << shift + position for position in range(words) if position % classes != own)
        groups[mask] = [shift + reference for reference in range(words) if reference % classes == own]
    return ((1 << words) - 1) << shift, groups


def repeats(references, positions, shift=0):
    """An ordered part: places of one word."""
    mask = ((1 << positions) - 1) << shift
    return mask, {mask: range(shift, shift + references)}


def pairs(components):
    """Number of pairs in each component."""
    return [sum(mask.bit_count() for mask in component.reach) for component in components]


def test_small_parts_are_whole():
    """If all pairs are within the budget, none is left out, even if the parts are unlike."""
    choices = [ring(30, 3), repeats(2, 3, 100)]
    components, complete = components_of(choices, 103, 76)
    assert complete
    assert pairs(components) == [600, 4]
    assert components_of(choices, 103, 75)[1] is False


@pytest.mark.parametrize("words", [60, 240, 960])
def test_pairs_do_not_grow_with_the_square_of_the_length(words):
    """A part has as many pairs as the budget allows, and a partner for each word beside."""
    (component,), complete = components_of([ring(words, 3)], words, 100)
    assert not complete
    assert pairs([component])[0] <= PAIRS_PER_STEP * 100 + words
    assert Matching(component.reach).size == words


def test_what_lies_near_is_kept():
    """Each word keeps the positions nearest to its own place."""
    (component,), _ = components_of([ring(300, 3)], 300, 300)
    assert pairs([component])[0] > 2000
    near = [sum(abs(place - word) <= 8 for place in bits(mask)) for word, mask in enumerate(component.reach)]
    assert sum(near) >= pairs([component])[0] - 300


def bits(mask):
    """The positions of a bit set."""
    return [position for position in range(mask.bit_length()) if mask >> position & 1]


def test_parts_share_the_pairs():
    """Each part gets pairs in proportion to what it has, ordered ones too."""
    choices = [ring(300, 3), repeats(100, 300, 300)]
    components, complete = components_of(choices, 600, 1000)
    assert not complete
    loose, ordered = pairs(components)
    assert loose <= 8000 * 60000 // 80100 + 300
    assert ordered <= 8000 * 20100 // 80100 + 100
    assert loose > 2 * ordered
