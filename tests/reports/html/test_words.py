"""Words and phrases that a system gets, or not."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import breakdown
from meteorlib.reports.html.one_sided import one_sided_matches
from meteorlib.reports.html.segments import references_of
from meteorlib.reports.html.words import never_exact, never_matched


def compared(*corpora):
    """Words that one of two systems gets right, for each two."""
    found = one_sided_matches(corpora, references_of([one.segments for one in corpora]))
    return [{name: [[entry[:3] for entry in side] for side in sides] for name, sides in pair.items()} for pair in found]


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
    ((winner, _),) = [one["words"] for one in one_sided_matches([first, second], [[one.split()] for one in references])]
    worth = {text: (value, kind) for text, _, _, value, kind in winner}
    stages = first.statistics.stages
    more = stages[0]._replace(
        hypothesis_content=stages[0].hypothesis_content + 1, reference_content=stages[0].reference_content + 1
    )
    raised = breakdown(evolve(first.statistics, stages=(more, *stages[1:])), first.parameters).score
    assert worth["cat"] == (pytest.approx(raised - first.score().score, abs=1e-7), 0)
    assert worth["the"][1] == 2
    assert 0 < worth["the"][0] < worth["cat"][0]


def test_different_references(corpus):
    """Where two were scored against different references, only what stands in both is compared."""
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
    """Words that are missed every time are listed, the frequent ones first."""
    segments = corpus(["a b c", "a b", "c"], ["x", "b", "x y"]).segments
    assert never_matched(segments) == [["a", 2], ["c", 2]]


def test_never_as_written(corpus):
    """Words matched only by stem or synonym are listed with the words said instead."""
    references = ["the dog sleeps", "dogs bark", "one physician"]
    segments = corpus(references, ["the dog sleeping", "dogs bark", "one doctor"]).segments
    assert never_exact(segments) == [
        ["physician", [(2, 1)], [["doctor", 1]]],
        ["sleeps", [(1, 1)], [["sleeping", 1]]],
    ]


@pytest.fixture(scope="module")
def phrases():
    """Hypotheses for a reference each → segments of METEOR 2026, which matches ``every day`` with ``everyday``."""
    scorer = Scorer("meteor-2026-en-core")

    def make(references, hypotheses):
        return scorer.corpus().extend(references=references, hypotheses=hypotheses).segments

    return make


def test_phrase_never_as_written(phrases):
    """A phrase that is only matched by another form is listed, also where its words are matched apart."""
    segments = phrases(["it rains every day", "every good day"], ["it rains everyday", "every day"])
    assert [entry for entry in never_exact(segments) if entry[0] == "every day"] == [
        ["every day", [(3, 1)], [["everyday", 1]]]
    ]


def test_phrase_side_by_side_is_written(phrases):
    """A phrase whose words are matched side by side, one by one, is matched as written."""
    segments = phrases(["it rains every day", "we walk every day"], ["it rains everyday", "we walk every day"])
    assert [entry[0] for entry in never_exact(segments)] == []


def test_word_in_a_phrase_is_written():
    """A word that stands in both sides of a matched phrase is matched as written there."""
    one = Scorer().score("a", "a")

    def alignment_of(reference, hypothesis, *matches):
        texts = {"reference": tuple(reference.split()), "hypothesis": tuple(hypothesis.split())}
        return evolve(one, alignment=evolve(one.alignment, matches=tuple(Match(*match) for match in matches), **texts))

    half = alignment_of("half", "halves", (0, 1, 0, 1, 1))
    assert never_exact([half]) == [["half", [(1, 1)], [["halves", 1]]]]
    phrase = alignment_of("about half", "approximately half", (0, 2, 0, 2, 2))
    assert [entry[0] for entry in never_exact([half, phrase])] == ["about half"]
