"""The vector matcher: equal words, near vectors, the threshold to the last digit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meteorlib import Scorer, StageConfig
from meteorlib.config import ParameterConfig, ScorerConfig
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import InvalidVectors
from meteorlib.matchers import vector as vector_module
from meteorlib.matchers.vector import Vector, VectorSettings
from tests.examples import EXTREME_SCALES, ODD_NUMBERS

VECTORS = {
    "cat": [3.0, 4.0],
    "kitten": [8.0, 6.0],  # cosine 0.96 with cat
    "dog": [4.0, -3.0],  # 0 with cat
    "car": [-3.0, -4.0],  # -1
    "tac": [0.3, 0.4],  # 1
    "void": [0.0, 0.0],
}

IMPLEMENTATIONS = ["python", *(["compiled"] if load_kernel() else [])]


def _pairs(threshold, reference, hypothesis):
    matcher = Vector(VECTORS.get, threshold)
    sides = [matcher.analyze(words, {word: [0] for word in words}) for words in (reference.split(), hypothesis.split())]
    return {word: sorted(partners) for word, partners in matcher.pairs(*sides)}


@pytest.mark.parametrize(
    ("threshold", "partners"),
    [
        (1.0, ["cat", "tac"]),
        (0.981, ["cat", "tac"]),
        (0.979, ["cat", "kitten", "tac"]),
        (0.51, ["cat", "kitten", "tac"]),
        (0.49, ["cat", "dog", "kitten", "tac"]),
        (1e-9, ["cat", "dog", "kitten", "tac"]),
    ],
)
def test_threshold(threshold, partners):
    """Words match if (1 + cosine)/2 is at least the threshold, however long their vectors are."""
    assert _pairs(threshold, "cat", "kitten dog car tac void other cat")["cat"] == partners


def test_without_a_vector():
    """A word without a vector, or with one that has no direction, matches itself and no other word."""
    assert _pairs(0.01, "other void", "other void cat void2") == {"other": ["other"], "void": ["void"]}
    assert _pairs(0.01, "cat", "other") == {}
    assert _pairs(0.8, "other", "cat") == {}


def test_few_vectors_are_kept(lowered):
    """Vectors of more words than are kept are asked for again."""
    asked = []
    again = lowered(vector_module, "CACHED_WORDS", 2, lambda: len(asked))
    matcher = Vector(lambda word: asked.append(word) or VECTORS[word])
    for word in ("cat", "dog", "cat", "car", "cat"):
        list(matcher.pairs(*[matcher.analyze([word], {word: [0]})] * 2))
    assert again() == 4


def test_single_precision_in_order():
    """The cosine is the sum, in order, of single-precision products, and not the exact one."""
    draw = np.random.default_rng(1)
    first, second = (draw.standard_normal(301).astype(np.float32) for _ in range(2))
    second += first
    units = [Vector({"a": one}.get).unit_vector("a") for one in (first, second)]
    total = np.float32(0)
    for one, other in zip(*units, strict=True):
        total = np.float32(total + one * other)
    assert total != np.float32(math.fsum(float(one) * float(other) for one, other in zip(*units, strict=True)))
    for implementation in IMPLEMENTATIONS:
        for steps, matched in ((0, 1), (1, 0)):
            threshold = (1 + float(total)) / 2
            threshold = np.nextafter(threshold, 2) if steps else threshold
            stages = [StageConfig("exact"), StageConfig("vector", 0.8, "vectors-xx", threshold=float(threshold))]
            config = ScorerConfig("mine", stages, ParameterConfig(0.9, 3, 0.5))
            scorer = Scorer(config, given={"vector": {"a": first, "b": second}.get}, implementation=implementation)
            assert scorer.score("a", "b").statistics.hypothesis_matches == matched


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("width", [1, 2, 15, 16, 17, 300, 1000])
def test_near_ties(implementation, width):
    """Thresholds at, just below and just above cosines give the pairs of the sum in order, for any two words."""
    draw = np.random.default_rng(width)
    base = draw.standard_normal((4, width))
    vectors = {f"w{index}": row.astype(np.float32) for index, row in enumerate(base)}
    for index in range(20):
        near = base[index % 4] + draw.choice([0.0, 1e-7, 1e-3, 0.3, 1.0]) * draw.standard_normal(width)
        vectors[f"w{index + 4}"] = (near * 10.0 ** draw.integers(-3, 3)).astype(np.float32)
    units = {word: Vector(vectors.get).unit_vector(word) for word in vectors}
    references, hypotheses = [*vectors][::2], [*vectors][1::2]
    halves = {
        (one, other): (1 + float(np.add.accumulate(units[one] * units[other])[-1])) / 2
        for one in references
        for other in hypotheses
    }
    tried = draw.choice([half for half in halves.values() if 0.01 < half <= 1], 8)
    for threshold in (float(close) for at in tried for close in (np.nextafter(at, 0), at, np.nextafter(at, 2))):
        stage = StageConfig("vector", 0.8, "vectors-xx", threshold=min(threshold, 1.0))
        config = ScorerConfig("mine", [stage], ParameterConfig(0.9, 3, 0.5))
        scorer = Scorer(config, given={"vector": vectors.get}, implementation=implementation)
        found = scorer.candidates(" ".join(references), " ".join(hypotheses))
        assert {(references[match.reference_start], hypotheses[match.hypothesis_start]) for match in found} == {
            pair for pair, half in halves.items() if half >= min(threshold, 1.0)
        }


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_candidates_and_choice(implementation):
    """Equal words are proposed by this stage, too, as METEOR-E has it; the exact match is the one chosen."""
    stages = [StageConfig("exact"), StageConfig("vector", 0.8, "vectors-xx")]
    config = ScorerConfig("mine", stages, ParameterConfig(0.85, 0.2, 0.6, 0.75))
    scorer = Scorer(config, given={"vector": VECTORS.get}, implementation=implementation)
    found = scorer.align("the cat and void", "the kitten and void")
    assert [stage for *_, stage in found.pairs()] == ["exact", "vector", "exact", "exact"]
    proposed = scorer.candidates("the cat and void", "the kitten and void")
    assert [(match.reference_start, match.stage) for match in proposed] == [
        (0, 0), (0, 1), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1),
    ]  # fmt: skip


ODD_VECTORS = (*([1.0, odd] for odd in ODD_NUMBERS), [], [[1.0, 2.0]], [[1.0], [2.0]], 1.0, "ab", object())


def scorer_of(vectors, implementation):
    config = ScorerConfig("mine", [StageConfig("vector", 0.8, "vectors-xx")], ParameterConfig(0.9, 3, 0.5))
    return Scorer(config, given={"vector": vectors.get}, implementation=implementation)


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("wrong", [*ODD_VECTORS, [1.0], [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("first", [True, False])
def test_odd_vectors(implementation, wrong, first):
    """Vectors that are not all of one width, or not of finite real numbers, are refused by the word, and not kept."""
    odd, other = ("a", "b") if first else ("b", "a")
    vectors = {other: [1.0, 2.0], odd: wrong}
    scorer = scorer_of(vectors, implementation)
    blamed = other if first and wrong in ([1.0], [1.0, 2.0, 3.0]) else odd
    with pytest.raises(InvalidVectors, match=f"^the vector of '{blamed}' must be .*finite number.*, got"):
        scorer.score("a c", "b c")
    if blamed == odd:
        vectors[odd] = [2.0, 4.0]
        assert scorer.score("a", "b").statistics.hypothesis_matches == 1


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("scale", EXTREME_SCALES)
def test_vectors_of_any_size(implementation, scale):
    """Only the directions of vectors count, also where single precision does not have the squares of their numbers."""
    scorer = scorer_of({"a": [scale, 0.0], "b": [scale, scale / 100], "c": [0.0, scale]}, implementation)
    assert [scorer.score("a", other).statistics.hypothesis_matches for other in "bc"] == [1, 0]


@pytest.mark.parametrize("threshold", [0, -1, 1.1, float("nan")])
def test_settings(threshold):
    """The threshold is above 0 and at most 1."""
    with pytest.raises(ValueError, match="threshold"):
        VectorSettings(threshold)
