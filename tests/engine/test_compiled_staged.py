"""Both engines give the same results under METEOR 2005's search, including proofs."""

from __future__ import annotations

import random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, ScorerConfig, SearchConfig
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.core.totals import Totals
from meteorlib.engine.build import build_engine, has_kernel
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.python import PythonEngine
from meteorlib.errors import InvalidText
from tests.examples import examples

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

PRESET = load_preset("meteor-2005")
WORDS = [a + b + c for a in "xyz" for b in "abcdef" for c in "abcdef-"]
"""Their first two letters are stems, their last two are synonym sets, so that words are entangled in many ways."""


def _synsets(word: str) -> frozenset[int]:
    return frozenset(ord(letter) for letter in word[1:] if letter != "-")


def _stem(word: str) -> str:
    return word[:2]


def _variants() -> dict[str, ScorerConfig]:
    exact, stem, synonym = PRESET.stages
    stages = {
        "preset": PRESET.stages,
        "exact": (exact,),
        "synonyms": (synonym,),
        "stems first": (stem, exact, synonym),
        "synonyms first": (synonym, exact),
    }
    budgets = {"": 200_000, ", hurried": 100}
    return {
        name + hurry: evolve(PRESET, stages=chosen, search=SearchConfig("staged", budget=budget))
        for name, chosen in stages.items()
        for hurry, budget in budgets.items()
    }


VARIANTS = _variants()


def _engines(config: ScorerConfig) -> tuple[CompiledEngine, PythonEngine]:
    parts = {"synonym": _synsets, "stem": _stem}
    given = {name: part for name, part in parts.items() if any(stage.matcher == name for stage in config.stages)}
    engine, reference = build_engine(config, given, "compiled"), build_engine(config, given, "python")
    assert isinstance(engine, CompiledEngine)
    assert isinstance(reference, PythonEngine)
    return engine, reference


def _same(engine, reference, others, words):
    found = engine.align(engine.analyze(others), engine.analyze(words))
    assert found == reference.align(reference.analyze(others), reference.analyze(words)), (others, words)
    return found


def _compare(name, seed, count, longest):
    """Random segments of one to sixty word types; returns the results."""
    engine, reference = _engines(VARIANTS[name])
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        sides = [draw.sample(WORDS, draw.choice([1, 2, 3, 4, 6, 10, 20, 60])) for _ in range(2)]
        if draw.random() < 0.5:
            sides[1] = sides[0]
        words, others = ([draw.choice(side) for _ in range(int((longest + 1) ** draw.random()))] for side in sides)
        if draw.random() < 0.1:
            words = draw.sample(others, len(others))
        found.append(_same(engine, reference, others, words))
    return found


@pytest.mark.parametrize("name", VARIANTS)
def test_random_segments(name):
    """Matches, statistics, and whether the alignment is proven the best, on segments of few words."""
    found = _compare(name, name, 30, 40)
    assert any(one.statistics.hypothesis_matches for one in found)
    if name == "synonyms, hurried":
        assert {one.optimal for one in found} == {True, False}


@examples(300)
@given(*[st.lists(st.sampled_from(WORDS[::4]), max_size=12)] * 2, st.sampled_from(list(VARIANTS)))
def test_any_segment(others, words, name):
    """Both engines agree on segments that Hypothesis chooses."""
    _same(*_engines(VARIANTS[name]), others, words)


def test_budgets_are_counted_alike():
    """Every budget up to what the search takes gives the same matches, and the same word on whether they are proven."""
    draw = random.Random(4)
    words, others = ([draw.choice(WORDS[:24:5]) for _ in range(14)] for _ in range(2))
    proven = set()
    for budget in (*range(1, 60), *range(60, 3000, 97), 20_000):
        config = evolve(PRESET, search=SearchConfig("staged", budget=budget))
        proven.add(_same(*_engines(config), others, words).optimal)
    assert proven == {True, False}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))])
def test_more_words_than_a_set_has_bits(seed):
    """Both engines agree if a set of positions needs more than one machine word."""
    for name in ("preset", "synonyms, hurried"):
        engine, reference = _engines(VARIANTS[name])
        draw = random.Random(seed)
        for types, others in ((5, 5), (20, 9), (2, 3)):
            sides = [draw.choices(draw.sample(WORDS, count), k=draw.randint(65, 150)) for count in (types, others)]
            _same(engine, reference, *sides)


@pytest.mark.thorough
@pytest.mark.parametrize(("budget", "length"), [(500, 300), (20_000, 300), (100, 600)])
def test_large_loose_components(budget, length):
    """Both engines agree if a question to the matching visits only some words, and if pairs are left out."""
    config = evolve(VARIANTS["synonyms"], search=SearchConfig("staged", budget=budget))
    engine, reference = _engines(config)
    for kinds in (["xab", "xbc", "xca"], ["xab", "xbc", "xcd", "xde", "xef"]):
        draw = random.Random(length)
        sides = [draw.choices([first + word[1:] for word in kinds], k=length) for first in "xy"]
        _same(engine, reference, *sides)


@pytest.mark.parametrize(("reference", "hypothesis"), [(600, 300), (300, 600), (400, 400), (700, 1)])
@pytest.mark.parametrize("budget", [1, 1000, 200_000])
def test_one_word_again_and_again(reference, hypothesis, budget):
    """Hundreds of places of one word, more of them than the budget covers."""
    config = evolve(VARIANTS["exact"], search=SearchConfig("staged", budget=budget))
    _same(*_engines(config), ["xaa"] * reference, ["xaa"] * hypothesis)


def test_too_many_words():
    """More words than the Python search has room for are refused in the same words."""
    messages = []
    for engine in _engines(VARIANTS["exact"]):
        side = engine.analyze(["xaa", "xbb"] * 35_000)
        with pytest.raises(InvalidText) as refused:
            engine.align(side, engine.analyze(["xbb", "xaa"] * 35_000))
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


@pytest.mark.thorough
def test_totals():
    """Sums are the same, those of alignments that are not proven the best among them."""
    draw = random.Random(3)
    texts = [[" ".join(draw.choices(WORDS[:9], k=draw.randint(0, 40))) for _ in range(3)] for _ in range(150)]
    pairs = [Pair(references, hypothesis) for hypothesis, *references in texts]
    config = evolve(PRESET, search=SearchConfig("staged", budget=5))
    python = Scorer(config, implementation="python")
    scored = [Totals.of(python.score(*pair)) for pair in pairs]
    expected = sum(scored[1:], scored[0])
    assert 0 < expected.inexact < 150
    assert build_engine(config).totals(pairs) == build_engine(config, wanted="python").totals(pairs) == expected


@pytest.mark.stress
@pytest.mark.parametrize("name", VARIANTS)
def test_many_random_segments(name):
    """Hundreds of segments, lengths 0 to 300; ten times as many before a release."""
    _compare(name, f"{name} again", 450, 60)
    _compare(name, f"{name} at length", 50, 300)


def test_which_stages_have_a_twin():
    """Stages of single words do, in any order; what compares in other ways runs in Python."""
    exact, stem, synonym = PRESET.stages
    for stages in ((exact,), (synonym, stem), (stem, exact, synonym)):
        assert has_kernel(evolve(PRESET, stages=stages))
    lemma = next(stage for stage in load_preset("nltk").stages if stage.matcher == "lemma")
    assert not has_kernel(evolve(PRESET, stages=(exact, lemma)))
