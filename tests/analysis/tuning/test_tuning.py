"""Tuning finds what people have in their heads, and claims nothing that cannot be shown."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.differences import Interval
from meteorlib.analysis.meta_evaluation import Judgments, Pairs, Ratings, meta_evaluate, meteor
from meteorlib.analysis.tuning import objective_function, tune
from meteorlib.analysis.tuning.tuning import digest_of, widen_interval
from meteorlib.errors import ExtraMissing, InputMismatch, UnknownName
from meteorlib.reports.human_judgments import tuning_json
from tests.analysis.tuning.conftest import ranked, rated

FIT = ["alpha", "beta=0.2:2", "gamma"]
QUICK = {"evaluations": 150, "samples": 200}


def plain(found):
    return {**found.to_dict(), "points": found.points, "config": found.config}


def test_what_people_have_in_their_heads(base, taste):
    """Judgments made with another METEOR agree better with fitted values, on left-out data as well: a gain."""
    pytest.importorskip("scipy")
    found = tune(base, {"a": [ranked(taste)]}, FIT, **QUICK)
    assert found.gain.shown
    assert found.gain.base < 0.8
    assert found.gain.value > 0.9
    assert found.whole.train > found.whole.base
    assert abs(found.whole.values["alpha"] - 0.2) < 0.2
    assert found.config.parameters.delta == base.config.parameters.delta


def test_nothing_to_be_learned(base):
    """Random judgments can be fitted in training, but no gain is claimed."""
    pytest.importorskip("scipy")
    found = tune(base, {"a": [ranked(None, noise=1.0)]}, FIT, **QUICK)
    assert found.whole.train > found.whole.base
    assert not found.gain.shown
    assert found.gain.interval.low <= 0


def test_figures_are_those_of_meta_evaluation(base, taste):
    """The objective is the statistic that `meta-eval` tells of the same preset; that of a fold is of its texts."""
    judged = [ranked(taste, "cs-en", noise=0.05), ranked(taste, "de-en", noise=0.05)]
    found = tune(base, {"a": judged}, ["alpha=0.1/0.5", "gamma=0.5/1"], method="grid", samples=50)
    metrics = [meteor(base, judged), meteor(Scorer(found.config), judged)]
    told = meta_evaluate(judged, metrics, samples=2).table("mean", "pairs")
    assert told[base.config.name].figures["tau_wmt14"].value == pytest.approx(found.whole.base)
    assert told["tuned"].figures["tau_wmt14"].value == pytest.approx(found.whole.train)
    assert [fold.left_out for fold in found.folds] == ["cs-en", "de-en"]
    for fold, one in zip(found.folds, judged, strict=True):
        alone = meta_evaluate([one], [meteor(base, [one])], samples=2).tables[0].agreements[0]
        assert alone.figures["tau_wmt14"].value == pytest.approx(fold.left_out_base)
    assert found.gain.base == pytest.approx(found.whole.base)
    assert np.mean([fold.left_out_value for fold in found.folds]) == pytest.approx(found.gain.value)


def test_a_grid_tries_every_combination(base, taste, lowered):
    """The last parameter is the fastest; the best of all is chosen, the first of equals."""
    portions = lowered(objective_function, "CELLS", 1, "values_of", objective_function.ObjectiveFunction)
    found = tune(base, {"a": [rated(taste)]}, ["alpha=0:1:0.5", "gamma=0.2/0.8"], objective="pearson", method="grid",
                 samples=50)  # fmt: skip
    assert portions() >= 6
    assert [point for _, point in found.points] == [
        (alpha, gamma) for alpha in (0, 0.5, 1) for gamma in (0.2, 0.8)
    ]  # fmt: skip
    best = max(value for value, _ in found.points)
    first = next(point for value, point in found.points if value == best)
    assert tuple(found.whole.values.values()) == first
    assert found.tried == 6


def test_steps_of_a_grid_are_written_without_their_errors(base, taste):
    """Steps that are added up end at 0.8999999999999999; the preset has 0.9."""
    steps = ["alpha=0.7:0.9:0.1"]
    found = tune(base, {"a": [rated(base)]}, steps, objective="pearson", method="grid", samples=20)
    assert found.points[-1][1][0] < 0.9
    assert (found.whole.values["alpha"], found.config.parameters.alpha) == (0.9, 0.9)


def test_several_references(base, taste):
    """With several references, the best one under the parameters being tried counts."""
    judged = rated(taste, references=2)
    found = tune(base, {"a": [judged]}, ["alpha=0/1"], objective="pearson", method="grid", samples=50)
    for value, (alpha,) in found.points:
        scorer = Scorer(evolve(base.config, parameters=evolve(base.config.parameters, alpha=alpha)))
        scores = [scorer.score(*text.texts).score for text in judged.texts]
        assert value == pytest.approx(np.corrcoef(scores, judged.ratings.value)[0, 1])


def test_what_moves_alignments_is_aligned_anew(base):
    """A key that is no number of the formula is tried by scoring with it, beside numbers that are rescored."""
    cased = rated(None, noise=1.0)
    texts = tuple(
        evolve(text, texts=text.texts._replace(hypothesis=text.texts.hypothesis.upper())) if place % 3 else text
        for place, text in enumerate(cased.texts)
    )
    judged = evolve(cased, texts=texts)
    exact = Scorer(evolve(base.config, text="none"))
    values = np.array([exact.score(*text.texts).score for text in texts])
    judged = evolve(judged, ratings=Ratings(judged.ratings.text, values))
    found = tune(base, {"a": [judged]}, ["text=lower/none", "alpha=0.5/0.9"], objective="pearson", method="grid",
                 samples=50)  # fmt: skip
    assert found.whole.values == {"text": "none", "alpha": 0.9}
    assert found.whole.train == pytest.approx(1.0)
    assert found.config.text == "none"


def test_the_same_seed_has_the_same_result(base, taste):
    """A run can be repeated; another seed tries other points."""
    pytest.importorskip("scipy")
    data = {"a": [ranked(taste, noise=0.1)]}
    one, again, other = (tune(base, data, FIT, seed=seed, **QUICK) for seed in (1, 1, 2))
    assert plain(one) == plain(again)
    assert one.points != other.points


def test_an_interruption_loses_nothing(base, taste, cache, monkeypatch):
    """Settings tried before an interruption are not tried again, but by other code; the result is that of one run."""
    pytest.importorskip("scipy")
    data = {"a": [ranked(taste, noise=0.1)]}
    whole = tune(base, data, FIT, **QUICK)

    def interrupted(what, done, count):
        if what == "trying" and done >= 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(base, data, FIT, progress=interrupted, **QUICK)
    (kept,) = (cache / objective_function.FOLDER).iterdir()
    tried = [0]

    def counted(what, done, count):
        tried.append(done if what == "trying" else 0)

    with monkeypatch.context() as other_code:
        other_code.setattr("meteorlib.analysis.tuning.tuning.code_digest", lambda: "other")
        tune(base, data, FIT, progress=counted, **QUICK)
    assert max(tried) == whole.tried
    tried = [0]
    again = tune(base, data, FIT, progress=counted, **QUICK)
    assert plain(again) == plain(whole)
    assert max(tried) <= whole.tried - 200
    assert not kept.exists()


def test_what_makes_no_difference_stays(base, taste):
    """A parameter that affects no score of these texts is not fitted, and a note says so."""
    pytest.importorskip("scipy")
    found = tune(base, {"a": [rated(taste)]}, ["alpha", "delta"], objective="pearson", **QUICK)
    assert found.notes == ("delta does not affect the scores of these texts; it is left unchanged",)
    assert [*found.whole.values] == ["alpha"]
    with pytest.raises(InputMismatch, match="delta: no value changes the scores of these texts"):
        tune(base, {"a": [rated(taste)]}, ["delta"], objective="pearson", **QUICK)


def test_weights_on_which_alignments_depend(config_2026, taste):
    """If the search weighs stages, the figures are those of texts that are aligned with the fitted weights."""
    pytest.importorskip("scipy")
    scorer = Scorer(config_2026)
    judged = [ranked(taste, segments=20, noise=0.1)]
    aligned = []

    def counted(what, done, count):
        if what.startswith("aligning"):
            aligned.append(done == count)

    asked = {"evaluations": 40, "samples": 20, "folds": 2, "progress": counted}
    found = tune(scorer, {"a": judged}, ["weight.exact", "alpha"], **asked)
    told = meta_evaluate(judged, [meteor(Scorer(found.config), judged)], samples=2).tables[0].agreements[0]
    assert told.figures["tau_wmt14"].value == pytest.approx(found.whole.train)
    assert sum(aligned) > 1  # the texts, again and again


@pytest.mark.parametrize(
    ("changed", "error", "told"),
    [
        ({"method": "guess"}, UnknownName, "unknown method 'guess'"),
        ({"samples": 1}, ValueError, "samples must be at least 2"),
        ({"folds": 1}, ValueError, "folds must be at least 2"),
        ({"confidence": 95}, ValueError, "confidence must be between 0 and 1"),
    ],
)
def test_what_cannot_be(base, taste, changed, error, told):
    """Settings that mean nothing are refused."""
    with pytest.raises(error, match=told):
        tune(base, {"a": [rated(taste)]}, ["alpha"], **changed)


def test_a_grid_that_is_too_large(base, taste):
    """Too many points to try are refused, with the parameters that multiply them."""
    fit = ["alpha=0:1:0.001", "gamma=0:1:0.001", "beta"]
    with pytest.raises(InputMismatch, match=r"alpha 1001 · gamma 1001 · beta 81\), more than 2,000,000"):
        tune(base, {"a": [rated(taste)]}, fit, objective="pearson", method="grid")


def test_no_judgments(base):
    """Without data there is nothing to fit to."""
    with pytest.raises(InputMismatch, match="there is no judgment"):
        tune(base, {"a": []}, ["alpha"])
    with pytest.raises(InputMismatch, match="there is no judgment"):
        tune(base, {"a": [Judgments("cs-en", ())], "b": [Judgments("de-en", ())]}, ["alpha"])


def test_few_judgments(base, taste):
    """The note says who has too few."""
    judged = {"a": [rated(taste, segments=12)]}
    found = tune(base, judged, ["alpha=0/1"], objective="pearson", method="grid", samples=20)
    assert found.notes[0].startswith("xx-yy: 48 judgments")


def test_without_scipy(base, taste, monkeypatch):
    """The optimizer is an extra; the message says how to install it, and a grid needs none."""
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'meteorlib\[tune\]'"):
        tune(base, {"a": [rated(taste)]}, ["alpha"], objective="pearson", **QUICK)


def test_a_fold_without_judgments_of_a_kind(base, taste):
    """A left-out fold without the judgments that the objective needs has no figures: null in JSON, not NaN."""
    judged = [ranked(taste, "cs-en", 9), ranked(taste, "fi-en", 9), rated(taste, "de-en", 9)]
    found = tune(base, {"a": judged}, ["alpha=0.1/0.5"], objective="tau", method="grid", samples=2)
    assert [fold["left_out"] for fold in found.to_dict()["folds"] if fold["left_out_value"] is None] == ["de-en"]
    assert '"left_out_value": null' in tuning_json(found)


def shuffled(judged, seed=1):
    """Judgments with the texts in another order."""
    order = np.random.default_rng(seed).permutation(len(judged.texts))
    place = np.argsort(order)
    pairs, ratings = judged.pairs, judged.ratings
    return Judgments(
        judged.name,
        tuple(judged.texts[one] for one in order),
        pairs and Pairs(place[pairs.better], place[pairs.worse], pairs.count),
        ratings and Ratings(place[ratings.text], ratings.value),
    )


def test_a_digest_is_that_of_texts_and_judgments(taste):
    """Another rating or another text has another digest; another order of the texts has the same."""
    judged = rated(taste)
    values = judged.ratings.value.copy()
    values[3] += 0.5
    other = evolve(judged, ratings=Ratings(judged.ratings.text, values))
    assert digest_of([judged]) == digest_of([rated(taste)]) == digest_of([shuffled(judged)])
    assert digest_of([other]) != digest_of([judged]) != digest_of([rated(taste, segments=39)])
    pairs = ranked(taste)
    turned = evolve(pairs, pairs=Pairs(pairs.pairs.worse, pairs.pairs.better, pairs.pairs.count))
    assert digest_of([pairs]) == digest_of([shuffled(pairs)]) != digest_of([turned])


def test_the_same_judgments_under_two_names(base, taste):
    """Judgments given twice are refused: what is left out of one copy would be fitted to in the other."""
    judged = rated(taste)
    copy = evolve(shuffled(judged), name="copy")
    with pytest.raises(InputMismatch, match="y13 and y14 contain the same texts and judgments; name each set"):
        tune(base, {"y13": [judged], "y14": [copy]}, ["alpha=0/1"], objective="pearson", method="grid")


@pytest.mark.parametrize(("folds", "factor"), [(2, 3**0.5), (5, 1.5), (1001, 2.001**0.5)])
def test_an_interval_is_widened_for_fits_that_share_judgments(folds, factor):
    """The variance of n folds, 1/n, becomes 1/n + 1/(n - 1); both ends move away from the gain itself."""
    found = widen_interval(Interval(-0.1, 0.5, 0.31), 0.3, folds)
    assert found.low == pytest.approx(0.3 - factor * 0.4)
    assert found.high == pytest.approx(0.3 + factor * 0.2)
    assert found.mean == 0.31
