"""Breakdowns of the compiled kernel: their fields are made when they are read, and nobody can tell."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
from collections.abc import Sequence
from math import isnan
from threading import Barrier, Thread

import pytest
from attrs import asdict, evolve, fields

from meteorlib import ScoreBreakdown, Scorer
from meteorlib.core.breakdown import FlatSegments, WordNumbers
from meteorlib.core.segment import Pair
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import InputMismatch, InvalidText

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

PRESETS = ("meteor-1.5-en-core", "nltk")
PAIRS = [
    Pair(["the cat sat on the mat"], "on the mat sat the cats"),
    Pair(["a dog", "the cat was sitting"], "the cat sits"),
    Pair(["same words here"], "same words here"),
    Pair([""], "words"),
    Pair(["words"], ""),
    Pair(["nothing", "in", "common"], "at all"),
]
NAMES = [field.name for field in fields(ScoreBreakdown)]


@pytest.fixture(params=PRESETS)
def scorers(request):
    """The compiled scorer of a preset, whose breakdowns are lazy, and the one that makes them whole."""
    return tuple(Scorer(request.param, implementation=which) for which in ("compiled", "python"))


@pytest.mark.parametrize("pair", PAIRS)
def test_equal_to_whole_ones(scorers, pair):
    """Every field, read first or last, is what the reference has; so are equality, hash, repr, str and plain data."""
    lazy, whole = (scorer.score(*pair) for scorer in scorers)
    for name in NAMES:
        alone, expected = getattr(scorers[0].score(*pair), name), getattr(whole, name)
        assert alone == expected or (isnan(alone) and isnan(expected)), name
    assert lazy == whole
    assert hash(scorers[0].score(*pair)) == hash(whole)
    for shown in (repr, str, float, ScoreBreakdown.to_dict, ScoreBreakdown._repr_html_):
        assert shown(scorers[0].score(*pair)) == shown(whole)
    assert evolve(scorers[0].score(*pair), score=0.0) == evolve(whole, score=0.0)


@pytest.mark.parametrize("preset", [*PRESETS, "meteor-2026-en-core"])
@pytest.mark.parametrize("pair", PAIRS)
def test_flat_segments(preset, pair):
    """A segment is flattened to the same bytes by the kernel, from the fields that it has made, and by Python."""
    lazy, whole = (Scorer(preset, implementation=which).score(*pair) for which in ("compiled", "python"))
    flat = []
    for scored in (whole, lazy, copy.copy(lazy)):
        segments = FlatSegments(WordNumbers())
        assert scored.flatten(segments)
        assert scored.flatten(segments)
        flat.append(asdict(segments))
    assert flat[0] == flat[1] == flat[2]
    assert len(flat[0]["segments"]) == 10
    assert not evolve(whole, alignment=None).flatten(FlatSegments(WordNumbers()))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda scored: pickle.loads(pickle.dumps(scored))])  # noqa: S301
def test_copied_before_it_is_read(scorers, again):
    """A copy of an unread breakdown is complete, and has the same bytes as a copy of one made at once."""
    lazy, whole = (scorer.score(*PAIRS[0]) for scorer in scorers)
    copied = again(lazy)
    assert copied == whole == lazy
    assert copied.origin == whole.origin
    assert pickle.loads(pickle.dumps(copied)) == whole  # noqa: S301


def test_frozen(scorers):
    """Fields cannot be set, whether read or not; other attributes do not exist, as with every object."""
    scored = scorers[0].score(*PAIRS[0])
    for name in NAMES:
        with pytest.raises(AttributeError):
            setattr(scored, name, 0)
    with pytest.raises(AttributeError, match="'ScoreBreakdown' object has no attribute 'scores'") as caught:
        scored.scores  # noqa: B018 – it is the access that fails
    assert (caught.value.name, caught.value.obj) == ("scores", scored)
    with pytest.raises(AttributeError, match="_result"):
        scorers[1].score(*PAIRS[0])._result  # noqa: B018 – a whole one has none


def test_nothing_is_made_lazy(scorers):
    """A loop that reads scores makes no statistics, matches or alignments."""
    scored = list(scorers[0].breakdowns(PAIRS))
    assert all(one.score >= 0 for one in scored)
    for one in scored:
        assert [name for name in NAMES if _is_there(one, name)] == ["score"]


def test_engine_may_change(scorers):
    """Fields read late have the values of their segment, whatever was scored since; the scorer need not live."""
    early, late = (Scorer(scorers[0].config).score(*PAIRS[0]) for _ in range(2))
    whole = scorers[1].score(*PAIRS[0])
    early.alignment  # noqa: B018 – read at once
    gc.collect()
    assert not [one for one in gc.get_referrers(*late._result) if isinstance(one, Scorer)]
    assert early == late == whole


@pytest.mark.parametrize("name", ["alignment", "statistics", "chunking", "penalty", "optimal"])
def test_two_threads_see_the_same(scorers, name):
    """Threads that read a field at once get one and the same object."""
    interval = sys.getswitchinterval()
    for _ in range(10):
        scored, seen, start = scorers[0].score(*PAIRS[0]), [], Barrier(5)

        def read(scored=scored, seen=seen, start=start):
            start.wait(20)
            seen.append(getattr(scored, name))

        threads = [Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            # only now: while threads start, a tool that traces them cannot be interrupted so often
            sys.setswitchinterval(1e-6)
            start.wait(20)
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        assert len(seen) == 4
        if name in NAMES[7:]:
            assert all(one is getattr(scored, name) for one in seen)
        assert all(one == getattr(scored, name) for one in seen)


@pytest.mark.parametrize("reduce", ["max", "min", "mean"])
@pytest.mark.parametrize("implementation", ["compiled", "python"])
def test_many_are_like_one_by_one(reduce, implementation):
    """`Scorer.breakdowns` gives what `score` gives for each, across batches, for several references too."""
    config = evolve(Scorer("meteor-1.5-en-core").config, reduce=reduce)
    scorer = Scorer(config, implementation=implementation)
    pairs = PAIRS * 40
    assert list(scorer.breakdowns(iter(pairs))) == [scorer.score(*pair) for pair in PAIRS] * 40
    assert list(scorer.breakdowns([])) == []


@pytest.mark.parametrize("implementation", ["compiled", "python"])
def test_bad_segments_among_many(implementation):
    """Segments that cannot be scored are refused as by `score`."""
    scorer = Scorer("meteor-1.5-en-core", implementation=implementation)
    for bad, error in (
        (Pair([], "a"), InputMismatch),
        (Pair(["a\0"], "a"), InvalidText),
        (Pair(["a"], 1), TypeError),
        (("a", "b"), TypeError),
        (Pair("a", "b"), TypeError),
    ):
        with pytest.raises(error):
            list(scorer.breakdowns([*PAIRS, bad]))


def _is_there(scored, name):
    """Whether a slot is filled; looked at without filling it."""
    try:
        object.__getattribute__(scored, name)
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("implementation", ["auto", "python"])
def test_lists_that_are_used_again(implementation):
    """Segments are read ahead: what an iterator does with its lists later changes none of them."""
    scorer = Scorer("meteor-1.5-en-core", implementation=implementation)

    def reused():
        references = []
        for number in range(3):
            references[:] = [f"the cat {number} sat"]
            yield Pair(references, f"the cat {number} sat")
            references[:] = [] if number else [None]

    assert scorer.totals(reused()).segment_count == 3
    assert [one.score for one in scorer.breakdowns(reused())] == [scorer.score("a b c d", "a b c d").score] * 3


@pytest.mark.parametrize("second", [[], [None], ["x\0y"], ["a", 7]])
def test_references_that_differ_the_second_time(second):
    """The references that were checked are scored; an iterable that changes gives no other score, and never a crash."""

    class Twice(Sequence):
        """Gives one reference once, and something else ever after."""

        def __init__(self):
            self.passes = 0

        def __iter__(self):
            self.passes += 1
            return iter(["a b"] if self.passes == 1 else second)

        def __len__(self):
            return 1

        def __getitem__(self, index):
            return ["a b"][index]

    scorer = Scorer("meteor-1.5-en-core")
    for score in (scorer.totals, lambda pairs: list(scorer.breakdowns(pairs))):
        with pytest.raises((InputMismatch, InvalidText, TypeError)):
            score([Pair(["y"], "y"), Pair(Twice(), "a b"), Pair(["z"], "z")])


def test_words_of_others_are_let_go():
    """Once its words are read, a breakdown keeps those of no other segment."""
    scorer = Scorer("meteor-1.5-en-core")
    last = list(scorer.breakdowns([Pair([f"zq{number} zr{number}"], f"zq{number}") for number in range(300)]))[-1]
    assert last.alignment.hypothesis == ("zq299",)
    del scorer
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is list and len(one) > 300 and "zq7" in one[:50]]
