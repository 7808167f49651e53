"""The compiled engine finds what the Python one finds for documents, where a few words come again and again."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from meteorlib import ScorerConfig, SearchConfig
from meteorlib.config import load_preset
from meteorlib.engine.build import build_engine
from meteorlib.engine.implementation import load_kernel
from tests.presets import with_table

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

PHRASES = [
    ("w0 w1", "w2"), ("w2", "w0 w1"), ("w3 w0 w4", "w5 w1"), ("w5 w1", "w3 w0 w4"), ("w6", "w7"), ("w7", "w6"),
    ("w0", "w3"), ("w8 w0", "w9 w0"), ("w9 w0", "w8 w0"), ("w10 w11 w12 w13", "w14"), ("w14", "w10 w11 w12 w13"),
]  # fmt: skip

TYPES = 600
"""Random words; the frequency of a word is in inverse proportion to its number (Zipf)."""


@pytest.fixture(scope="module")
def table(compiled_table) -> str:
    """A small compiled paraphrase table of frequent words."""
    return str(compiled_table(PHRASES))


def _config(name: str, table: str, search: SearchConfig | None = None) -> ScorerConfig:
    config = with_table(load_preset(name), table)
    return evolve(config, search=search or config.search)


def _document(draw: random.Random, sentences: int) -> tuple[str, str]:
    """A reference and a hypothesis that has most of its words, some elsewhere in their sentence."""
    words = [f"w{number}" for number in range(TYPES)]
    chances = [1 / (number + 1) for number in range(TYPES)]
    sides: tuple[list[str], list[str]] = [], []
    for _ in range(sentences):
        sentence = draw.choices(words, chances, k=draw.randint(12, 28))
        sides[0].extend(sentence)
        other = [draw.choices(words, chances)[0] if draw.random() < 0.25 else word for word in sentence]
        for _ in range(draw.randint(0, 4)):
            place = draw.randrange(len(other))
            other.insert(draw.randrange(len(other)), other.pop(place))
        sides[1].extend(other[: draw.randint(10, 28)])
    return " ".join(sides[0]), " ".join(sides[1])


def _compare(config: ScorerConfig, seed: object, sentences: int) -> None:
    engine, reference = (build_engine(config, wanted=wanted) for wanted in ("compiled", "python"))
    words, others = _document(random.Random(repr(seed)), sentences)
    found = engine.align(engine.read(words), engine.read(others))
    assert found == reference.align(reference.read(words), reference.read(others)), (seed, sentences)
    assert found.statistics.hypothesis_matches


NAMES = ("meteor-2005", "meteor-1.5-en", "meteor-2026-en")


@pytest.mark.parametrize("name", NAMES)
def test_a_document(table, name):
    """Matches, statistics, and whether they are proven the best, of some 140 words a side."""
    _compare(_config(name, table), name, 7)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sentences", [5, 20])
def test_documents(table, name, sentences):
    """Documents of other lengths are scored equally."""
    _compare(_config(name, table), (name, sentences), sentences)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "search"),
    [
        ("meteor-2026-en", SearchConfig("weighted", width=1)),
        ("meteor-2026-en", SearchConfig("weighted", width=3, far=2)),
        ("meteor-2026-en", SearchConfig("weighted", width=60, distance=0)),
        ("meteor-2026-en", SearchConfig("weighted", chunk=0, distance=0)),
        ("meteor-2026-en", SearchConfig("weighted", width=9, chunk=2, kept=0)),
        ("meteor-1.5-en", SearchConfig("beam", width=1)),
        ("meteor-1.5-en", SearchConfig("beam", width=150)),
        ("meteor-2005", SearchConfig("staged", budget=3000)),
    ],
)
def test_other_settings(table, name, search):
    """Both engines agree under other settings, with which other states are equal and others are left out."""
    for sentences in (5, 12):
        _compare(_config(name, table, search), (name, repr(search)), sentences)


@pytest.mark.stress
@pytest.mark.parametrize("name", NAMES)
def test_many_documents(table, name):
    """Dozens of documents."""
    for seed in range(15):
        _compare(_config(name, table), (name, seed), 2 + seed)
