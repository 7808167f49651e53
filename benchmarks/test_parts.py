"""The parts of a score, each alone, to find what to improve: ``pytest benchmarks/test_parts.py`` (pytest-benchmark).

Every number is for `COUNT` lines or words of the example text, so parts can be compared with each other.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from meteorlib import Scorer, ScorerConfig
from meteorlib.config import load_preset
from meteorlib.core.breakdown import breakdown
from meteorlib.core.totals import Totals
from meteorlib.engine.build import build_engine, has_kernel, make_text
from meteorlib.engine.engine import Engine
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import ResourceMissing
from meteorlib.resources.stemmers import nltk_porter, porter2
from meteorlib.resources.wordnet.lexicon import open_offset_lexicon

EXAMPLES = Path(__file__).parents[1] / "examples"
COUNT = 48
PRESETS = ("meteor-1.5-en", "meteor-1.5-en-core", "meteor-2005", "nltk")


def lines(name: str) -> list[str]:
    """Some lines of text."""
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:COUNT]


HYPOTHESES, REFERENCES = lines("system-a.en"), lines("reference.0.en")
WORDS = sorted({word for line in HYPOTHESES + REFERENCES for word in line.lower().split()})[:COUNT]


@pytest.fixture(params=PRESETS)
def config(request: pytest.FixtureRequest) -> ScorerConfig:
    """A preset, where its data are installed."""
    try:
        return Scorer(request.param).config
    except ResourceMissing as error:
        pytest.skip(str(error))


@pytest.fixture(params=["compiled", "python"])
def engine(request, config) -> Engine:
    """An engine of either kind."""
    if request.param == "compiled" and (load_kernel() is None or not has_kernel(config)):
        pytest.skip("built without the extension, or no twin")
    return build_engine(config, wanted=request.param)


def test_normalize_new_text(benchmark):
    """The normalizer on text that it never saw."""
    preset = load_preset("meteor-1.5-en-core")
    benchmark(lambda: [make_text(preset).words(line) for line in HYPOTHESES])


def test_normalize_known_text(benchmark):
    """The normalizer on tokens that it knows."""
    text = make_text(load_preset("meteor-1.5-en-core"))
    benchmark(lambda: [text.words(line) for line in HYPOTHESES])


def test_read(benchmark, engine):
    """Raw text → what is known of its words, all seen before."""
    benchmark(lambda: [engine.read(line) for line in HYPOTHESES])


def test_align(benchmark, engine):
    """Analyzed pairs → matches and statistics."""
    read = engine.read
    pairs = [(read(reference), read(line)) for reference, line in zip(REFERENCES, HYPOTHESES, strict=True)]
    benchmark(lambda: [engine.align(*pair) for pair in pairs])


def test_score(benchmark, engine):
    """Analyzed pairs → scores alone."""
    read = engine.read
    pairs = [([read(reference)], read(line)) for reference, line in zip(REFERENCES, HYPOTHESES, strict=True)]
    benchmark(lambda: [engine.scores(*pair) for pair in pairs])


def test_formula(benchmark):
    """Statistics → score."""
    scorer = Scorer("meteor-2005")
    statistics = scorer.score(REFERENCES[0], HYPOTHESES[0]).statistics
    parameters = scorer.config.formula_parameters()
    benchmark(lambda: [breakdown(statistics, parameters) for _ in range(COUNT)])


def test_totals(benchmark):
    """Scores → sums."""
    scored = [Scorer().score(reference, line) for reference, line in zip(REFERENCES, HYPOTHESES, strict=True)]
    benchmark(lambda: sum(map(Totals.of, scored[1:]), Totals.of(scored[0])))


@pytest.mark.parametrize(
    "look_up",
    [porter2.stem, nltk_porter.stem, open_offset_lexicon().synsets],
    ids=["english", "porter", "synsets"],
)
def test_new_words(benchmark, look_up):
    """Look-ups that are made once for each word."""
    benchmark(lambda: list(map(look_up, WORDS)))
