"""The beam search does what METEOR 1.5's does, step by step."""

from __future__ import annotations

import random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, SearchConfig
from meteorlib.config.schema import ParameterConfig, ScorerConfig, StageConfig
from meteorlib.search import beam
from meteorlib.search.beam import Accurate, Beam
from tests.examples import examples
from tests.search import textbook
from tests.search.problems import problems

GAINS = (1.0, 0.5, 0.5, 0.5)


@pytest.mark.parametrize("exact_float", [0, beam.EXACT_FLOAT])
@pytest.mark.parametrize("long_list", [0, 64])
@given(problem=problems(9, "aabc", others=8, words_of_phrases=4), width=st.sampled_from([1, 2, 3, 40]))
@examples(400)
def test_equals_the_description(problem, width, long_list, exact_float):
    """Lists of either length, with both kinds of keys, give the matches that the step-by-step description chooses."""
    candidates, hypothesis_length = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beam, "LONG_LIST", long_list)
        patch.setattr(beam, "EXACT_FLOAT", exact_float)
        found = Beam(width)(candidates, hypothesis_length, GAINS)
    assert list(found.matches) == textbook.search(candidates, hypothesis_length, GAINS, width)
    assert found.optimal


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 6))])
def test_equals_the_description_where_the_beam_is_full(seed, monkeypatch):
    """Long ambiguous segments, where more than 40 paths compete, come out the same."""
    draw = random.Random(seed)
    types = "abcd"[: 2 + seed % 3]
    reference = [draw.choice(types) for _ in range(30)]
    hypothesis = [draw.choice(types) for _ in range(28)]
    candidates = [[(1, i, 1, 0) for i, word in enumerate(hypothesis) if word == wanted] for wanted in reference]
    for _ in range(12):
        position, start = draw.randrange(28), draw.randrange(26)
        candidates[position].append((draw.randint(1, 2), start, draw.randint(1, 2), 3))
    for long_list in (0, 64):
        monkeypatch.setattr(beam, "LONG_LIST", long_list)
        found = Beam()(candidates, len(hypothesis), GAINS)
        assert list(found.matches) == textbook.search(candidates, len(hypothesis), GAINS, 40)


def test_nothing_to_match():
    """Without candidates, or without words, no match is found."""
    assert Beam()([], 0, GAINS).matches == []
    assert Beam()([[], []], 3, GAINS).matches == []


@examples(200)
@given(words=st.tuples(*[st.lists(st.sampled_from("ab"), max_size=12)] * 2), stages=st.lists(st.sampled_from("ab")))
def test_shared_lists(words, stages):
    """Long lists that positions share, with words of several stages, are searched like lists of their own."""
    reference, hypothesis = words
    lists = {
        wanted: [(1, start, 1, 0) for start, word in enumerate(hypothesis) if word == wanted]
        + [(1, start, 1, 1) for start, word in enumerate(hypothesis) if word != wanted and wanted in stages]
        for wanted in "ab"
    }
    candidates = [lists[word] for word in reference]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beam, "LONG_LIST", 0)
        for width in (1, 3, 40):
            found = Beam(width)(candidates, len(hypothesis), GAINS)
            assert list(found.matches) == textbook.search(candidates, len(hypothesis), GAINS, width)


@pytest.mark.thorough
def test_a_word_repeated_500_times():
    """Five hundred candidates at each of five hundred positions end in one chunk."""
    everywhere = [(1, start, 1, 0) for start in range(500)]
    found = Beam()([everywhere] * 500, 500, (1.0,))
    assert list(found.matches) == [(position, 1, position, 1, 0) for position in range(500)]


WORD, PHRASE = 2.0**32, 1.0


@pytest.mark.parametrize("length", [2, 50, 3000])
def test_words_before_phrases(length):
    """One matched word outweighs a phrase of any length, which wins by its words in the ordinary search."""
    candidates = [[(1, length - 1, 1, 0), (length, 0, length, 1)], *[[] for _ in range(length - 1)]]
    word, phrase = (0, 1, length - 1, 1, 0), (0, length, 0, length, 1)
    assert Accurate()(candidates, length, (WORD, PHRASE)).matches == [word]
    assert Beam()(candidates, length, (1.0, 1.0)).matches == [phrase]


def test_in_a_configuration():
    """A configuration can name it; the engine gives it the matchers' accuracy, and the signature says so."""
    config = ScorerConfig(
        name="mine",
        stages=[StageConfig("exact"), StageConfig("stem", resource="porter")],
        parameters=ParameterConfig(0.9, 3, 0.5),
        search=SearchConfig("accurate", width=7),
    )
    scorer = Scorer(config)
    assert "search:accurate(width=7)" in str(scorer.signature)
    # two stems in one chunk, where an exact match counts no more than they do
    assert [match.stage for match in scorer.align("cats dogs", "cat dog cats").matches] == [1, 1]
    beam = Scorer(evolve(config, search=SearchConfig("beam")))
    assert [match.stage for match in beam.align("cats dogs", "cat dog cats").matches] == [0, 1]
