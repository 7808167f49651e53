"""compare_systems: what it tells of systems, of their runs, and what it refuses."""

from __future__ import annotations

import json
import pickle
from statistics import fmean, stdev

import numpy as np
import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import Output, compare_systems
from meteorlib.arrays import SegmentArrays
from meteorlib.errors import InputMismatch, UnknownName

FEW = {"samples": 200}
TESTS = pytest.mark.parametrize("test", ["bootstrap", "randomization"])


@TESTS
@pytest.mark.parametrize("compared", ["corpus", "mean"])
def test_scores(corpora, test, compared):
    """Scores are the corpora's; differences are from the baseline; intervals hold them."""
    found = compare_systems(corpora, baseline="b", test=test, compared=compared, **FEW)
    assert [system.name for system in found.systems] == list(corpora)
    assert (found.baseline, found.segment_count, found.signature) == ("b", 48, str(corpora["a"].signature))
    for system in found.systems:
        corpus = corpora[system.name]
        assert system.scored == corpus.score() == system.runs[0].scored
        assert system.mean_segment_score == corpus.mean() == system.runs[0].mean_segment_score
        assert system.score == (corpus.score().score if compared == "corpus" else corpus.mean())
        assert system.interval.low < system.score < system.interval.high
        assert system.s_opt is None
        assert 0 < system.s_sel < 0.1
        if system.name != "b":
            assert system.difference.value == system.score - found["b"].score
            assert system.difference.interval.low < system.difference.value < system.difference.interval.high
    assert found["b"].difference is None


@TESTS
def test_identical_systems(corpora, test):
    """A system and its copy differ by 0 everywhere, with p 1, adjusted or not, and share their rank."""
    for given in (corpora["a"], [corpora["a"], corpora["b"]]):
        found = compare_systems({"one": given, "worse": corpora["b"], "two": given}, test=test, **FEW)
        same = found["two"].difference
        assert (same.value, same.p, same.adjusted_p) == (0, 1, 1)
        assert (same.interval.low, same.interval.high, same.interval.mean) == (0, 0, 0)
        assert (same.changes.unchanged, same.changes.better, same.changes.worse) == (48, 0, 0)
        assert found["one"].rank == found["two"].rank == 1


@TESTS
@pytest.mark.parametrize("compared", ["corpus", "mean"])
def test_the_same_seed(corpora, test, compared):
    """Equal seeds give equal results, whatever else is compared; another seed gives others."""
    settings = {"test": test, "compared": compared, **FEW}
    found = compare_systems(corpora, **settings)
    assert compare_systems(corpora, **settings) == found
    fewer = compare_systems({name: corpora[name] for name in ("a", "mixed9")}, **settings)
    assert fewer["mixed9"].interval == found["mixed9"].interval
    assert fewer["mixed9"].difference.p == found["mixed9"].difference.p
    assert compare_systems(corpora, seed=1, **settings)["a"].interval != found["a"].interval


def _ends(pair):
    return frozenset((pair.system, pair.other))


@TESTS
def test_turned_around(corpora, test):
    """With the other system as the baseline differences change their sign, and p values do not change."""
    one, other = (compare_systems(corpora, baseline=name, test=test, **FEW) for name in ("a", "mixed9"))
    there, back = one["mixed9"].difference, other["a"].difference
    assert back.value == -there.value
    assert (back.interval.low, back.interval.high) == (-there.interval.high, -there.interval.low)
    assert back.p == there.p
    assert back.changes.bands == there.changes.bands[::-1]
    assert {_ends(pair): (abs(pair.difference), pair.p) for pair in one.pairs} == {
        _ends(pair): (abs(pair.difference), pair.p) for pair in other.pairs
    }


@TESTS
def test_pairs_and_ranks(corpora, test):
    """Every two systems are tested; those with the baseline are adjusted for their number; b is clearly the worst."""
    found = compare_systems(corpora, test=test, **FEW)
    assert len({_ends(pair) for pair in found.pairs}) == len(found.pairs) == 15
    for pair in found.pairs:
        assert pair.difference == found[pair.system].score - found[pair.other].score
        if pair.other == "a":
            assert pair.p == found[pair.system].difference.p
    assert all(0 < pair.p <= 1 for pair in found.pairs)
    assert {found.significant(pair.p) for pair in found.pairs} == {True, False}
    for system in found.systems[1:]:
        assert system.difference.p <= system.difference.adjusted_p <= 5 * system.difference.p
    assert found["a"].rank == 1
    assert found["b"].rank == 6


@pytest.mark.parametrize("baseline", ["a", "mixed9", "mixed16"])
def test_pairs_have_the_direction_of_differences(corpora, baseline):
    """A pair with the baseline is the system minus the baseline; any other is the later minus the earlier."""
    names = list(corpora)
    found = compare_systems(corpora, baseline=baseline, **FEW)
    for pair in found.pairs:
        if baseline in (pair.system, pair.other):
            assert pair.other == baseline
            assert pair.difference == found[pair.system].difference.value
        else:
            assert names.index(pair.system) > names.index(pair.other)


def test_baseline_moves_no_p_of_runs(corpora):
    """The p values of systems with several runs are the same whatever the baseline."""
    systems = {"a": [corpora["a"], corpora["mixed5"]], "b": [corpora["mixed9"], corpora["mixed16"]]}
    one, other = (compare_systems(systems, baseline=name, **FEW) for name in systems)
    assert one["b"].difference.p == other["a"].difference.p


def test_systems_of_a_rank_may_differ():
    """Among three systems that share a rank, the first can be significantly better than the last."""
    references = ["a b c d"] * 40
    outputs = {
        name: ["a b c d"] * right + ["x"] * (40 - right) for name, right in (("best", 40), ("middle", 37), ("last", 34))
    }
    scorer = Scorer("meteor-2005")
    found = compare_systems(
        {name: scorer.corpus().extend(references=references, hypotheses=lines) for name, lines in outputs.items()},
        samples=1000,
    )
    assert [system.rank for system in found.systems] == [1, 1, 1]
    assert [found.significant(pair.p) for pair in found.pairs] == [False, True, False]


def test_runs(corpora):
    """Several runs give means of their scores, their spread, and the mean of the spread by test set."""
    names = ["mixed5", "mixed9", "mixed16"]
    found = compare_systems({"a": corpora["a"], "runs": [corpora[name] for name in names]}, **FEW)["runs"]
    single = compare_systems({name: corpora[name] for name in names}, test=None, **FEW)
    scores = [single[name].score for name in names]
    assert [run.scored for run in found.runs] == [single[name].scored for name in names]
    assert found.score == found.scored.score == fmean(scores)
    assert found.mean_segment_score == fmean(single[name].mean_segment_score for name in names)
    assert found.s_opt == stdev(scores)
    assert found.s_sel == pytest.approx(fmean(single[name].s_sel for name in names))
    assert found.interval.mean == pytest.approx(fmean(single[name].interval.mean for name in names))
    assert found.difference.value < 0
    assert 0 < found.difference.p < 1


def test_single_runs_as_lists(corpora):
    """One run in a list is that run."""
    lists = {name: [corpus] for name, corpus in corpora.items()}
    assert compare_systems(lists, **FEW) == compare_systems(corpora, **FEW)


def test_runs_that_differ_in_nothing(corpora):
    """The shuffling of runs is also a test where all runs of a system are the same."""
    runs = compare_systems({"a": [corpora["a"]] * 2, "b": [corpora["b"]] * 3}, **FEW)
    assert (runs["a"].s_opt, runs["b"].s_opt) == (0, 0)
    assert runs["b"].difference.p == 1 / 201


def test_without_a_test(corpora):
    """Without a test there are intervals and differences, but no p values and no ranks; one system is enough."""
    found = compare_systems(corpora, test=None, **FEW)
    assert found.pairs == ()
    assert {system.rank for system in found.systems} == {None}
    assert (found["b"].difference.p, found["b"].difference.adjusted_p) == (None, None)
    assert found["b"].difference.value < 0
    one = compare_systems({"a": corpora["a"]}, **FEW)
    assert one.systems[0].difference is None
    assert one.systems[0].interval == found["a"].interval


def test_levels(corpora):
    """A higher level of confidence has wider intervals, and fewer differences are significant."""
    narrow, wide = (compare_systems(corpora, confidence=level, **FEW) for level in (0.8, 0.99))
    assert wide["a"].interval.low < narrow["a"].interval.low < narrow["a"].interval.high < wide["a"].interval.high
    assert narrow.significant(0.1)
    assert not wide.significant(0.1)
    assert not narrow.significant(0.2)
    assert sum(map(wide.significant, [pair.p for pair in wide.pairs])) < sum(
        map(narrow.significant, [pair.p for pair in narrow.pairs])
    )


def test_progress(corpora):
    """The progress callback receives the finished share, up to all of it."""
    for systems, test, passes in (
        (corpora, "bootstrap", 1),
        (corpora, "randomization", 2),
        ({"a": corpora["a"]}, "randomization", 1),
        ({name: [corpora[name]] * 2 for name in ("a", "b", "mixed5")}, "randomization", 4),
    ):
        told = []
        compare_systems(systems, test=test, progress=lambda *numbers, told=told: told.append(numbers), **FEW)
        assert told[-1] == (passes * 200, passes * 200)
        assert told == sorted(told)


def test_output_of_sums_and_arrays(corpora):
    """If segments are not kept, sums and arrays are enough."""
    lean = {}
    for name, corpus in corpora.items():
        sums = Scorer().corpus(keep_segments=False)
        sums.add_totals(corpus.totals)
        lean[name] = Output(sums, SegmentArrays.of(corpus))
    assert compare_systems(lean, **FEW) == compare_systems(corpora, **FEW)


def test_plain_data(corpora):
    """A comparison can be pickled, compared and written as JSON with every number."""
    found = compare_systems({"a": [corpora["a"], corpora["b"]], "b": corpora["b"]}, **FEW)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (data["baseline"], data["test"], data["samples"], data["seed"]) == ("a", "randomization", 200, 12345)
    one, other = data["systems"]
    assert (one["score"], one["s_opt"], one["difference"]) == (found["a"].score, found["a"].s_opt, None)
    assert other["difference"]["p"] == found["b"].difference.p == data["pairs"][0]["p"]
    assert other["difference"]["changes"]["bands"] == list(found["b"].difference.changes.bands)
    assert other["corpus"]["recall"] == found["b"].scored.recall == other["runs"][0]["recall"]
    assert len(one["runs"]) == 2


def test_mean_where_references_are_averaged(texts, systems):
    """If a preset takes the mean of several references, means are of the scores, not of the formula."""
    references = list(zip(texts["reference.0.en"], texts["reference.1.en"], strict=True))
    scorer = Scorer("nltk")
    corpora = {name: scorer.corpus().extend(references=references, hypotheses=systems[name]) for name in ("a", "b")}
    found = compare_systems(corpora, compared="mean", **FEW)
    scores = np.array([one.score for one in corpora["b"]])
    assert found["b"].score == corpora["b"].mean() == pytest.approx(scores.mean())
    assert found["b"].s_sel == pytest.approx(scores.std() / 48**0.5, rel=0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": []}, "system 'b' has no output"),
        ({"b": Scorer().corpus()}, "system 'b': nothing to score: no segment was added"),
        (
            {"b": Scorer().corpus(keep_segments=False).extend(references=["a"], hypotheses=["b"])},
            "system 'b': this corpus does not keep its seg",
        ),
        (
            {"b": Scorer().corpus().extend(references=["a"], hypotheses=["b"])},
            "systems must have the same number of segments: 'a' has 48, 'b' has 1",
        ),
        (
            {"b": Scorer("nltk").corpus().extend(references=["a"], hypotheses=["b"])},
            "scored by the same METEOR: 'a' by .*2005.*, 'b' by .*nltk",
        ),
    ],
)
def test_systems_that_cannot_be_compared(corpora, change, message):
    """The system, or the two, are named."""
    with pytest.raises(InputMismatch, match=message):
        compare_systems({"a": corpora["a"], **change}, **FEW)


def test_nothing_to_compare():
    """No system is refused."""
    with pytest.raises(InputMismatch, match="there is no system to compare"):
        compare_systems({})


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"baseline": "mixed"}, UnknownName, "unknown system 'mixed' .*did you mean"),
        ({"test": "bootstraping"}, UnknownName, "unknown test 'bootstraping' .did you mean 'bootstrap'"),
        ({"compared": "means"}, UnknownName, "unknown score to compare 'means'"),
        ({"samples": 1}, ValueError, "samples must be at least 2, got 1"),
        ({"seed": -1}, ValueError, "seed must not be negative, got -1"),
        ({"confidence": 95}, ValueError, "confidence must be between 0 and 1, got 95"),
    ],
)
def test_settings_out_of_range(corpora, settings, error, message):
    """Invalid arguments are refused with a message."""
    with pytest.raises(error, match=message):
        compare_systems(corpora, **settings)


def test_unknown_system(corpora):
    """A system is asked for by its name."""
    found = compare_systems(corpora, test=None, **FEW)
    with pytest.raises(UnknownName, match="unknown system 'c'"):
        found["c"]


def test_the_new_formula(scorer_2026, segments_2026):
    """Sums of METEOR 2026's counts are resampled: scores are the corpora's, intervals hold them, runs are shuffled."""
    references, hypotheses = (texts * 5 for texts in segments_2026)
    corpora = {
        "a": scorer_2026.corpus().extend(references=references, hypotheses=hypotheses),
        "b": scorer_2026.corpus().extend(references=references, hypotheses=references),
    }
    for test in ("bootstrap", "randomization"):
        found = compare_systems(corpora, test=test, **FEW)
        assert [system.score for system in found.systems] == [corpus.score().score for corpus in corpora.values()]
        assert found["a"].interval.low < found["a"].score < found["a"].interval.high
        assert found["b"].interval.low == found["b"].interval.high == 1
        assert found["b"].difference.p < 0.05
        assert found.to_dict()["systems"][0]["corpus"]["crossing"] == corpora["a"].score().crossing
