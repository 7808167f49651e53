"""The compiled engine gives what the Python one gives under the new formula: weights, near words, weighted searches."""

from __future__ import annotations

import random
import sys

import pytest
from attrs import evolve

from meteorlib import Scorer, ScorerConfig, SearchConfig, StageConfig
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.core.totals import Totals
from meteorlib.engine.build import build_engine, has_kernel
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.python import PythonEngine
from tests.engine.random_segments import random_words, same_results
from tests.presets import with_table

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

WORDS = """the of a in run runs running ran good goods well goodness well-known wellknown known hassan hasan hassans
naturally natural end finally , . - ' 's don't dont can not cannot straßen strassen été ete aaa aab abb bbb a-b a.b ab
1,250 1 250 1.250 5 7 5.0 million 17:30 5pm
ééé ééa яблоко яблоки 3.5 35 ’’’ \U00010400\U00010400\U00010400 \U00010400\U00010400\U00010401""".split()
WORDS += ["x" * 70, "x" * 69 + "y", "xy" * 70, "-".join("x" * 70)]

PHRASES = [
    ("of course", "naturally"), ("in the end", "finally"), ("finally", "in the end"), ("the", "a"), ("the", "the"),
    ("of the", "of a"), ("good", "well"), ("can not", "cannot"), ("in the end of a", "well known"),
    ("well - known", "wellknown"), ("1 250", "7"), ("5", "7"), ("7", "5 million"), ("5.0", "5"),
]  # fmt: skip


@pytest.fixture(scope="module")
def preset(compiled_table) -> ScorerConfig:
    """The preset with a small paraphrase table."""
    return with_table(load_preset("meteor-2026-en"), compiled_table(PHRASES))


def _variants(preset):
    """Configurations that share little, by name."""
    exact, stem, synonym, joined, paraphrase, near = preset.stages

    def search(name, **settings):
        return evolve(preset, search=SearchConfig(name, **settings))

    return {
        "preset": preset,
        "one state": search("weighted", width=1),
        "narrow": search("weighted", width=2, far=3),
        "without case": evolve(preset, case=None),
        "exact words, cased": evolve(preset, stages=(exact,), weights=None, case=0.5, text="none"),
        "free": search("weighted", chunk=0, distance=0, kept=1),
        "dear": search("weighted", width=7, chunk=1000, distance=1000, far=1, kept=0),
        "without words": evolve(preset, stages=(joined, paraphrase, near)),
        "near": evolve(preset, stages=(StageConfig("near", 1.0, least=0.01),), weights=None),
        "begin alike": evolve(preset, stages=(exact, StageConfig("near", 0.9, least=0.3, prefix=0.5))),
        "begin wholly alike": evolve(preset, stages=(StageConfig("near", 0.9, least=0.3, prefix=1),), weights=None),
        "long words": evolve(preset, weights=evolve(preset.weights, length=0.25)),
        "very near": evolve(preset, stages=(exact, StageConfig("near", 0.3, least=1))),
        "characters": evolve(preset, stages=(synonym, stem, joined), weights=None, count="characters"),
        "fractions of characters": evolve(preset, stages=(exact, near), weights=None, count="characters"),
        "beam": evolve(
            preset,
            stages=(exact, stem),
            search=SearchConfig(),
            formula="meteor-2005",
            perfect_segments="exempt",
            case=None,
        ),
        "1.5": evolve(preset, formula="meteor-1.5", perfect_segments="penalized"),
    }


NAMES = (
    "preset", "one state", "narrow", "without case", "exact words, cased", "free", "dear",
    "without words", "near", "begin alike", "begin wholly alike", "long words", "very near",
    "characters", "fractions of characters", "beam", "1.5",
)  # fmt: skip


def _segment(draw: random.Random, types: int, length: int) -> list[str]:
    return random_words(draw, draw.sample(WORDS, types), PHRASES, length)


def _cased(draw: random.Random, words: list[str]) -> list[str]:
    return [draw.choice((word, word, word.capitalize(), word.upper())) for word in words]


def _compare(config, seed, count, longest):
    """Random segments, sometimes equal on both sides; returns the results."""
    engine, reference = build_engine(config, wanted="compiled"), build_engine(config, wanted="python")
    assert (type(engine), type(reference)) == (CompiledEngine, PythonEngine)
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        types = draw.randint(1, len(WORDS))
        words, others = (
            _segment(draw, types, int((longest + 1) ** draw.random()) - draw.randint(0, 1)) for _ in range(2)
        )
        if draw.random() < 0.05:
            others = words
        if config.case is not None:
            words, others = _cased(draw, words), _cased(draw, others)
        found.append(same_results(engine, reference, others, words))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_random_segments(preset, name):
    """Matches, statistics, grades, scores, and whether the alignment is proven the best, on segments of few words."""
    found = _compare(_variants(preset)[name], name, 20, 30)
    assert any(one.statistics.hypothesis_matches for one in found)


def test_case_outlives_a_vocabulary(preset, lowered):
    """A reference that is older than the vocabulary is analyzed anew, and its capitals are still known."""
    config = evolve(preset, case=0.5)
    expected = Scorer(config, implementation="python").score("we met Mr Hassan", "we saw mr hassan")
    assert expected.alignment.grades == (10_000, 10_000, 5000, 5000)
    engine = build_engine(config, wanted="compiled")
    reference = engine.read("we met Mr Hassan")
    kernel = engine._kernel
    emptied = lowered(sys.modules[type(kernel).__module__], "VOCABULARY_LIMIT", 3, lambda: kernel.emptied)
    for hypothesis in ("we saw mr hassan", "the EU", "we saw mr hassan"):
        found = engine.align(reference, engine.read(hypothesis))
    assert found.alignment.grades == expected.alignment.grades
    assert emptied() == 3


def test_every_stage_matches(preset):
    """The words of these tests are matched in every stage, in part too."""
    found = _compare(_variants(preset)["one state"], 5, 60, 40)
    assert {match.stage for one in found for match in one.alignment.matches} == set(range(6))
    assert any(0 < grade < 10_000 for one in found for grade in one.alignment.grades)


@pytest.mark.parametrize("name", ["preset", pytest.param("without words", marks=pytest.mark.thorough)])
def test_more_words_than_a_set_has_bits(preset, name):
    """Both engines agree if more than 64 words of the hypothesis are in question at a time."""
    engine, reference = (build_engine(_variants(preset)[name], wanted=wanted) for wanted in ("compiled", "python"))
    draw = random.Random(name)
    words, others = _segment(draw, 12, 110), _segment(draw, 12, 90)
    for one, other in ((words, others), (["hassan", "hasan"] * 45, ["hasan", "cold", "hassans"] * 30)):
        found = engine.align(engine.analyze(other), engine.analyze(one))
        assert found == reference.align(reference.analyze(other), reference.analyze(one))


def _compare_crowded(config, before, count):
    """A few words against thousands that each of them could be matched with."""
    engine, reference = (build_engine(config, wanted=wanted) for wanted in ("compiled", "python"))
    draw = random.Random(before)
    words = ["."] * before + [draw.choice("run the a hassan well-known".split()) for _ in range(count)] + ["hassans"]
    others = [draw.choice("runs running the hasan wellknown".split()) for _ in range(14_000)]
    found = engine.align(engine.analyze(words), engine.analyze(others))
    assert found == reference.align(reference.analyze(words), reference.analyze(others))
    assert not found.optimal
    assert found.alignment.matches


def test_more_candidates_than_are_considered(preset):
    """Among thousands of candidates both engines keep the same ones, the nearest, and report the omission."""
    _compare_crowded(_variants(preset)["narrow"], 0, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("before", [0, 1500])
@pytest.mark.parametrize("name", ["narrow", "one state", "near", "without words"])
def test_more_candidates_in_every_stage(preset, name, before):
    """Both engines keep the same candidates on both sides of a position, with joined and near words and phrases."""
    _compare_crowded(_variants(preset)[name], before, 6)


@pytest.mark.stress
@pytest.mark.parametrize("name", NAMES)
def test_many_random_segments(preset, name):
    """Hundreds of them, some of up to 300 words."""
    _compare(_variants(preset)[name], f"{name} again", 200, 40)
    _compare(_variants(preset)[name], f"{name} at length", 20, 300)


@pytest.mark.thorough
def test_totals(preset):
    """Sums are the same, those of the order among them."""
    draw = random.Random(3)
    texts = [[" ".join(_segment(draw, 9, draw.randint(0, 40))) for _ in range(3)] for _ in range(150)]
    pairs = [Pair(references, hypothesis) for hypothesis, *references in texts]
    python = Scorer(preset, implementation="python")
    scored = [Totals.of(python.score(*pair)) for pair in pairs]
    expected = sum(scored[1:], scored[0])
    assert build_engine(preset).totals(pairs) == build_engine(preset, wanted="python").totals(pairs) == expected


def test_which_presets_have_a_twin(preset):
    """Stages in another order, twice, or of another search, run in Python."""
    exact, stem, synonym, joined, paraphrase, near = preset.stages
    for stages in ((exact, near), (stem, exact, joined), (joined, paraphrase, near), (near,), (paraphrase, near)):
        assert has_kernel(evolve(preset, stages=stages))
    for stages in ((near, exact), (exact, paraphrase, joined), (joined, synonym), (exact, exact)):
        assert not has_kernel(evolve(preset, stages=stages))
    for name in ("accurate", "optimal", "beam"):
        assert not has_kernel(evolve(preset, search=SearchConfig(name)))
    assert has_kernel(evolve(preset, case=0.9))
    assert not has_kernel(evolve(preset, stages=(exact, stem), search=SearchConfig("beam"), case=0.9))
