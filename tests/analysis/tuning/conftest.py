"""Texts, and people who judge them as a METEOR does, or at random."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.meta_evaluation import Judged, Judgments, Pairs, Ratings
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair

WORDS = "the cat sat on the mat and the dog ran to a tree while it began to rain in the evening".split()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder that is empty."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def base():
    return Scorer("meteor-2005-exact")


@pytest.fixture(scope="session")
def taste(base):
    """The METEOR that people have in their heads."""
    numbers = evolve(base.config.parameters, alpha=0.2, beta=0.6, gamma=0.9)
    return Scorer(evolve(base.config, name="taste", parameters=numbers))


def texts(name, segments, systems, references=1):
    rng = np.random.default_rng([*name.encode()])
    found = []
    for segment in range(segments):
        first = int(rng.integers(0, 6))
        length = int(rng.integers(7, 14))
        said = [[*WORDS[first + more : first + more + length], f"{name}{segment}"] for more in range(references)]
        for system in range(systems):
            kept = [word for word in said[0] if rng.random() < 0.8]
            added = rng.choice(WORDS, int(rng.integers(0, 5))).tolist()
            cut = int(rng.integers(0, len(kept) + 1))
            hypothesis = kept[cut:] + added + kept[:cut] if rng.random() < 0.6 else kept + added
            pair = Pair(tuple(map(" ".join, said)), " ".join(hypothesis))
            found.append(Judged((f"d{segment // 4}", str(segment)), f"m{system}", pair))
    return tuple(found)


def rated(scorer, name="xx-yy", segments=40, systems=4, noise=0.0, references=1):
    """Ratings: the scores of a METEOR, and noise; nothing but noise without one."""
    every = texts(name, segments, systems, references)
    rng = np.random.default_rng(5)
    scores = np.array([scorer.score(*text.texts).score for text in every]) if scorer else np.zeros(len(every))
    values = scores + rng.normal(0, noise, len(every)) if noise else scores
    return Judgments(name, every, ratings=Ratings(np.arange(len(every)), values))


def ranked(scorer, name="xx-yy", segments=40, systems=4, noise=0.0):
    """Ratings as pairs; texts with equal ratings are no pair."""
    one = rated(scorer, name, segments, systems, noise)
    better, worse = [], []
    for first in range(0, len(one.texts), systems):
        for left in range(first, first + systems):
            for right in range(left + 1, first + systems):
                difference = one.ratings.value[left] - one.ratings.value[right]
                if difference:
                    better.append(left if difference > 0 else right)
                    worse.append(right if difference > 0 else left)
    return Judgments(name, one.texts, pairs=Pairs(np.array(better), np.array(worse), np.ones(len(better), np.int64)))


def config(preset="meteor-1.5-en-core"):
    return load_preset(preset)
