"""Figures, intervals and differences of metrics, against what one works out by hand."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import (
    Judged,
    Judgments,
    Metric,
    Pairs,
    Ratings,
    Scored,
    accuracy,
    levels,
    meta_evaluate,
    meteor,
)
from meteorlib.analysis.meta_evaluation.levels import levels_of
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, UnknownName

WORDS = "the cat sat on the mat and the dog ran to a tree".split()


def texts(segments, systems):
    rng = np.random.default_rng(7)
    return tuple(
        Judged(f"s{segment}", f"m{system}", Pair((" ".join(WORDS),), " ".join(rng.permutation(WORDS)[: 3 + system])))
        for segment in range(segments)
        for system in range(systems)
    )


def rated(segments=30, systems=4, name="xx-yy", seed=1):
    every = texts(segments, systems)
    values = np.random.default_rng(seed).integers(0, 4, len(every)).astype(float)
    return Judgments(name, every, ratings=Ratings(np.arange(len(every)), values))


def paired(name="xx-yy", seed=3):
    every = texts(20, 4)
    rng = np.random.default_rng(seed)
    better = np.arange(0, 80, 4) + rng.integers(0, 2, 20)
    worse = np.arange(0, 80, 4) + rng.integers(2, 4, 20)
    return Judgments(name, every, pairs=Pairs(better, worse, rng.integers(1, 5, 20)))


def metric(name, *judgments, seed=2):
    rng = np.random.default_rng(seed)
    return Metric(name, tuple(Scored(rng.integers(0, 9, len(one.texts)) / 9) for one in judgments))


def figures(table, name):
    return {key: figure.value for key, figure in table[name].figures.items()}


def test_pairs_are_counted_as_often_as_they_were_judged():
    """Concordant, discordant and tied are sums of counts; the taus follow; pooled adds them up."""
    one, other = paired("a"), paired("b", seed=4)
    scores = metric("m", one, other)
    found = meta_evaluate([one, other], [scores], samples=10)
    total = np.zeros(3, int)
    for place, judged in enumerate((one, other)):
        orders = [0, 0, 0]
        values = scores.scored[place].scores
        for better, worse, count in zip(judged.pairs.better, judged.pairs.worse, judged.pairs.count, strict=True):
            difference = values[better] - values[worse]
            orders[0 if difference > 0 else 1 if difference < 0 else 2] += count
        row = found.table(judged.name, "pairs")["m"]
        assert [row.concordant, row.discordant, row.tied] == orders
        assert figures(found.table(judged.name, "pairs"), "m")["tau_wmt14"] == (orders[0] - orders[1]) / sum(orders)
        total += orders
    pooled = found.table("pooled", "pairs")["m"]
    assert [pooled.concordant, pooled.discordant, pooled.tied] == total.tolist()
    mean = figures(found.table("mean", "pairs"), "m")
    each = [figures(found.table(name, "pairs"), "m") for name in "ab"]
    assert mean["accuracy"] == pytest.approx((each[0]["accuracy"] + each[1]["accuracy"]) / 2)


def test_ratings_have_scipys_correlations_and_pairs_within_segments():
    """Correlations are scipy's; pairs are those of one segment that people rated differently."""
    stats = pytest.importorskip("scipy.stats")
    judged = rated()
    scores = metric("m", judged)
    found = meta_evaluate([judged], [scores], samples=10)
    table = found.table("xx-yy", "ratings")
    x, y = scores.scored[0].scores, judged.ratings.value
    values = figures(table, "m")
    assert values["pearson"] == pytest.approx(stats.pearsonr(x, y).statistic)
    assert values["spearman"] == pytest.approx(stats.spearmanr(x, y).statistic)
    assert values["tau_b"] == pytest.approx(stats.kendalltau(x, y).statistic)
    assert values["tau_c"] == pytest.approx(stats.kendalltau(x, y, variant="c").statistic)
    orders = {1: 0, -1: 0, 0: 0}
    for first in range(0, len(x), 4):
        for i in range(first, first + 4):
            for j in range(i + 1, first + 4):
                if y[i] != y[j]:
                    orders[int(np.sign((x[i] - x[j]) * (y[i] - y[j])))] += 1
    row = table["m"]
    assert (row.concordant, row.discordant, row.tied) == (orders[1], orders[-1], orders[0])
    assert 0 < values["acc_eq"] < 1


def test_pooled_ratings_are_those_of_one_big_set():
    """Pooled, the ratings of two language pairs correlate as if they were one."""
    one, other = rated(name="a"), rated(name="b", seed=9)
    scores = metric("m", one, other)
    found = meta_evaluate([one, other], [scores], samples=10)
    x = np.concatenate([part.scores for part in scores.scored])
    y = np.concatenate([one.ratings.value, other.ratings.value])
    assert figures(found.table("pooled", "ratings"), "m")["pearson"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.table("pooled", "ratings").segments == 60


def test_intervals_are_of_whole_segments():
    """Drawing segments by hand, with the same random numbers, gives the same interval; the same seed the same."""
    judged = rated(segments=10, systems=6)
    scores = metric("m", judged)
    found = meta_evaluate([judged], [scores], samples=40, seed=5)
    rng = np.random.default_rng(5)
    drawn = rng.integers(10, size=(40, 10))
    rows = [np.concatenate([np.flatnonzero(judged.segments == segment) for segment in chosen]) for chosen in drawn]
    values = sorted(np.corrcoef(scores.scored[0].scores[row], judged.ratings.value[row])[0, 1] for row in rows)
    interval = found.table("xx-yy", "ratings")["m"].figures["pearson"].interval
    assert (interval.low, interval.high) == pytest.approx((values[1], values[-2]))
    assert meta_evaluate([judged], [scores], samples=40, seed=5) == found


def test_without_scipy(monkeypatch):
    """Williams' test is left out with a note that says how to install scipy; every other number is the same."""
    judged = rated()
    metrics = [metric(name, judged, seed=seed) for seed, name in enumerate(("one", "two"))]
    (whole,) = meta_evaluate([judged], metrics, samples=20).tables[:1]
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    found = meta_evaluate([judged], metrics, samples=20)
    assert sum("pip install 'meteorlib[meta-eval]'" in note for note in found.notes) == 1
    (table,) = found.tables[:1]
    figure = whole["two"].figures["pearson"]
    assert figure.difference.williams is not None
    expected = evolve(figure, difference=evolve(figure.difference, williams=None))
    assert table["two"].figures == {**whole["two"].figures, "pearson": expected}


def test_a_metric_does_not_differ_from_itself():
    """The difference is 0, its interval too, p is 1; Williams' test has no opinion."""
    judged = rated()
    one = metric("one", judged)
    found = meta_evaluate([judged], [one, Metric("two", one.scored)], samples=20)
    for figure in found.table("xx-yy", "ratings")["two"].figures.values():
        difference = figure.difference
        assert (difference.value, difference.interval.low, difference.interval.high, difference.p) == (0, 0, 0, 1)
    assert found.table("xx-yy", "ratings")["two"].figures["pearson"].difference.williams == 0.5
    assert found.table("xx-yy", "ratings")["one"].figures["pearson"].difference is None


def test_systems_are_scored_as_corpora(cache):
    """A METEOR's score of a system is that of its corpus; accuracy counts pairs of systems, Pearson is numpy's."""
    every = texts(6, 4)
    people = {"m0": 0.1, "m1": 0.4, "m2": 0.2, "m3": 0.9}
    judged = Judgments("xx-yy", every, systems=people)
    scorer = Scorer("nltk")
    corpora = {}
    for name in people:
        corpus = scorer.corpus()
        for text in every:
            if text.system == name:
                corpus.add(text.texts.references, text.texts.hypothesis)
        corpora[name] = corpus.score().score
    table = meta_evaluate([judged], [meteor(scorer, [judged])], samples=10).table("xx-yy", "systems")
    expected = np.corrcoef(list(corpora.values()), list(people.values()))[0, 1]
    assert figures(table, "nltk")["pearson"] == pytest.approx(expected)
    names = list(people)
    right = [
        (people[a] - people[b]) * (corpora[a] - corpora[b]) > 0 for i, a in enumerate(names) for b in names[i + 1 :]
    ]
    assert figures(table, "nltk")["accuracy"] == np.mean(right)


def test_pooled_systems_stand_beside_each_other():
    """Pooled, Pearson is of the systems of all language pairs; only systems of the same one are compared."""
    people = {f"m{place}": value for place, value in enumerate((0.1, 0.4, 0.2, 0.9))}
    more = {name: 5 - value for name, value in people.items()}
    listed = [Judgments(name, texts(6, 4), systems=told) for name, told in (("a", people), ("b", more))]
    scores = metric("m", *listed)
    found = meta_evaluate(listed, [scores], samples=10)
    x = np.concatenate([one.scores.reshape(6, 4).mean(axis=0) for one in scores.scored])
    pooled = figures(found.table("pooled", "systems"), "m")
    assert pooled["pearson"] == pytest.approx(np.corrcoef(x, [*people.values(), *more.values()])[0, 1])
    each = [found.table(name, "systems")["m"] for name in "ab"]
    assert pooled["accuracy"] == sum(one.concordant for one in each) / 12


def test_accuracies_with_ties_have_their_own_pairs():
    """Pairs of a segment, a system or all texts have their own threshold; too many are left out with a note."""
    judged = rated()
    scores = metric("m", judged)
    row = meta_evaluate([judged], [scores], samples=10).table("xx-yy", "ratings")["m"]
    names = ["acc_eq", "acc_eq_by_system", "acc_eq_ungrouped"]
    assert sorted(row.epsilons) == names
    x, y, places = scores.scored[0].scores, judged.ratings.value, np.arange(120)
    for name, groups in zip(names, (places.reshape(30, 4), places.reshape(30, 4).T, [places]), strict=True):
        shares = []
        for group in groups:
            one, other = (group[place] for place in np.triu_indices(len(group), 1))
            order = np.sign(x[one] - x[other]) * (np.abs(x[one] - x[other]) > row.epsilons[name])
            shares.append((order == np.sign(y[one] - y[other])).mean())
        assert row.figures[name].value == pytest.approx(np.mean(shares))


def test_the_mean_has_the_figures_that_every_language_pair_has():
    """One system in one language pair, so no accuracy by system: the mean leaves it out, and so does not fail."""
    one, other = rated(name="a"), rated(segments=60, systems=1, name="b", seed=4)
    found = meta_evaluate([one, other], [metric("m", one, other)], samples=10)
    assert "acc_eq_by_system" in found.table("a", "ratings")["m"].figures
    assert "acc_eq_by_system" not in found.table("mean", "ratings")["m"].figures
    assert "pearson" in found.table("mean", "ratings")["m"].figures


def test_metrics_that_differ_in_scale_only_do_not_differ():
    """Their correlations differ by rounding at most, which Williams' test does not take for a difference."""
    judged = rated()
    one = metric("one", judged)
    for factor in (0.1, 3.0, 0.7, 1e-3):
        other = Metric("two", (Scored(one.scored[0].scores * factor + 0.3),))
        found = meta_evaluate([judged], [one, other], samples=5).table("xx-yy", "ratings")["two"]
        assert found.figures["pearson"].difference.williams == 0.5


def test_too_many_pairs_are_told(monkeypatch):
    """An accuracy of more pairs than can be compared is left out, which a note says."""
    monkeypatch.setattr("meteorlib.analysis.meta_evaluation.levels.MAX_PAIRS", 5000)
    judged = rated()
    found = meta_evaluate([judged], [metric("m", judged)], samples=10)
    assert sorted(found.table("xx-yy", "ratings")["m"].epsilons) == ["acc_eq", "acc_eq_by_system"]
    assert found.notes[:-1] == ("xx-yy: acc_eq_ungrouped is left out: 7,140 pairs are more than 5,000",)
    monkeypatch.setattr("meteorlib.analysis.meta_evaluation.levels.MAX_PAIRS", 10_000)
    both = [judged, rated(name="zz", seed=4)]
    found = meta_evaluate(both, [metric("m", *both)], samples=10)
    assert found.notes[-1] == "pooled: acc_eq_ungrouped is left out: 28,680 pairs are more than 10,000"


def test_figures_do_not_depend_on_what_is_computed_at_a_time(lowered):
    """Test sets and pairs of texts are computed in parts that bound the memory, with the same figures."""
    judged = rated()
    whole = lowered(accuracy, "CELLS", accuracy.CELLS, "searchsorted", np)
    batches = lowered(levels, "CELLS", levels.CELLS, "_batch_statistics", levels._RatedScores)
    expected = meta_evaluate([judged], [metric("m", judged)], samples=10).to_dict()
    counts = whole(), batches()
    lowered(levels, "CELLS", 300, batches)  # 120 ratings: two test sets at a time
    lowered(accuracy, "CELLS", 1200, whole)  # 120 texts: ten at a time
    assert meta_evaluate([judged], [metric("m", judged)], samples=10).to_dict() == expected
    assert whole() >= 2 * counts[0] + 11
    assert batches() >= 2 * counts[1] + 4


def test_ratings_of_every_system_make_a_judgment_of_systems():
    """If each system is rated on each segment, its mean rating counts; otherwise there is no such table."""
    judged = rated()
    assert [level.kind for level in levels_of(judged)] == ["ratings", "systems"]
    fewer = Judgments("x", judged.texts[:-1], ratings=Ratings(np.arange(119), judged.ratings.value[:-1]))
    assert [level.kind for level in levels_of(fewer)] == ["ratings"]


def test_few_ratings_are_noted():
    """Fifty are few, one more is not."""
    judged = rated(segments=25, systems=2)
    note = "xx-yy: only 50 judgments: too few to say much about a metric"
    assert note in meta_evaluate([judged], [metric("m", judged)], samples=10).notes
    more = rated(segments=17, systems=3)
    assert not [one for one in meta_evaluate([more], [metric("m", more)], samples=10).notes if "judgments" in one]


def test_constant_scores_are_noted():
    """They correlate with nothing; the figures are not there."""
    judged = rated()
    flat = Metric("flat", (Scored(np.full(len(judged.texts), 0.1)),))
    found = meta_evaluate([judged], [flat], samples=10)
    for what in ("texts", "systems"):
        assert f"xx-yy: flat gives all {what} the same score, so nothing correlates with it" in found.notes
    assert "pearson" not in found.table("xx-yy", "ratings")["flat"].figures


def test_what_cannot_be_evaluated_is_named():
    """Constant ratings, no metric, a metric twice, a baseline that is not there, scores that are no numbers."""
    judged = rated()
    one = metric("m", judged)
    constant = Judgments("cs-en", judged.texts, ratings=Ratings(np.arange(120), np.full(120, 3.0)))
    with pytest.raises(InputMismatch, match="cs-en: all ratings are 3"):
        meta_evaluate([constant], [one])
    with pytest.raises(InputMismatch, match="no metric"):
        meta_evaluate([judged], [])
    with pytest.raises(InputMismatch, match="two metrics are called 'm'"):
        meta_evaluate([judged], [one, one])
    with pytest.raises(UnknownName, match="unknown metric 'n'"):
        meta_evaluate([judged], [one], baseline="n")
    with pytest.raises(InputMismatch, match="m must have a number for each of the 120 texts of xx-yy"):
        meta_evaluate([judged], [Metric("m", (Scored(np.full(120, np.nan)),))])
    with pytest.raises(InputMismatch, match="m has scores of 2 language pairs where 1 are judged"):
        meta_evaluate([judged], [Metric("m", one.scored * 2)])
    with pytest.raises(InputMismatch, match="no judgment"):
        meta_evaluate([], [one])
    with pytest.raises(InputMismatch, match="one system"):
        meta_evaluate([Judgments("x", judged.texts, systems={"m0": 1.0})], [one])
