"""Resampling by matrices is what resampling segment by segment would give."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest

from meteorlib.analysis.significance import resampling
from meteorlib.analysis.significance.resampling import (
    bootstrap_scores,
    discoveries,
    exchange_differences,
    half_sums,
    shuffle_differences,
    sign_test,
    summable,
)
from meteorlib.analysis.significance.scored_outputs import CorpusScore, MeanScore, meteor_columns
from meteorlib.arrays import SegmentArrays
from meteorlib.core import Statistics, breakdown

SAMPLES, SEED = 40, 3


@pytest.fixture(params=["corpus", "mean"])
def measured(request, corpora):
    """A measure, and two outputs of 48 segments: columns, scores of the segments, statistics of the segments."""
    one, other = corpora["a"], corpora["b"]
    measure = CorpusScore(one.parameters) if request.param == "corpus" else MeanScore(len(one))
    return measure, [meteor_columns(SegmentArrays.of(corpus), request.param) for corpus in (one, other)], (one, other)


def slow(measure, corpus, segments):
    """The score of some segments, added up one by one."""
    if isinstance(measure, MeanScore):
        return sum(one.score for one in segments) / len(segments)
    total = sum((one.statistics for one in segments), Statistics.zero(3))
    return breakdown(total, corpus.parameters).score


def test_bootstrap(measured):
    """Each sample's score is that of the drawn segments; all outputs have the same ones."""
    measure, outputs, corpora = measured
    found = bootstrap_scores({"runs": outputs}, measure, SAMPLES, SEED, lambda _: None)["runs"]
    drawn = np.random.default_rng(SEED).integers(48, size=(SAMPLES, 48))
    for row, corpus in zip(found, corpora, strict=True):
        expected = [slow(measure, corpus, [corpus[place] for place in places]) for places in drawn.tolist()]
        assert row == pytest.approx(expected, rel=1e-12)


def test_exchange(measured):
    """Each sample's difference is that of the two systems with half of their segments exchanged."""
    measure, outputs, (one, other) = measured
    halves = half_sums(outputs, SAMPLES, SEED, lambda _: None)
    found = exchange_differences(*halves, [output.sum(axis=0) for output in outputs], measure)
    chosen = np.random.default_rng(SEED).integers(2, size=(SAMPLES, 48), dtype=bool).tolist()
    for value, mask in zip(found, chosen, strict=True):
        first = [(one if kept else other)[place] for place, kept in enumerate(mask)]
        second = [(other if kept else one)[place] for place, kept in enumerate(mask)]
        assert value == pytest.approx(slow(measure, one, first) - slow(measure, one, second), abs=1e-12)


@pytest.mark.parametrize("cells", [1, 5000])
def test_pieces_do_not_matter(measured, monkeypatch, cells):
    """Samples do not depend on how many are drawn at a time."""
    measure, outputs, _ = measured

    def all_of_it():
        told = []
        drawn = bootstrap_scores({"runs": outputs}, measure, 200, SEED, told.append)["runs"]
        halves = half_sums(outputs, 200, SEED, told.append)
        assert sum(told) == 400
        return drawn, halves, len(told)

    *expected, pieces = all_of_it()
    monkeypatch.setattr(resampling, "CELLS", cells)
    *found, more_pieces = all_of_it()
    assert more_pieces > pieces
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("runs", [(2, 1), (1, 3), (4, 4)])
def test_shuffled_runs_share_out_everything(runs):
    """Each shuffle has every output of a segment once, and gives each system as many as it has runs."""

    class Bits:
        """Sums as they are: each output of each segment has a bit of its own."""

        def scores(self, sums):
            seen.append(sums[..., 0])
            return sums[..., 0]

    seen = []
    pool = [np.array([[2.0 ** (place + 4 * source)] for place in range(4)]) for source in range(sum(runs))]
    differences = shuffle_differences(pool[: runs[0]], pool[runs[0] :], Bits(), 500, SEED, lambda _: None)
    listed = np.array(seen)
    assert np.all(listed.sum(axis=0) == 2.0 ** (4 * sum(runs)) - 1)
    assert np.all((listed > 0) & (listed < 2.0 ** (4 * sum(runs))))
    for run in listed.astype(int).T.tolist():
        for bits, place in product(run, range(4)):
            assert sum(bits >> (place + 4 * source) & 1 for source in range(sum(runs))) == 1
    expected = listed[: runs[0]].mean(axis=0) - listed[runs[0] :].mean(axis=0)
    assert differences == pytest.approx(expected)


@pytest.mark.parametrize("size", [2, 3, 8])
def test_orders_are_all_alike(size):
    """Every order of a few runs comes equally often; of more, every run in every place."""

    class Order:
        """Name the output that a run has for its one segment."""

        def scores(self, sums):
            seen.append(np.log2(sums[..., 0]).astype(int))
            return sums[..., 0]

    seen = []
    pool = [np.array([[2.0**source]]) for source in range(size)]
    shuffle_differences(pool[:1], pool[1:], Order(), 24_000, SEED, lambda _: None)
    found = np.array([np.concatenate(seen[run::size]) for run in range(size)])
    assert np.array_equal(np.sort(found, axis=0), np.tile(np.arange(size)[:, None], 24_000))
    if size < 4:
        counts = np.unique(found, axis=1, return_counts=True)[1]
        assert len(counts) == factorial(size)
    else:
        counts = np.array([np.bincount(row, minlength=size) for row in found]).ravel()
    mean = 24_000 / (factorial(size) if size < 4 else size)
    assert np.abs(counts - mean).max() < 5 * mean**0.5


def test_single_precision_only_where_it_is_exact():
    """Counts whose sums could be rounded stay whole numbers."""
    counts = np.zeros((1 << 14, 20), np.int64)
    scores = np.zeros(1 << 14)
    counts[0, 0] = 1023
    assert meteor_columns(SegmentArrays(counts, scores), "corpus").dtype == np.float32
    counts[0, 0] = 1024
    assert meteor_columns(SegmentArrays(counts, scores), "corpus").dtype == np.int64


def test_no_order_of_additions_moves_a_sum():
    """Summable columns have exact sums; whole numbers and single precision stay as they are."""
    rng = np.random.default_rng(SEED)
    columns = rng.random((999, 3)) * [1, 100, 1e-3]
    found = summable(columns)
    assert np.abs(found - columns).max() < 100 * 999 / 2**51
    weights = rng.integers(3, size=(20, 999)) * 1.0
    orders = [rng.permutation(999) for _ in range(20)]
    assert all(np.array_equal(weights[:, order] @ found[order], weights @ found) for order in orders)
    assert not all(np.array_equal(weights[:, order] @ columns[order], weights @ columns) for order in orders)
    assert np.array_equal(summable(np.round(columns)), np.round(columns))
    assert summable(columns.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    ("more", "less", "p"),
    [(6, 0, 2 / 64), (0, 6, 2 / 64), (5, 5, 1.0), (3, 2, 1.0), (17, 1, 2 * 19 / 2**18), (0, 0, 1.0)],
)
def test_sign_test(more, less, p):
    """The exact test doubles the smaller tail of the binomial distribution."""
    assert sign_test(more, less) == p


def test_false_discoveries():
    """P values up to the largest that is small enough for its place are significant, also those beside it."""
    assert discoveries([0.9, 0.021, 0.02, 0.03]) == [False, True, True, True]
    assert discoveries([0.9, 0.06, 0.02, 0.04]) == [False, False, False, False]
    assert discoveries([]) == []
