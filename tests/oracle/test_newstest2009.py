"""METEOR 1.5 on 2,489 segments of newstest2009: statistics, alignments, scores, and its other ways of running."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import ParameterConfig, Scorer, identify
from meteorlib.analysis.identification import PRESETS
from meteorlib.config import SearchConfig, load_preset
from tests.oracle.records import lines, relative_error
from tools.record_jar import read_alignments

pytestmark = pytest.mark.oracle

COUNT = 2489
MAIN = 0.3204832379614146
TOLERANCE = 1e-15


def changed(preset="meteor-1.5-en", **settings):
    """A built-in preset with other settings."""
    return evolve(load_preset(preset), **settings)


VARIANTS = {
    "adq": (lambda: changed("meteor-1.5-en-adq"), 0.5859103284957122),
    "hter": (lambda: changed("meteor-1.5-en-hter"), 0.6230072225696258),
    "li": (lambda: changed("meteor-1.5-en-li"), 0.5136042953109082),
    "tune": (lambda: changed("meteor-1.5-en-tune"), 0.5175155593354266),
    "util-ch": (lambda: changed("meteor-1.5-en-util"), 0.3174016264349225),
    "universal": (lambda: changed("meteor-1.5-en-universal"), 0.5890140942755328),
    "lower": (lambda: changed(text="lower"), 0.26611789769084326),
    "none": (lambda: changed(text="none"), 0.255999516001972),
    "nopunct": (lambda: changed(text="norm_nopunct"), 0.3196841141388476),
    "core": (lambda: changed("meteor-1.5-en-core"), 0.2987914187556954),
    "beam1": (lambda: changed(search=SearchConfig("beam", width=1)), 0.3189133691080427),
}


@pytest.fixture(scope="module")
def folder(shared):
    """The folder of the test set."""
    return shared / "data" / "newstest2009"


def scored(folder, scorer):
    """The corpus of the system's output."""
    return scorer.corpus().extend(references=lines(folder / "reference.en"), hypotheses=lines(folder / "system1.en"))


@pytest.fixture(scope="module")
def corpus(folder, meteor):
    """All segments, scored as METEOR 1.5 does by default with -norm."""
    return scored(folder, meteor)


def test_statistics(folder, corpus):
    """The 23 statistics of every segment are METEOR 1.5's."""
    assert [one.statistics.line() for one in corpus.segments] == lines(folder / "system1.stats.gz")


def test_alignments(folder, corpus):
    """Words, matches and their stages are METEOR 1.5's in every segment; precision, recall and penalty nearly so."""
    written = lines(folder / "system1.align.gz")
    theirs = list(read_alignments("\n".join(written)))
    heads = [place for place, line in enumerate(written) if line.startswith("Alignment\t")]
    assert len(theirs) == len(heads) == len(corpus.segments) == COUNT
    for one, head, (numbers, matches) in zip(corpus.segments, heads, theirs, strict=True):
        assert " ".join(one.alignment.hypothesis) == written[head + 1]
        assert " ".join(one.alignment.reference) == written[head + 2]
        assert list(one.alignment.matches) == matches
        ours = [one.precision, one.recall, one.penalty, one.score]
        assert max(map(relative_error, ours, numbers)) <= TOLERANCE


def test_scores(folder, corpus):
    """Segment scores are METEOR 1.5's within a relative 1e-15, nearly all of them to the last digit."""
    rows = [row.split("\t") for row in lines(folder / "system1.meteor-1.5.txt") if row.startswith("Segment ")]
    errors = [relative_error(one.score, float(row[-1])) for one, row in zip(corpus.segments, rows, strict=True)]
    assert len(errors) == COUNT
    assert max(errors) <= TOLERANCE
    assert sum(map(bool, errors)) <= 8


def test_system_level(folder, corpus):
    """The corpus score and its parts are those of METEOR's own README and report."""
    report = dict(row.split(":", 1) for row in lines(folder / "system1.meteor-1.5.txt") if ":" in row)
    total = corpus.score()
    assert total.score == MAIN == float(report["Final score"])
    assert total.precision == float(report["Precision"])
    assert total.recall == float(report["Recall"])
    assert total.f1 == float(report["f1"])
    assert total.f_mean == float(report["fMean"])
    assert total.penalty == float(report["Fragmentation penalty"])
    statistics = total.statistics
    assert statistics.hypothesis_length == int(report["Test words"])
    assert statistics.reference_length == int(report["Reference words"])
    assert statistics.penalized_chunks == int(report["Chunks"])
    assert corpus.signature.eval_id == report["Eval ID"].strip()


@pytest.mark.stress
@pytest.mark.parametrize("name", VARIANTS)
def test_variants(folder, meteor, name):
    """Other text modes, tasks, stages and beams give METEOR 1.5's scores, of all segments and of the system."""
    config, system_level = VARIANTS[name]
    corpus = scored(folder, Scorer(config()))
    theirs = [float(row) for row in lines(folder / "variants" / f"{name}.seg.gz")]
    errors = map(relative_error, (one.score for one in corpus.segments), theirs)
    assert max(errors) <= TOLERANCE
    assert len(theirs) == COUNT == corpus.segment_count
    assert corpus.score().score == system_level


def test_mean_is_not_the_corpus_score(corpus):
    """The mean of the segment scores is another number than the corpus score."""
    assert corpus.mean() != corpus.score().score
    assert corpus.mean() == pytest.approx(sum(one.score for one in corpus.segments) / COUNT)


def test_parameters_matter(folder, corpus):
    """Scoring the same statistics with other parameters gives another score: nothing is cached by text alone."""
    other = Scorer(changed(parameters=ParameterConfig(0.5, 1.0, 0.5, 0.5)))
    assert other.breakdown(corpus.statistics).score != corpus.score().score


@pytest.mark.parametrize("name", ["main", next(iter(VARIANTS)), "beam1"])
def test_scores_are_identified(folder, meteor, name):
    """Preset and text mode of each score are found by its first four digits; another beam by nothing."""
    config, score = VARIANTS.get(name, (changed, MAIN))
    texts = lines(folder / "system1.en"), lines(folder / "reference.en")
    presets = [preset for preset in PRESETS if preset.startswith("meteor-1.5")]
    found = [(one.preset, one.text, one.of) for one in identify(f"{score:.4f}", *texts, presets=presets).found]
    assert found == ([] if name == "beam1" else [(config().name, config().text, "corpus")])
