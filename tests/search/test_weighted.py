"""The search for the alignment of the greatest value."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.alignment import Chunking
from meteorlib.core.segment import SCALE
from meteorlib.search.weighted import MOST_CHOICES, Weighted, nearest

CHUNK, DISTANCE, FAR, KEPT = 0.1, 0.2, 3, 0.25


COSTS = CHUNK, DISTANCE, FAR, KEPT


def value(matches, candidate_value):
    """Value of an alignment, from the definition."""
    total = 0
    heads = {matches[head] for head in Chunking.of(matches).heads}
    for match in matches:
        paid = round(DISTANCE * SCALE) * min(abs(match[0] - match[2]), FAR) // FAR
        paid += round(CHUNK * SCALE) * (match in heads)
        total += max(candidate_value[match] - paid, candidate_value[match] * round(KEPT * SCALE) // SCALE)
    return total


def alignments(candidates):
    """Every set of matches of which none share a word."""
    offered = [[None, *((position, *candidate) for candidate in here)] for position, here in enumerate(candidates)]
    for chosen in product(*offered):
        matches = [match for match in chosen if match is not None]
        reference = [word for match in matches for word in range(match[0], match[0] + match[1])]
        hypothesis = [word for match in matches for word in range(match[2], match[2] + match[3])]
        if len(set(reference)) == len(reference) and len(set(hypothesis)) == len(hypothesis):
            yield matches


@st.composite
def problems(draw):
    """Candidates of a few words and phrases, and the value of each."""
    reference_length, hypothesis_length = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    candidates = []
    for position in range(reference_length):
        here = draw(
            st.lists(
                st.tuples(
                    st.integers(1, min(2, reference_length - position)),
                    st.integers(0, hypothesis_length - 1),
                    st.integers(1, 2),
                    st.integers(0, 2),
                ).filter(lambda candidate: candidate[1] + candidate[2] <= hypothesis_length),
                max_size=3,
                unique=True,
            )
        )
        candidates.append(here)
    values = [[draw(st.integers(0, SCALE)) for _ in here] for here in candidates]
    return candidates, hypothesis_length, values


def value_of(candidates, values):
    """The function that searches get: a position and a candidate there → its value."""
    known = [dict(zip(here, row, strict=True)) for here, row in zip(candidates, values, strict=True)]
    return lambda position, candidate: known[position][candidate]


@given(problems())
def test_the_best_of_all(problem):
    """A beam that keeps every state finds the highest value of all alignments; a narrow one finds no higher value."""
    check_best(*problem)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_dense_problems(seed):
    """The best alignment is found where nearly every word has several candidates of similar value."""
    pick = Random(seed)
    size = 5
    candidates = []
    for position in range(size):
        singles = [(1, start, 1, pick.randrange(2)) for start in pick.sample(range(size), 3)]
        phrase = (pick.randint(1, min(2, size - position)), pick.randrange(size - 1), 2, 2)
        candidates.append([*singles, phrase])
    for least in (0, SCALE // 2, SCALE * 9 // 10):
        check_best(candidates, size, [[pick.randint(least, SCALE) for _ in here] for here in candidates])


def check_best(candidates, hypothesis_length, values):
    """Compare what the searches find with all alignments."""
    candidate_value = {
        (position, *candidate): values[position][index]
        for position, here in enumerate(candidates)
        for index, candidate in enumerate(here)
    }
    everything = list(alignments(candidates))
    best = max(value(matches, candidate_value) for matches in everything)
    for search in (Weighted(40, *COSTS), Weighted(1, *COSTS)):
        found = search(candidates, hypothesis_length, value_of(candidates, values))
        assert found.matches in everything
        reached = value(found.matches, candidate_value)
        assert reached <= best
        assert found.optimal
        assert reached == best or search == Weighted(1, *COSTS)


def test_states_of_one_future_are_one():
    """Words that nobody else wants cost no state: width 8 leaves none of a hundred pairs out."""
    size = 100
    candidates = [[(1, word, 1, 0), (1, word ^ 1, 1, 0)] for word in range(size)]
    values = [[SCALE, SCALE // 2]] * size
    found = Weighted(width=8)(candidates, size, value_of(candidates, values))
    assert found.matches == [(word, 1, word, 1, 0) for word in range(size)]


def test_the_best_states_are_kept():
    """A beam of one state keeps the most valuable one; of equally valuable ones that of the first candidate."""
    candidates = [[(1, 0, 1, 0), (1, 1, 1, 0), (1, 2, 1, 0)], [(1, 0, 1, 0), (1, 1, 1, 0), (1, 2, 1, 0)]]
    free = {"chunk": 0, "distance": 0, "kept": 0}
    values = [[5000, 9000, 9000], [5000, 9000, 1000]]
    found = Weighted(1, **free)(candidates, 3, value_of(candidates, values))
    assert found.matches == [(0, 1, 1, 1, 0), (1, 1, 0, 1, 0)]


def test_what_costs_more_than_it_brings():
    """A match keeps a share of its value: no word is left out that could be matched."""
    for kept in (0, 0.1):
        assert Weighted(chunk=0.1, kept=kept)([[(1, 0, 1, 0)]], 1, lambda *_: 1).matches == [(0, 1, 0, 1, 0)]


def test_nothing_to_match():
    """No words, no candidates: no matches."""
    assert Weighted()([], 3, lambda *_: 1) == ([], True)
    assert Weighted()([[], []], 0, lambda *_: 1) == ([], True)


@pytest.mark.parametrize("position", [0, 900, 5000])
def test_the_nearest_candidates(position):
    """If there are too many candidates, the nearest stay in their order; of equally near ones, the first."""
    here = [(1, start, 1, stage) for stage in range(2) for start in range(MOST_CHOICES)]
    ranked = sorted(here, key=lambda candidate: abs(candidate[1] - position))
    assert nearest(here, position) == sorted(ranked[:MOST_CHOICES], key=lambda candidate: candidate[::-1])
    assert nearest(here[:MOST_CHOICES], position) == here[:MOST_CHOICES]


def test_too_many_candidates():
    """If some are not considered, no alignment is called optimal; one candidate less, and it is."""
    for count in (MOST_CHOICES, MOST_CHOICES + 1):
        candidates = [[(1, start, 1, 0) for start in range(count)]]
        found = Weighted(1)(candidates, count, lambda *_: SCALE)
        assert found == ([(0, 1, 0, 1, 0)], count == MOST_CHOICES)


@pytest.mark.parametrize(
    ("setting", "wrong"), [("chunk", -0.1), ("distance", float("nan")), ("chunk", 1e9), ("kept", 1.1)]
)
def test_settings_out_of_range(setting, wrong):
    """Costs are not negative, and finite."""
    with pytest.raises(ValueError, match=setting):
        Weighted(**{setting: wrong})
