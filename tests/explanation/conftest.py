"""Segments that are hard to draw, and scorers of every kind."""

from __future__ import annotations

import random

import pytest

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ExtraMissing, ResourceMissing
from tests.presets import presets, with_table

WORDS = "the a cat cats dog sat sits on mat good well 日本 本 👩‍👩‍👧 שלום e\u0301te\u0301 , .".split()


def _scorer(name):
    try:
        return Scorer(name)
    except (ExtraMissing, ResourceMissing, FileNotFoundError):
        return None


@pytest.fixture(scope="session")
def scorers(request) -> list[Scorer]:
    """A scorer of every preset that needs nothing installed and matches one to one; by default of some."""
    names = [name for name in presets(request.config) if name != "nltk-3.5"]
    found = [scorer for name in names if (scorer := _scorer(name)) is not None]
    assert {"meteor-2005", "meteor-1.5-en-core", "nltk"} <= {scorer.config.name for scorer in found}
    return found


@pytest.fixture(scope="session")
def phrases(compiled_table) -> Scorer:
    """METEOR 1.5 with a small paraphrase table, so that matches have several words."""
    table = compiled_table([("turned down", "rejected"), ("rejected", "turned down"), ("of course", "naturally")])
    return Scorer(with_table(load_preset("meteor-1.5-en"), table))


@pytest.fixture(scope="session")
def segments(request) -> list[tuple[str, str]]:
    """Random pairs of a small vocabulary, wide, combined and right-to-left letters among it, and the empty ones."""
    chance, count = random.Random(7), 25 if request.config.getoption("--thorough") else 10

    def text():
        return " ".join(chance.choice(WORDS) for _ in range(chance.randrange(18)))

    return [("", ""), ("the cat", ""), ("", "the cat"), ("a mat", "a mat"), *((text(), text()) for _ in range(count))]
