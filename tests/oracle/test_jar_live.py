"""METEOR 1.5 itself, run on this project's English texts in every task and in combinations of stages and weights."""

from __future__ import annotations

import shutil
from shlex import split

import pytest
from attrs import evolve

from meteorlib import ParameterConfig, Scorer, StageConfig
from meteorlib.config import SearchConfig, load_preset
from tests.oracle.records import relative_error
from tests.presets import with_table
from tools.record_golden import read_lines
from tools.record_jar import PHRASES, run_jar

pytestmark = [pytest.mark.oracle, pytest.mark.stress]

RESOURCES = {
    "exact": None,
    "stem": "snowball-en",
    "synonym": "wordnet-en-offsets",
    "paraphrase": "paraphrase-en",
}


def stages(names, *weights):
    """Stages of METEOR 1.5 by name, with weights."""
    return tuple(
        StageConfig(name, weight, RESOURCES[name]) for name, weight in zip(names.split(), weights, strict=True)
    )


def changed(preset="meteor-1.5-en", **settings):
    """A built-in preset with other settings."""
    return evolve(load_preset(preset), **settings)


RUNS = {
    "rank": ("-norm", {}),
    "adq": ("-norm -t adq", {"preset": "meteor-1.5-en-adq"}),
    "hter": ("-norm -t hter", {"preset": "meteor-1.5-en-hter"}),
    "li": ("-norm -t li", {"preset": "meteor-1.5-en-li"}),
    "tune": ("-norm -t tune", {"preset": "meteor-1.5-en-tune"}),
    "util": ("-norm -t util", {"preset": "meteor-1.5-en-util", "count": "words"}),
    "util in characters": ("-norm -t util -ch", {"preset": "meteor-1.5-en-util"}),
    "universal": ("-norm -t universal", {"preset": "meteor-1.5-en-universal"}),
    "rank in characters": ("-norm -ch", {"count": "characters"}),
    "lowercase": ("-lower", {"text": "lower"}),
    "as it is": ("", {"text": "none"}),
    "no punctuation": ("-norm -noPunct", {"text": "norm_nopunct"}),
    "beam of 3": ("-norm -x 3", {"search": SearchConfig("beam", width=3)}),
    "parameters": (
        "-norm -p '0.7 0.3 0.4 0.6' -w '1.0 0.5 0.25 0.125'",
        {
            "parameters": ParameterConfig(0.7, 0.3, 0.4, 0.6),
            "stages": stages("exact stem synonym paraphrase", 1.0, 0.5, 0.25, 0.125),
        },
    ),
    "exact": ("-norm -m exact", {"stages": stages("exact", 1.0)}),
    "exact stem": ("-norm -m 'exact stem'", {"stages": stages("exact stem", 1.0, 0.6)}),
    "weights": ("-norm -m 'exact stem' -w '0.9 0.3'", {"stages": stages("exact stem", 0.9, 0.3)}),
    "core": ("-norm -m 'exact stem synonym' -w '1.0 0.6 0.8'", {"preset": "meteor-1.5-en-core"}),
    "weights by position": ("-norm -m 'exact paraphrase'", {"stages": stages("exact paraphrase", 1.0, 0.6)}),
    "weights by position, hter": (
        "-norm -t hter -m 'exact paraphrase'",
        {"preset": "meteor-1.5-en-hter", "stages": stages("exact paraphrase", 1.0, 0.2)},
    ),
    "other order": (
        "-norm -m 'paraphrase synonym exact' -w '0.5 0.7 1.0'",
        {"stages": stages("paraphrase synonym exact", 0.5, 0.7, 1.0)},
    ),
    "synonym": ("-norm -m synonym -w 1.0", {"stages": stages("synonym", 1.0)}),
    "too few weights": (
        "-norm -m 'exact stem synonym' -w '1.0 0.6'",
        {"stages": stages("exact stem synonym", 1.0, 0.6, 0.0)},
    ),
}

WHOLE_TABLE = ("rank", "util in characters", "universal", "weights by position, hter")
"""Runs with METEOR's own paraphrases, which take it ten seconds to read; the others have those of `PHRASES`."""

TEXTS = {
    "tests/data/en.hyp": ["tests/data/en.ref", "tests/data/en.ref"],
    "tests/data/phrases.en.hyp": ["tests/data/phrases.en.ref", "tests/data/phrases.en.ref"],
    "examples/system-b.en": ["examples/reference.0.en", "examples/reference.1.en"],
}
"""Scored in one go, as METEOR 1.5 takes long to begin; of two equal references the first counts."""


@pytest.fixture(scope="module")
def texts(root):
    """Hypotheses, and the references of each."""
    hypotheses = [line for name in TEXTS for line in read_lines(root / name)]
    references = [
        pair for names in TEXTS.values() for pair in zip(*(read_lines(root / name) for name in names), strict=True)
    ]
    return hypotheses, references


@pytest.fixture(scope="module")
def few_phrases(compiled_table):
    """The compiled table of `PHRASES`."""
    return compiled_table(tuple(line.split("\t")) for line in read_lines(PHRASES))


@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
@pytest.mark.filterwarnings("ignore:.*does not match equal words:meteorlib.errors.MeteorWarning")
@pytest.mark.parametrize("name", RUNS)
def test_every_run(oracles, meteor, texts, few_phrases, name):
    """Statistics and alignments are METEOR 1.5's, scores within 1e-15; that of the corpus with each formula."""
    options, settings = RUNS[name]
    hypotheses, references = texts
    config, command = changed(**settings), ["-l", "en", *split(options)]
    if name not in WHOLE_TABLE:
        config, command = with_table(config, few_phrases), [*command, "-a", "phrases.en.gz"]
    corpus = Scorer(config).corpus().extend(references=references, hypotheses=hypotheses)
    of_corpus = options.startswith(("-norm -t", "-norm -p")) or name == "rank"  # one of each formula
    score, theirs = run_jar(oracles / "meteor-1.5.jar", hypotheses, references, command, of_corpus=of_corpus)
    assert corpus.segment_count == len(theirs) == len(hypotheses) == 418
    for ours, segment in zip(corpus.segments, theirs, strict=True):
        assert ours.statistics.line() == segment.statistics
        assert list(ours.alignment.matches) == segment.matches
        assert relative_error(ours.score, segment.score) <= 1e-15
        assert ours.precision == pytest.approx(segment.precision, rel=1e-15, abs=0, nan_ok=True)
        assert ours.recall == pytest.approx(segment.recall, rel=1e-15, abs=0, nan_ok=True)
        assert ours.penalty == pytest.approx(segment.penalty, rel=1e-15, abs=0, nan_ok=True)
    assert not of_corpus or relative_error(corpus.score().score, score) <= 1e-15
