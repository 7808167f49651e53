"""NLTK's greedy searches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.search.greedy import Greedy, GreedyAgain


def _pairs(candidates, words):
    found = Greedy()(candidates, words, ())
    assert found.optimal
    return [(hypothesis, reference, stage) for reference, _, hypothesis, _, stage in found.matches]


def _same(*positions, stage=0):
    return [(1, position, 1, stage) for position in positions]


def test_the_last_word_takes_the_last_place():
    """From the end of the hypothesis, each word takes the last free place it can."""
    twice = _same(0, 1)
    assert _pairs([twice, twice, twice], 2) == [(0, 1, 0), (1, 2, 0)]
    assert _pairs([_same(0, 1), _same(0)], 2) == [(1, 0, 0), (0, 1, 0)]


def test_the_last_place_of_several_lists():
    """If several lists propose a word, it takes the last place of all, in any order of the lists."""
    outer, inner = _same(0), _same(0)
    assert _pairs([outer, inner, inner, outer], 1) == [(0, 3, 0)]


def test_nothing_is_weighed():
    """A word takes its last place though another word then has none."""
    assert _pairs([_same(1), _same(0, 1)], 2) == [(1, 1, 0)]


def test_stage_by_stage():
    """A stage sees only what no earlier one matched, on both sides."""
    candidates = [_same(0), [*_same(1, stage=1), *_same(0, stage=1)], [*_same(1, stage=2)]]
    assert _pairs(candidates, 2) == [(0, 0, 0), (1, 1, 1)]


def test_nothing_proposed():
    """Without candidates, or without words, there are no matches."""
    assert _pairs([[], []], 3) == []
    assert _pairs([], 0) == []


def test_single_words_only():
    """A candidate of several words is refused with its place."""
    with pytest.raises(ValueError, match=r"^search 'greedy' aligns single words: 2 reference words at 1 .* at 0$"):
        Greedy()([[], [(2, 0, 1, 0)]], 1)


CANDIDATES = st.lists(st.tuples(st.just(1), st.integers(0, 5), st.just(1), st.integers(0, 2)), max_size=6)


@given(
    shared=st.lists(CANDIDATES, min_size=1, max_size=4),
    places=st.lists(st.integers(0, 3), max_size=7),
    search=st.sampled_from([Greedy(), GreedyAgain()]),
)
def test_equals_the_rule_spelled_out(shared, places, search):
    """The result is that of going through stages, hypothesis and reference backwards, word by word.

    With `GreedyAgain`, each later stage goes through all words that the first one left, whatever the others matched.
    """
    candidates = [shared[place % len(shared)] for place in places]
    expected = []
    free = set(range(len(candidates))), set(range(6))
    free_reference, free_hypothesis = free
    for stage in range(3):
        if stage and search.again:
            free_reference, free_hypothesis = map(set, free)
        for position in reversed(range(6)):
            for reference in reversed(range(len(candidates))):
                proposed = (1, position, 1, stage) in candidates[reference]
                if proposed and position in free_hypothesis and reference in free_reference:
                    free_hypothesis.remove(position)
                    free_reference.remove(reference)
                    expected.append((reference, 1, position, 1, stage))
    key = (lambda match: (match[2], match[4])) if search.again else None
    assert search(candidates, 6).matches == sorted(expected, key=key)
