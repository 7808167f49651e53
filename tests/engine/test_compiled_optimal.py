"""The compiled engine gives what the Python one gives where the best alignment is searched for, within any budget."""

from __future__ import annotations

import random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, SearchConfig
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.engine.build import build_engine
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.python import PythonEngine
from meteorlib.search import optimal, optimal_graph
from meteorlib.search.optimal import Optimal
from tests.examples import examples
from tests.presets import with_table

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

WORDS = "the of a in run runs running good goods well goodness is are car automobile cars end day finally , .".split()

FEW = st.sampled_from(WORDS[:7])

PHRASES = [
    ("of course", "naturally"), ("in the end", "finally"), ("finally", "in the end"), ("the", "a"), ("a", "the"),
    ("the", "the"), ("of the", "of a"), ("of the", "of the"), ("is", "are"), ("good", "well"), ("the end", "a day"),
    ("a good day", "the goods"), ("the goods", "a good day"), ("in the end of the day", "finally"),
]  # fmt: skip

SEARCHES = {
    "optimal": SearchConfig("optimal", budget=20_000),
    "hurried": SearchConfig("optimal", budget=1500, width=2),
    "at once": SearchConfig("optimal", budget=200),
}


@pytest.fixture(scope="module")
def engines(compiled_table):
    """Compiled and Python engine of a search by name, with a small paraphrase table."""
    config = with_table(load_preset("meteor-1.5-en-optimal"), compiled_table(PHRASES))
    made = {}
    for name, settings in SEARCHES.items():
        variant = evolve(config, search=settings)
        made[name] = tuple(build_engine(variant, wanted=wanted) for wanted in ("compiled", "python"))
        assert tuple(map(type, made[name])) == (CompiledEngine, PythonEngine)
    return made


def segment(draw, types, length):
    """Words of few types, and phrases among them."""
    vocabulary = draw.sample(WORDS, types)
    words = []
    while len(words) < length:
        words += draw.choice(PHRASES)[draw.randint(0, 1)].split() if draw.random() < 0.2 else [draw.choice(vocabulary)]
    return words[:length]


def same(engines, others, words):
    """Alignment that both engines find."""
    compiled, python = engines
    found = compiled.align(compiled.analyze(others), compiled.analyze(words))
    assert found == python.align(python.analyze(others), python.analyze(words)), (others, words)
    return found


def compare(engines, seed, count, longest):
    """Random segments; half of them have fewer words than the root of `longest`."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        types = draw.randint(1, len(WORDS))
        lengths = [int((longest + 1) ** draw.random()) - draw.randint(0, 1) for _ in range(2)]
        found.append(same(engines, *(segment(draw, types, length) for length in lengths)))
    return found


@pytest.mark.parametrize("name", SEARCHES)
def test_random_segments(engines, name):
    """Matches, statistics and proofs are the same on segments of few words, where everything is ambiguous."""
    found = compare(engines[name], name, 60, 30)
    assert any(one.optimal and one.alignment.matches for one in found)


@examples(150)
@given(words=st.lists(FEW, max_size=14), others=st.lists(FEW, max_size=14))
def test_any_words(engines, words, others):
    """Alignments are equal for random words of a few stems, within a budget that some exhaust."""
    same(engines["hurried"], others, words)


def test_budgets_end(engines):
    """Budgets are counted alike: both say of the same segments that the best may not have been found."""
    found = compare(engines["hurried"], 7, 60, 60) + compare(engines["at once"], 8, 60, 60)
    assert {one.optimal for one in found} == {True, False}


@pytest.mark.parametrize("name", ["hurried", "optimal"])
def test_more_words_than_a_set_has_bits(engines, name):
    """Both engines agree if labels differ in more than 64 words of the hypothesis."""
    draw = random.Random(name)
    for _ in range(4):
        same(engines[name], segment(draw, 9, draw.randint(80, 150)), segment(draw, 9, draw.randint(80, 150)))


def test_all_words_where_they_stand(engines):
    """With too many candidates for a graph, all words are matched in place if possible, otherwise by the beam."""
    words = ["the", "a"] * 40
    assert same(engines["at once"], words, words).optimal
    assert not same(engines["at once"], words, [*words, "car"]).optimal
    assert not same(engines["at once"], words, words[::-1]).optimal


@pytest.fixture
def left_to_python(monkeypatch):
    """Arguments passed to the Python search."""
    asked = []
    original = Optimal.__call__
    monkeypatch.setattr(Optimal, "__call__", lambda self, *given: asked.append(given) or original(self, *given))
    return asked


@pytest.mark.thorough
def test_costs_of_more_than_64_bits(left_to_python):
    """Segments too large for machine words go to the Python search: the costs of half a million words."""
    config = evolve(load_preset("meteor-1.5-en-core"), search=SearchConfig("optimal"))
    compiled, python = (build_engine(config, wanted=wanted) for wanted in ("compiled", "python"))
    long = ["x"] * 530_000 + "the day runs in the end".split()
    words = "the end of a day in a run".split()
    found = compiled.align(compiled.analyze(words), compiled.analyze(long))
    assert len(left_to_python) == 1
    assert found.alignment.matches
    assert found == python.align(python.analyze(words), python.analyze(long))
    (here, *given), (there, *theirs) = left_to_python
    assert (list(map(list, here)), given) == (list(map(list, there)), theirs)


def test_multipliers_of_more_than_64_bits(monkeypatch, left_to_python):
    """A search in which a multiplier grows too large is left to Python, too."""
    monkeypatch.setattr(optimal_graph, "DEFLECTION", 1 - 1e-15)
    monkeypatch.setattr(optimal, "SCHEDULE", ((1, 8), (2, 16), (16, 16)))
    config = evolve(load_preset("meteor-1.5-en-core"), search=SEARCHES["optimal"])
    compiled, python = (build_engine(config, wanted=wanted) for wanted in ("compiled", "python"))
    compare((compiled, compiled), 4, 60, 40)
    assert left_to_python
    compare((compiled, python), 4, 60, 40)


def test_totals(engines):
    """Sums are the same, those of alignments that are not proven the best among them."""
    draw = random.Random(3)
    texts = [[" ".join(segment(draw, 9, draw.randint(0, 30))) for _ in range(3)] for _ in range(60)]
    pairs = [Pair(references, hypothesis) for hypothesis, *references in texts]
    compiled, python = engines["hurried"]
    totals = python.totals(pairs)
    assert compiled.totals(pairs) == totals
    assert 0 < totals.inexact < 60


def test_matrices():
    """A matrix of the search equals Python's."""
    config = evolve(load_preset("meteor-1.5-en-core"), search=SearchConfig("optimal"))
    lines = "the cars of the day", "a day of the car", "finally the good car runs"
    expected = Scorer(config, implementation="python").matrix(references=lines, hypotheses=lines)
    assert Scorer(config).matrix(references=lines, hypotheses=lines) == expected


@pytest.mark.stress
@pytest.mark.parametrize("name", SEARCHES)
def test_many_random_segments(engines, name):
    """Thousands of them, some of up to 300 words."""
    compare(engines[name], f"{name} again", 1000, 40)
    compare(engines[name], f"{name} at length", 50, 300)
