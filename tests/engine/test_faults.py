"""Both engines report the same one of several errors."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from attrs import evolve

from meteorlib import Pair, Scorer
from meteorlib.engine.implementation import load_kernel
from meteorlib.text.validation import LONGEST_TEXT

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

BAD = ["a\0b", "x \ud800", 7, b"a", None, "a" * (LONGEST_TEXT + 1), "a badone", "a badtwo"]
TEXTS = ["the cat", *BAD]
REFERENCES = [[], (), "a b", None, 3, *([text] for text in TEXTS), *([*texts] for texts in product(TEXTS, TEXTS))]
SEGMENTS = [
    Pair(["the cat"], "the cat"), Pair([], "x\0"), Pair(("the cat", "x\0"), 7), Pair(["a badone"], "a badtwo"),
    Pair(["the cat"], "a badtwo"), Pair("a b", None), Pair(None, "a"), Pair([None], "x \ud800"), ("a", "b"), None,
]  # fmt: skip


class NoStem(Exception):
    """Error of a stemmer, which turns up only when words are read."""


def stem(word):
    """Fail for some words."""
    if word.startswith("bad"):
        raise NoStem(word)
    return word


@cache
def scorers(reduce):
    """A scorer for each engine."""
    config = evolve(Scorer("nltk").config, reduce=reduce)
    return [Scorer(config, given={"stem": stem}, implementation=which) for which in ("python", "compiled")]


def outcome(work):
    """The result of some work, or the kind and the message of its error."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 – any that an engine raises
        return type(error), str(error)


def one_by_one(scorer, segments):
    """The breakdowns of all segments, or the first fault."""
    return outcome(lambda: list(scorer.breakdowns(segments)))


@pytest.mark.parametrize("reduce", ["max", "mean"])
def test_faults_of_a_segment(reduce):
    """Each pair of faults in references and hypothesis gives the same error in both engines."""
    for references, hypothesis in product(REFERENCES, TEXTS):
        pair = Pair(references, hypothesis)
        for way in (
            lambda scorer, pair=pair: outcome(lambda: scorer.score(*pair)),
            lambda scorer, pair=pair: outcome(lambda: scorer.totals([pair])),
            lambda scorer, pair=pair: one_by_one(scorer, [pair]),
        ):
            expected, found = map(way, scorers(reduce))
            assert found == expected, pair


@pytest.mark.parametrize("reduce", ["max", "mean"])
def test_faults_of_two_segments(reduce):
    """The first bad segment is reported, also if the second is refused before anything is read."""
    for segments in product(SEGMENTS, SEGMENTS):
        for way in (
            lambda scorer, segments=segments: outcome(lambda: scorer.totals(segments)),
            lambda scorer, segments=segments: outcome(lambda: scorer.totals(segments, [])),
            lambda scorer, segments=segments: one_by_one(scorer, segments),
        ):
            expected, found = map(way, scorers(reduce))
            assert found == expected, segments
