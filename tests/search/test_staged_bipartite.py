"""Largest matchings against brute force, and how much of a graph a question visits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.search import positions, staged_bipartite
from meteorlib.search.staged_bipartite import NONE, VISITS, Matching
from tests.examples import examples, many


def largest(neighbors, taken):
    """The size of a largest matching of words with positions that are not taken, by trying everything."""
    if not neighbors:
        return 0
    first, *others = neighbors
    taking = [1 + largest(others, taken | 1 << position) for position in positions(first & ~taken)]
    return max([largest(others, taken), *taking])


def truth(neighbors, word, taken):
    """Expected answer of `Matching.allowed`."""
    size = largest(neighbors, 0) - taken.bit_count()
    others = neighbors[word + 1 :]
    choices = [p for p in positions(neighbors[word] & ~taken) if 1 + largest(others, taken | 1 << p) == size]
    return sum(1 << position for position in choices), largest(others, taken) == size


def graph(pick, words, places, degree):
    """Each word with the given number of random positions."""
    return [sum(1 << position for position in pick.sample(range(places), degree)) for _ in range(words)]


graphs = st.lists(st.integers(1, 63), min_size=1, max_size=6 if many() else 5)


@examples(300)
@given(graphs, st.randoms(use_true_random=False))
def test_equals_brute_force(neighbors, pick):
    """The answers are brute force's in any order of questions, word by word or from the beginning again."""
    check_answers(neighbors, pick)


@pytest.mark.parametrize("seed", range(20))
def test_equals_brute_force_where_words_compete(seed):
    """The answers are brute force's where each of six words has two or three of five positions."""
    pick = Random(seed)
    check_answers([mask for degree in (2, 2, 2, 3, 1, 2) for mask in graph(pick, 1, 5, degree)], pick)


def check_answers(neighbors, pick):
    """Ask about the words of a graph, one after the other and from the beginning again, in several situations."""
    asked = Matching(neighbors)
    for _ in range(2):
        states = [0]
        for word in range(len(neighbors)):
            after = set()
            for taken in states:
                choices, dispensable = asked.allowed(word, taken)
                assert (choices, dispensable) == truth(neighbors, word, taken)
                after |= {taken | 1 << position for position in positions(choices)}
                after |= {taken} if dispensable else set()
            states = pick.sample(sorted(after), min(4, len(after)))
    assert asked.complete


@pytest.mark.parametrize(("visits", "complete"), [(staged_bipartite.VISITS, True), (3, True), (2, False)])
def test_how_far_a_question_looks(monkeypatch, visits, complete):
    """A question visits a bounded number of words, and says so if it needed more."""
    monkeypatch.setattr(staged_bipartite, "VISITS", visits)
    asked, taken = Matching([0b01, 0b11, 0b10]), 0
    for word in range(3):
        choices, _ = asked.allowed(word, taken)
        taken |= choices & -choices
    assert asked.complete == complete


@examples(300)
@given(neighbors=graphs, seed=st.integers())
def test_a_short_look_finds_only_what_is_right(neighbors, seed):
    """A question limited to a few words gives a partial answer, marked as such; a move always remains."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staged_bipartite, "VISITS", 1)
        pick = Random(seed)
        asked = Matching(neighbors)
        taken = 0
        for word in range(len(neighbors)):
            choices, dispensable = asked.allowed(word, taken)
            all_choices, may_stay = truth(neighbors, word, taken)
            assert choices | all_choices == all_choices
            assert may_stay or not dispensable
            assert not asked.complete or (choices, dispensable) == (all_choices, may_stay)
            ways = [1 << position for position in positions(choices)] + [0] * dispensable
            taken |= pick.choice(ways)
        assert taken.bit_count() == asked.size


@pytest.mark.parametrize(
    ("words", "degree"),
    [(200, 10), *(pytest.param(*graph, marks=pytest.mark.thorough) for graph in [(1000, 10), (2000, 3), (2000, 2)])],
)
def test_a_question_looks_at_a_bounded_number_of_words(words, degree):
    """In a graph of any size, a question looks at VISITS words and the owners of the choices on average at most."""
    pick = Random(1)
    asked = Matching(graph(pick, words, words, degree))
    taken = 0
    for word in range(words):
        choices, _ = asked.allowed(word, taken)
        if choices:
            taken |= 1 << pick.choice(list(positions(choices)))
    assert taken.bit_count() == asked.size
    assert asked.visited <= words * (VISITS + degree)


def test_partners_are_a_largest_matching():
    """The partners are one position a word at most, no position twice, and as many as there can be."""
    asked = Matching(graph(Random(2), 300, 250, 3))
    taken = [partner for partner in asked.partners if partner != NONE]
    assert len(set(taken)) == len(taken) == asked.size
