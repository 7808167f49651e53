"""Means are exact, and no digit depends on the order of rows."""

from __future__ import annotations

import fractions

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Metric, Pairs, Ratings, Scored, meta_evaluate
from meteorlib.analysis.meta_evaluation.judgments import Fractions, center_ratings, join_digits, split_digits
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch
from tests.examples import examples

SYSTEMS, SEGMENTS = 4, 5

numbers = st.one_of(
    st.integers(0, 20).map(lambda tenths: tenths / 10),
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda number: number == 0 or abs(number) > 1e-6),
)


def judged(values, text=None, **others):
    """Ratings of four systems on five segments."""
    texts = tuple(
        Judged(f"s{place // SYSTEMS}", f"m{place % SYSTEMS}", Pair(("a",), f"b {place}"))
        for place in range(SYSTEMS * SEGMENTS)
    )
    text = np.arange(len(values)) if text is None else np.array(text)
    return Judgments("xx-yy", texts, ratings=Ratings(text, np.array(values, float)), **others)


def written(number):
    return fractions.Fraction(repr(float(number)))


@examples(500)
@given(st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1, max_size=20))
def test_means_are_those_of_the_decimals_that_people_wrote(rows):
    """The mean of each text is that of fractions, rounded once; a mean of means stays a fraction until then."""
    values, texts = (np.array(column) for column in zip(*rows, strict=True))
    means = Ratings(texts, values).means()
    expected = {}
    for value, text in rows:
        expected.setdefault(text, []).append(written(value))
    exact = [sum(listed) / len(listed) for _, listed in sorted(expected.items())]
    assert means.text.tolist() == sorted(expected)
    assert means.value.tolist() == [float(one) for one in exact]
    of_all = means.exact().means(np.zeros(len(means), np.int64))
    assert fractions.Fraction(of_all.numerators[0], of_all.denominator) == sum(exact) / len(exact)


@examples(500)
@given(st.lists(st.integers(0, 10**80), min_size=1, max_size=20))
def test_digits_add_up(integers):
    """Sums of digits are the digits of the sum, also where each is larger than a digit."""
    digits = split_digits(np.array(integers, object))
    assert join_digits(digits).tolist() == integers
    assert join_digits(digits.sum(axis=0)[np.newaxis]).tolist() == [sum(integers)]


def test_ratings_in_tenths_have_the_ties_that_they_have():
    """Texts whose tenths have the same sum are tied in any order: tau-b is scipy's of the sums."""
    stats = pytest.importorskip("scipy.stats")
    tenths = [[int(digit) for digit in three] for three in "129 921 444 789 888 987 336 633 012 210".split() * 2]
    metric = np.arange(20) % 7
    values = [one / 10 for three in tenths for one in three]
    found = Ratings(np.repeat(np.arange(20), 3), np.array(values)).means()
    sums = [sum(three) for three in tenths]
    judgments = Judgments("xx-yy", judged([0]).texts, ratings=found)
    table = meta_evaluate([judgments], [Metric("m", (Scored(metric / 7),))], samples=2).table("xx-yy", "ratings")
    assert table["m"].figures["tau_b"].value == pytest.approx(stats.kendalltau(metric, sums).statistic, abs=1e-15)
    assert len(np.unique(found.value)) == len(set(sums))


def test_systems_with_equal_means_are_tied():
    """7/9 is 7/9, whichever texts have the ratings, and a metric's equal means are equal, too."""
    of_systems = ["001 011 112", "112 001 011", "001 001 122", "000 000 001"]
    texts = tuple(
        Judged(f"s{segment}", f"m{system}", Pair(("a",), f"b {system} {segment}"))
        for system in range(4)
        for segment in range(3)
    )
    values = np.array([int(digit) for system in of_systems for digit in system.replace(" ", "")], float)
    ratings = Ratings(np.repeat(np.arange(12), 3), values).means()
    scores = np.array([0.1, 0.2, 0.9, 0.9, 0.2, 0.1, 0.4, 0.4, 0.4, 0.3, 0.6, 0.3])
    judgments = Judgments("xx-yy", texts, ratings=ratings)
    found = meta_evaluate([judgments], [Metric("m", (Scored(scores),))], samples=2).table("xx-yy", "systems")["m"]
    assert (found.concordant, found.discordant, found.tied) == (0, 0, 3)


@st.composite
def shuffled(draw):
    """Judgments of texts, by rating and by pair, with a metric's scores; and all of it in another order of rows."""
    size = SYSTEMS * SEGMENTS
    text = draw(st.permutations([*range(size), *draw(st.lists(st.integers(0, size - 1), max_size=20))]))
    values = draw(st.lists(numbers, min_size=len(text), max_size=len(text)))
    scores = draw(st.lists(numbers, min_size=size, max_size=size))
    order, rows = draw(st.permutations(range(size))), draw(st.permutations(range(len(text))))
    places = np.argsort(order)
    better, worse = np.arange(0, size, SYSTEMS), np.arange(1, size, SYSTEMS)
    count = np.array(draw(st.lists(st.integers(1, 4), min_size=SEGMENTS, max_size=SEGMENTS)))
    one = judged(values, text, pairs=Pairs(better, worse, count))
    other = Judgments(
        one.name,
        tuple(one.texts[place] for place in order),
        Pairs(places[better], places[worse], count),
        Ratings(places[one.ratings.text[rows]], one.ratings.value[rows]),
    )
    averaged = draw(st.booleans())
    listed = [
        Judgments(each.name, each.texts, each.pairs, each.ratings.means() if averaged else each.ratings)
        for each in (one, other)
    ]
    return listed, (np.array(scores), np.array(scores)[list(order)])


@examples(100)
@given(shuffled())
def test_the_order_of_rows_changes_no_digit(given_rows):
    """Figures, intervals, differences and p values are the same numbers, of ratings, pairs and systems, and pooled."""
    listed, scores = given_rows
    found = []
    for judgments, score in zip(listed, scores, strict=True):
        if len(np.unique(judgments.ratings.value)) < 2:
            return
        again = Judgments("aa-bb", judgments.texts, judgments.pairs, judgments.ratings)
        metrics = [Metric("m", (Scored(score), Scored(-score))), Metric("n", (Scored(score**2), Scored(score)))]
        found.append(meta_evaluate([judgments, again], metrics, samples=5))
    assert found[0] == found[1]


@pytest.mark.parametrize(("shift", "scale"), [(1e15, 1), (-1e15, 1), (0, 1e60), (0, 1e-60)])
def test_large_ratings_are_as_exact_as_small_ones(shift, scale):
    """Ratings that differ by little from 1e15, or are large or tiny, agree as much as the same ones near 1 do."""
    values = np.random.default_rng(1).integers(0, 9, SYSTEMS * SEGMENTS).astype(float)
    scores = np.random.default_rng(2).random(SYSTEMS * SEGMENTS)
    tables = [
        meta_evaluate([judged(ratings)], [Metric("m", (Scored(scores),))], samples=20).tables
        for ratings in (values, (values + shift) * scale)
    ]
    for one, other in zip(*tables, strict=True):
        for name, figure in one["m"].figures.items():
            assert other["m"].figures[name].value == pytest.approx(figure.value, abs=1e-12), name
            assert other["m"].figures[name].interval.low == pytest.approx(figure.interval.low, abs=1e-12), name


@pytest.mark.parametrize("odd", [1e308, -1e308, 1e-300, np.nan])
def test_ratings_that_cannot_be_computed_with_are_named(odd):
    """Too large, too small or no number: the error blames the ratings, or the metric where it is a score."""
    metric = Metric("m", (Scored(np.arange(20.0)),))
    with pytest.raises(InputMismatch, match=r"xx-yy: there is a rating of .*; rescale the ratings, or leave out"):
        meta_evaluate([judged([*range(19), odd])], [metric])
    systems = Judgments("xx-yy", judged([0]).texts, systems={"m0": 1.0, "m1": odd})
    with pytest.raises(InputMismatch, match=r"xx-yy: there is a rating of "):
        meta_evaluate([systems], [metric])
    with pytest.raises(InputMismatch, match=r"m has a score of|m must have a number"):
        meta_evaluate([judged(range(20))], [Metric("m", (Scored(np.array([*range(19), odd])),))])


def test_means_of_large_ratings_are_told_apart():
    """Two means that are the same double differ once the rating in the middle is subtracted."""
    values = np.array([2.0**53, 2.0**53 + 2, 2.0**53 + 2, 2.0**53 + 2, 2.0**53])
    means = Ratings(np.array([0, 0, 0, 1, 2]), values).means()
    assert means.value[0] == means.value[1]
    (one,) = center_ratings([Judgments("xx-yy", judged([0]).texts, ratings=means)])
    assert one.ratings.value.tolist() == [0.0, 2 / 3, -4 / 3]


def test_there_is_no_mean_of_infinity():
    """A number that is not finite is refused."""
    with pytest.raises(InputMismatch, match="not finite"):
        Fractions.of(np.array([1.0, np.inf]))


def test_systems_of_equal_mean_ratings_are_blamed_on_people():
    """If all systems have the same mean rating, no metric is said to be constant."""
    metric = Metric("m", (Scored(np.arange(20.0)),))
    values = [(segment + system) % 4 for segment in range(4) for system in range(SYSTEMS)] + [0] * SYSTEMS
    told = meta_evaluate([judged(values)], [metric], samples=2).notes
    assert "xx-yy: the mean ratings of all systems are equal, so nothing correlates with them" in told
    assert not [one for one in told if "gives all" in one]
