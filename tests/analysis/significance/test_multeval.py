"""MultEval's published table for its own example: the same to the printed digit."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.texts import packed_lines
from meteorlib import Scorer, identify
from meteorlib.analysis.significance import Output, compare_systems
from meteorlib.arrays import SegmentArrays, breakdowns
from meteorlib.config import load_preset
from meteorlib.core import Statistics, breakdown
from meteorlib.core.signature import Signature
from meteorlib.core.totals import Totals
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import ResourceMissing
from tools.record_multeval import RUNS, recorded, statistics

PARAMETERS = load_preset("meteor-1.5-en").formula_parameters()

SCORES = {"baseline": [0.29322, 0.29255, 0.29334], "sys1": [0.30297, 0.30176, 0.30371]}
"""METEOR 1.5's statistics of each run."""

PUBLISHED = {
    "baseline": ("29.3", "0.1", "0.0"),
    "system 1": ("30.3", "0.1", "0.1"),
    "system 2": ("29.3", "0.1", "0.0"),
}
"""MultEval's average, s_sel and s_opt; its system 2 is the baseline again."""


SACREBLEU = {
    "bootstrap": (1000, [13 / 1001, 187 / 1001, 1 / 1001, 1 / 1001, 1 / 1001]),
    "randomization": (10_000, [382 / 10_001, 5098 / 10_001, 1 / 10_001, 1 / 10_001, 1 / 10_001]),
}
"""Samples, and the p values of sacrebleu 2.6.0's paired tests, given each run as a system and the first as baseline."""


class Recorded:
    """A scorer whose engine knows the formula, and no text: the statistics are known already."""

    engine = SimpleNamespace(
        identity=SimpleNamespace(signature=Signature("meteor-1.5-en", "recorded", None)),
        parameters=PARAMETERS,
        zero=Totals(Statistics.zero(4)),
        breakdown=lambda total, **_: breakdown(total, PARAMETERS),
    )


def output(counts):
    """An output of which the statistics are known."""
    arrays = SegmentArrays(counts, breakdowns(counts, PARAMETERS).score)
    corpus = Corpus(Recorded(), keep_segments=False)
    corpus.add_totals(Totals(arrays.statistics(), len(arrays)))
    return Output(corpus, arrays)


@pytest.fixture(scope="module")
def outputs():
    """The runs of both systems."""
    listed = [output(counts) for counts in recorded()]
    return {"baseline": listed[:3], "sys1": listed[3:]}


def test_runs(outputs):
    """The score of each run is METEOR's."""
    for name, scores in SCORES.items():
        assert [round(one.corpus.score().score, 5) for one in outputs[name]] == scores


@pytest.fixture(scope="module")
def systems(outputs):
    """The rows of the table."""
    return {"baseline": outputs["baseline"], "system 1": outputs["sys1"], "system 2": outputs["baseline"]}


@pytest.mark.thorough
def test_table(systems):
    """Averages, s_sel and s_opt are as printed, where enough is resampled (an s_sel of 0.15 is near)."""
    found = compare_systems(systems, test=None)
    for name, printed in PUBLISHED.items():
        system = found[name]
        assert tuple(f"{100 * value:.1f}" for value in (system.score, system.s_sel, system.s_opt)) == printed


@pytest.mark.parametrize("test", ["bootstrap", pytest.param("randomization", marks=pytest.mark.thorough)])
def test_p_values(systems, test):
    """System 1 is better with p = 0.00, as printed; the baseline's copy has p = 1, and shares its rank."""
    found = compare_systems(systems, test=test, samples=300)
    assert f"{found['system 1'].difference.p:.2f}" == "0.00"
    assert (found["system 2"].difference.value, found["system 2"].difference.p) == (0, 1)
    assert [system.rank for system in found.systems] == [2, 1, 2]


@pytest.mark.parametrize("test", ["bootstrap", pytest.param("randomization", marks=pytest.mark.thorough)])
def test_sacrebleus_p_values(outputs, test):
    """Each run taken for a system, p values are those that sacrebleu printed with the same METEOR."""
    samples, expected = SACREBLEU[test]
    systems = {f"{name}{run}": output for name, runs in outputs.items() for run, output in enumerate(runs)}
    found = compare_systems(systems, test=test, samples=samples)
    assert [system.difference.p for system in found.systems[1:]] == expected


def test_standard_deviations_by_definition(outputs):
    """The spread by test set is the bootstrap's, which for a sum is known: that of the segments by the root of n."""
    one = outputs["baseline"][0]
    found = compare_systems({"one": one}, compared="mean", samples=2000).systems[0]
    assert found.s_sel == pytest.approx(one.arrays.scores.std() / len(one.arrays) ** 0.5, rel=0.06)


def test_recorded_statistics_add_up():
    """Recorded statistics are complete: 2,489 rows, and no length is below its matches."""
    for counts in recorded():
        assert counts.shape == (2489, 24)
        assert np.all(counts[:, 6] <= counts[:, 0])
        assert np.all(counts[:, 7] <= counts[:, 1])
        assert np.array_equal(Statistics.from_counts(counts[0].tolist()).counts(), counts[0])


@pytest.fixture
def meteor():
    """The scorer of `meteor-1.5-en`."""
    try:
        return Scorer("meteor-1.5-en")
    except ResourceMissing as missing:
        pytest.skip(str(missing))


@pytest.mark.oracle
def test_published_scores_are_identified(shared, meteor):
    """The scores of a run of both systems are METEOR 1.5's as corpus scores, first of the normalized text."""
    folder = shared / "data" / "multeval"
    systems = {name: [*packed_lines(folder / f"hyps.lc.tok.en.{name}.opt0.gz")] for name in SCORES}
    references = [*packed_lines(folder / "refs.test2010.lc.tok.en.0.gz")]
    found = identify({"baseline": "29.3", "sys1": "30.3"}, systems, references).found
    assert {(one.preset, one.of) for one in found} == {("meteor-1.5-en", "corpus")}
    assert found[0].text == "norm"


@pytest.mark.oracle
def test_recorded_from_the_data(shared, meteor):
    """The recorded statistics are those of the data."""
    found = statistics(meteor, shared / "data" / "multeval")
    assert len(found) == len(RUNS)
    for ours, theirs in zip(found, recorded(), strict=True):
        assert np.array_equal(ours, theirs)
