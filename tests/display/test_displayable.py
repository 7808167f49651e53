"""Breakdowns and alignments at the prompt, as text, as plain data and as numbers."""

from __future__ import annotations

import json
import pickle
from decimal import Decimal
from itertools import combinations_with_replacement
from math import nan
from operator import ge, gt, le, lt

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Alignment, Match, ScoreBreakdown, Scorer
from meteorlib.core import Parameters, Statistics, breakdown
from meteorlib.core.formula import NUMBERS
from meteorlib.display.text import WIDTH, listing, shorten

SCORER = Scorer()
MEAN = Scorer(evolve(SCORER.config, reduce="mean"))
SCORED = SCORER.score("the cat sat on the mat", "the cat was sat on the mat")
EMPTY = SCORER.score("", "")
PHRASES = Alignment(
    ("the", "cat", "sat", "down", "quickly"),
    ("fast", "the", "cat", "took", "a", "seat"),
    (Match(0, 1, 1, 1, 0), Match(1, 1, 2, 1, 0), Match(2, 2, 3, 3, 2), Match(4, 1, 0, 1, 1)),
    ("exact", "synonym", "paraphrase"),
)

sentence = st.lists(st.sampled_from(["the", "cat", "cats", "dog", "sat", "<b>", "é"]), max_size=6).map(" ".join)


@given(st.sampled_from([SCORER, MEAN]), st.lists(sentence, min_size=1, max_size=3), sentence)
def test_equality(scorer, references, hypothesis):
    """A breakdown equals itself, its like and its copy, also where a number has no value; and hashes alike."""
    one, like = scorer.score(references, hypothesis), scorer.score(references, hypothesis)
    copy = pickle.loads(pickle.dumps(one))  # noqa: S301
    assert one == one == like == copy  # noqa: PLR0124 – NaN is not
    assert hash(one) == hash(like) == hash(copy)
    assert copy.origin == one.origin


@pytest.mark.parametrize("name", NUMBERS)
def test_inequality(name):
    """Each number counts, and one without value is not one with any."""
    for value in (0.0, 0.123, float("nan")):
        changed = evolve(SCORED, **{name: value})
        assert (changed == SCORED) is (getattr(SCORED, name) == value)
    assert evolve(SCORED, alignment=None) != SCORED
    assert evolve(SCORED, optimal=False) != SCORED


def test_origin_does_not_count():
    """Breakdowns of two METEORs with the same numbers are equal; their origins differ."""
    exact = Scorer("meteor-2005-exact")
    one, other = evolve(exact.score("a", "a"), alignment=None), exact.breakdown(exact.score("a", "a").statistics)
    assert evolve(one, reference_index=None, origin=None) == other
    assert one.origin.signature == str(exact.signature)
    assert SCORED.origin.stages == SCORED.stages == ("exact", "stem", "synonym")


def test_float():
    """A breakdown is its score where a number is wanted."""
    assert float(SCORED) == SCORED.score
    assert max([EMPTY, SCORED], key=float) is SCORED


def test_repr():
    """One short line each."""
    assert repr(SCORED) == "ScoreBreakdown(score=0.9654, precision=0.8571, recall=1.0000, penalty=0.0185, chunks=2)"
    assert repr(EMPTY) == "ScoreBreakdown(score=0.0000, precision=nan, recall=nan, penalty=nan, chunks=0)"
    assert repr(SCORED.alignment) == "Alignment(reference_words=6, hypothesis_words=7, matches=6)"
    total = evolve(SCORER.corpus().extend(references=["a b"] * 3, hypotheses=["a"] * 3).score(), optimal=False)
    assert repr(total).endswith(", chunks=3, segment_count=3, optimal=False)")
    assert repr(evolve(SCORED.alignment, optimal=False)).endswith("matches=6, optimal=False)")
    for one in (SCORED, EMPTY, total, SCORER.score("word " * 900, "word " * 900), PHRASES):
        assert len(repr(one)) <= 120
        assert "\n" not in repr(one)


def test_str_of_an_alignment():
    """Two rows of words with the numbers of their matches, phrases in braces; then the matches by stage."""
    assert str(PHRASES).splitlines() == [
        "reference      the[1] cat[2] {sat down}[3] quickly[4]",
        "hypothesis     fast[4] the[1] cat[2] {took a seat}[3]",
        "exact          1, 2",
        "synonym        4",
        "paraphrase     3",
    ]
    assert str(EMPTY.alignment).splitlines() == ["reference", "hypothesis"]


def test_str_of_a_breakdown():
    """The lines of the text report, and the alignment."""
    assert str(SCORED).splitlines() == [
        "score          0.9654",
        "precision      0.8571",
        "recall         1.0000",
        "f_mean         0.9836",
        "fragmentation  0.3333",
        "penalty        0.0185",
        "chunks         2",
        "words          exact 6, stem 0, synonym 0, unmatched 1",
        "length         hypothesis 7, reference 6",
        "reference      the[1] cat[2] sat[3] on[4] the[5] mat[6]",
        "hypothesis     the[1] cat[2] was sat[3] on[4] the[5] mat[6]",
        "exact          1, 2, 3, 4, 5, 6",
    ]
    assert "recall         –" in str(EMPTY)
    assert "reference" not in str(SCORER.breakdown(SCORED.statistics)).replace(", reference 6", "")


def test_stages_without_names():
    """A breakdown that no scorer made numbers its stages."""
    bare = evolve(SCORER.breakdown(SCORED.statistics), origin=None)
    assert "words          stage 1 6, stage 2 0, stage 3 0, unmatched 1" in str(bare)
    assert evolve(SCORED, origin=None).stages == ("exact", "stem", "synonym")


@given(st.sampled_from([SCORER, MEAN]), st.lists(sentence, min_size=1, max_size=3), sentence)
def test_plain_data(scorer, references, hypothesis):
    """Plain data goes through JSON as it is: no NaN, no tuple, all numbers in full."""
    scored = scorer.score(references, hypothesis)
    for one in (
        scored,
        scorer.corpus().extend(references=[references], hypotheses=[hypothesis]).score(),
        *filter(None, [scored.alignment]),
    ):
        assert json.loads(json.dumps(one.to_dict(), allow_nan=False)) == one.to_dict()
    data = scored.to_dict()
    for name in NUMBERS:
        assert data[name] == getattr(scored, name) or (data[name] is None and getattr(scored, name) != data[name])
    assert data["reference_index"] == scored.reference_index
    assert ("segment_count" in data) is False


def test_plain_data_of_segment_and_corpus():
    """A segment lists its matches, an alignment its words as well, a corpus the number of its segments."""
    match = {
        "reference_start": 2,
        "reference_length": 2,
        "hypothesis_start": 3,
        "hypothesis_length": 3,
        "stage": "paraphrase",
    }
    assert PHRASES.to_dict()["matches"][2] == match
    assert (PHRASES.to_dict()["reference"], PHRASES.to_dict()["optimal"]) == (list(PHRASES.reference), True)
    assert SCORED.to_dict()["matches"] == SCORED.alignment.to_dict()["matches"]
    total = SCORER.corpus().extend(references=["a b"] * 3, hypotheses=["a"] * 3).score().to_dict()
    assert total["segment_count"] == 3
    assert "matches" not in total
    assert total["statistics"]["stages"][0] == {
        "matcher": "exact", "hypothesis_content": 3, "reference_content": 3, "hypothesis_function": 0,
        "reference_function": 0,
    }  # fmt: skip


def test_older_calls():
    """A breakdown can be made of what it was made of before there was more to tell."""
    made = ScoreBreakdown(*[0.5] * 7, Statistics.zero(1), None, 0)
    assert (made.origin, made.segment_count) == (None, None)


def test_short():
    """Text that is too long is cut, and shows it."""
    assert (shorten("abc", 3), shorten("abcd", 3)) == ("abc", "ab…")


def test_what_counts_in_part(scorer_2026):
    """Weights are in units of words, with two digits; after a partial match is the share that counts."""
    scored = scorer_2026.score("the mattress was seen", "seen the matress")
    lines = dict(line.split(None, 1) for line in str(scored).splitlines())
    assert lines["near"] == "3 (0.88)" or lines["near"] == "2 (0.88)"
    assert lines["length"] == "hypothesis 2.34, reference 2.59"
    assert lines["crossing"] == f"{scored.crossing:.4f}"
    assert "exact 1.24" in lines["words"]
    data = scored.to_dict()
    assert data["crossing"] == scored.crossing == 2 / 3
    assert (data["statistics"]["unit"], data["statistics"]["hypothesis_length"]) == (10_000, 23_400)
    assert data["statistics"]["order"] == {"junctions": 4, "crossings": 2, "match_pairs": 3}
    assert "unit" not in SCORED.to_dict()["statistics"]
    assert "crossing" not in SCORED.to_dict()


@pytest.mark.parametrize("letters", [WIDTH - 1, WIDTH, WIDTH + 5])
def test_a_long_label_does_not_touch_its_value(letters):
    """Values are aligned, at least two spaces after the longest label."""
    first, second = listing([("a", "one"), ("b" * letters, "two")]).splitlines()
    assert first.index("one") == second.index("two") == max(WIDTH, letters + 2)


MATCHED = Scorer("meteor-2005").score("on the mat sat the cat", "the cat sat on the mat")
NOTHING = breakdown(Statistics.zero(1), Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula="meteor-2005"))
ORDERS = (lt, le, gt, ge)


def with_score(score: float):
    """A breakdown with this score, all else equal."""
    return evolve(NOTHING, score=score)


@given(st.floats(0, 1), st.sampled_from(["", ".4f", "6.1%", ">12", "e", "g"]))
def test_format_and_round(score, specification):
    """A format specification and ``round`` apply to the score; without a specification all of it is shown."""
    scored = with_score(score)
    assert f"{scored:{specification}}" == (f"{score:{specification}}" if specification else str(scored))
    assert [round(scored), round(scored, 4), round(scored, -1)] == [round(score), round(score, 4), round(score, -1)]
    assert type(round(scored)) is int
    assert float(scored) == score


@given(st.floats(0, 1), st.floats(0, 1))
def test_one_order_for_numbers_and_breakdowns(one, other):
    """Comparisons are those of the scores, with a number on either side or with another breakdown."""
    for order in ORDERS:
        expected = order(one, other)
        assert order(with_score(one), other) is expected
        assert order(one, with_score(other)) is expected
        assert order(with_score(one), with_score(other)) is expected
    assert max([with_score(one), with_score(other)]).score == max(one, other)


@pytest.mark.parametrize("number", [0, 1, True, Decimal("0.25"), np.float32(0.25), np.int64(1), nan])
def test_any_number(number):
    """Integers, decimals and NumPy's numbers are compared as a float is."""
    for order in ORDERS:
        assert order(MATCHED, number) == order(MATCHED.score, number)
        assert order(number, MATCHED) == order(number, MATCHED.score)


@pytest.mark.parametrize("other", ["0.5", None, [0.5]])
def test_nothing_else(other):
    """A value that is not a number has no order with a breakdown."""
    for order in ORDERS:
        with pytest.raises(TypeError):
            order(MATCHED, other)


def test_equality_compares_everything():
    """Breakdowns with one score may differ; none equals a number; equal ones have one hash."""
    scored, number, same_score = MATCHED, MATCHED.score, evolve(MATCHED, alignment=None)
    assert scored <= same_score <= scored
    assert scored != same_score
    assert scored != number
    assert number != scored
    again = Scorer("meteor-2005").score("on the mat sat the cat", "the cat sat on the mat")
    assert again == scored
    assert hash(scored) == hash(again)


def test_equal_breakdowns_are_in_no_strict_order():
    """Equal breakdowns are neither above nor below each other; sorting keeps their order."""
    for one, other in combinations_with_replacement([MATCHED, evolve(MATCHED), NOTHING], 2):
        if one == other:
            assert not one < other
            assert not one > other
            assert one <= other
            assert one >= other
    twins = [MATCHED, evolve(MATCHED), NOTHING]
    assert [*map(id, sorted(twins))] == [id(NOTHING), id(twins[0]), id(twins[1])]
