"""Words and phrases that a system gets, or not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned, Collected, References, WordNumbers
from meteorlib.analysis.contrast.missed_words import never_exact, never_matched
from meteorlib.analysis.contrast.one_sided import one_sided_matches
from meteorlib.analysis.contrast.word_weights import WordWeights
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import breakdown


def one_sided(corpora):
    """The entries of each pair of corpora."""
    numbers = WordNumbers()
    systems = [Aligned.of(one, numbers) for one in corpora]
    return one_sided_matches(systems, References.of(systems))


def compared(*corpora):
    """Words that one of two systems gets right, for each two."""
    found = one_sided(corpora)
    return [
        {
            name: [[[" ".join(entry.words), entry.matches, entry.others] for entry in side] for side in sides]
            for name, sides in pair._asdict().items()
        }
        for pair in found
    ]


def test_words_that_one_gets(corpus):
    """A word counts as often as one system has it matched more often than the other."""
    references = ["the red cat sleeps", "the cat and the cat"]
    first = corpus(references, ["the red cat sleeps", "the cat and a cat"])
    second = corpus(references, ["a green cat sleeps", "the dog and the dog"])
    (found,) = compared(first, second)
    assert found["words"][0] == [["cat", 2, 0], ["red", 1, 0]]
    assert found["words"][1] == []


def test_most_one_sided_first(corpus):
    """Words that one system alone gets three times of three come before four of six."""
    references = ["clear"] * 3 + ["mixed"] * 6
    first = corpus(references, ["clear"] * 3 + ["mixed"] * 4 + ["x"] * 2)
    second = corpus(references, ["x"] * 3 + ["x"] * 4 + ["mixed"] * 2)
    (found,) = compared(first, second)
    assert found["words"] == [[["clear", 3, 0], ["mixed", 4, 2]], []]


def test_phrases_in_one_piece(corpus):
    """A phrase is right where its words are matched in one chunk; parts that add nothing are left out."""
    references = ["we saw the red cat today"]
    (found,) = compared(corpus(references, ["there the red cat sat"]), corpus(references, ["red the cat"]))
    assert found["phrases"] == [[["the red cat", 1, 0]], []]


def test_worth_is_what_more_matches_add(corpus):
    """The worth of a word is what one more exact match adds to the corpus score; function words add less."""
    references = ["the red cat sleeps well", "a dog barks"]
    first = corpus(references, ["the red cat sleeps now", "a dog barks"])
    second = corpus(references, ["one red bird sleeps now", "a dog barks"])
    ((winner, _),) = [one.words for one in one_sided([first, second])]
    worth = {" ".join(words): (value, kind) for words, _, _, value, kind, *_ in winner}
    stages = first.statistics.stages
    more = stages[0]._replace(
        hypothesis_content=stages[0].hypothesis_content + 1, reference_content=stages[0].reference_content + 1
    )
    raised = breakdown(evolve(first.statistics, stages=(more, *stages[1:])), first.parameters).score
    assert worth["cat"] == (pytest.approx(raised - first.score().score, abs=1e-7), 0)
    assert worth["the"][1] == 2
    assert 0 < worth["the"][0] < worth["cat"][0]


def test_different_references(corpus):
    """If two systems were scored against different references, only words of both references are compared."""
    references = [["the car is red", "the auto is blue"]]
    first, second = corpus(references, ["the car is red"]), corpus(references, ["auto is blue"])
    (found,) = compared(first, second)
    assert found["words"] == [[["the", 1, 0]], []]


def test_same_systems(corpus):
    """Between a system and itself there is nothing to tell."""
    one = corpus(["a b c"], ["a x c"])
    assert compared(one, one) == [{"words": [[], []], "phrases": [[], []]}]
    assert compared(one) == []


def test_never_matched(corpus):
    """Words that are missed every time are listed, those that cost most first: function words cost less."""
    system = corpus(["the big cats", "the big", "cats", "the ,", "not big"], ["x", "big", "x y", "z", "big"])
    found = never_matched(Aligned.of(system))
    assert [(entry.word, entry.times, entry.kind) for entry in found] == [
        ("cats", 2, 0), ("the", 3, 2), (",", 1, 3), ("not", 1, 0),
    ]  # fmt: skip
    assert [entry.cost for entry in found] == sorted((entry.cost for entry in found), reverse=True)


def test_never_as_written(corpus):
    """Words matched only by stem or synonym are listed with the words said instead."""
    references = ["the dog sleeps", "dogs bark", "one physician"]
    system = corpus(references, ["the dog sleeping", "dogs bark", "one doctor"])
    found = never_exact(Aligned.of(system))
    assert [entry[:3] for entry in found] == [
        (("sleeps",), [(1, 1)], [(("sleeping",), 1)]),
        (("physician",), [(2, 1)], [(("doctor",), 1)]),
    ]
    first, second = (
        entry.cost / (1 - system.parameters.weights[stage]) for entry, stage in zip(found, (1, 2), strict=True)
    )
    assert first == pytest.approx(second)


@pytest.fixture(scope="module")
def phrases():
    """Hypotheses for a reference each → segments of METEOR 2026, which matches ``every day`` with ``everyday``."""
    scorer = Scorer("meteor-2026-en-core")

    def make(references, hypotheses):
        return scorer.corpus().extend(references=references, hypotheses=hypotheses)

    return make


def test_phrase_never_as_written(phrases):
    """A phrase that is only matched by another form is listed, also where its words are matched apart."""
    system = phrases(["it rains every day", "every good day"], ["it rains everyday", "every day"])
    assert [entry[:3] for entry in never_exact(Aligned.of(system)) if len(entry.words) == 2] == [
        (("every", "day"), [(3, 1)], [(("everyday",), 1)])
    ]


def test_phrase_side_by_side_is_written(phrases):
    """A phrase whose words are matched side by side, one by one, is matched as written."""
    system = phrases(["it rains every day", "we walk every day"], ["it rains everyday", "we walk every day"])
    assert never_exact(Aligned.of(system)) == []


def test_word_in_a_phrase_is_written():
    """A word on both sides of a matched phrase counts as an exact match."""
    one = Scorer().score("a", "a")

    def alignment_of(reference, hypothesis, *matches):
        texts = {"reference": tuple(reference.split()), "hypothesis": tuple(hypothesis.split())}
        return evolve(one, alignment=evolve(one.alignment, matches=tuple(Match(*match) for match in matches), **texts))

    def listed(*segments):
        corpus, numbers = Scorer().corpus().extend(references=["a"], hypotheses=["a"]), WordNumbers()
        return never_exact(Collected(corpus, numbers).extend(segments).aligned())

    half = alignment_of("half", "halves", (0, 1, 0, 1, 1))
    assert [entry[:3] for entry in listed(half)] == [(("half",), [(1, 1)], [(("halves",), 1)])]
    phrase = alignment_of("about half", "approximately half", (0, 2, 0, 2, 2))
    assert [entry.words for entry in listed(half, phrase)] == [("about", "half")]


@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abc"), max_size=7)] * 3), min_size=1, max_size=4), st.data())
def test_recount(texts, data):
    """Counts of one-sided words are those of a recount segment by segment, also with references of unequal number."""
    scorer = Scorer()
    references = [
        [" ".join(one) or "a", *data.draw(st.lists(st.sampled_from(["a b", "c"]), max_size=1))] for one, *_ in texts
    ]
    corpora = [
        scorer.corpus().extend(references=references, hypotheses=[" ".join(each[side]) for each in texts])
        for side in (1, 2)
    ]
    expected = Counter()
    for one, other in zip(*corpora, strict=True):
        sides = [one.alignment, other.alignment]
        matched = [Counter(side.reference[at] for at in side.by_reference) for side in sides]
        for word in set(sides[0].reference) & set(sides[1].reference):
            more = matched[0][word] - matched[1][word]
            expected[word, more < 0] += abs(more)
    (found,) = one_sided(corpora)
    for side in (0, 1):
        counted = {entry.words[0]: (entry.matches, entry.others) for entry in found.words[side]}
        words = {word for word, _ in expected}
        assert counted == {
            word: (expected[word, side], expected[word, 1 - side])
            for word in words
            if expected[word, bool(side)] > expected[word, not side]
        }


def test_kinds_of_phrases():
    """A phrase of function words is one, whatever word fills its row; a mark is seen; a negation is not hidden."""
    marks, grammatical = np.array([False, False, True, False]), np.array([False, True, False, False])
    weights = WordWeights(np.array([5, 0, 0, 0]), np.array([0, 5, 0, 5]), marks, grammatical)
    words = np.array([[1, 0], [1, 0], [1, 2], [0, 2], [1, 3]])
    present = np.array([[True, False], [True, True], [True, True], [True, False], [True, True]])
    assert weights.kinds(words, present).tolist() == [2, 0, 3, 0, 0]


@pytest.mark.parametrize(("preset", "kinds"), [("nltk", [2, 0, 0]), ("meteor-1.5-de-core", [0, 2, 0])])
def test_function_words_of_the_language(preset, kinds):
    """Function words of the language are hidden, whatever list the preset has; a negation and a mark are not."""
    system = Aligned.of(Scorer(preset).corpus().extend(references=["the und nothing ;"], hypotheses=["x"]))
    found = {entry.word: entry.kind for entry in never_matched(system)}
    assert [found[word] for word in ("the", "und", "nothing")] == kinds


def test_significance_of_words(corpus):
    """A word is significant by its segments, not by its matches: ten in one segment are one."""
    first = corpus([*["red"] * 10, " ".join(["blue"] * 10)], [*["red"] * 10, " ".join(["blue"] * 10)])
    second = corpus([*["red"] * 10, " ".join(["blue"] * 10)], ["x"] * 11)
    ((winner, _),) = [one.words for one in one_sided([first, second])]
    assert sorted((one.words[0], one.matches, one.segments, one.significant) for one in winner) == [
        ("blue", 10, 1, 0), ("red", 10, 10, 1),
    ]  # fmt: skip
