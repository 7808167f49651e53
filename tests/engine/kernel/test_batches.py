"""Segments that are read together: known text without the GIL, new text in its order."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.engine.build import build_engine
from meteorlib.engine.implementation import load_kernel
from meteorlib.registry import TextPart
from meteorlib.text.token import Token, Tokens

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")


class Asked:
    """A text mode whose words are tokens, and that does something for each token that it is asked for."""

    def __init__(self, asked=lambda _: None):
        self.asked = asked

    def words(self, line):
        return line.split()

    def tokens(self):
        return Tokens(self.token)

    def token(self, text):
        self.asked(text.strip())
        return Token((tuple(text.split()),))


def engine_that_asks(registered, asked=lambda _: None):
    """An engine with that text mode."""
    registered("texts", "asked", TextPart(lambda *_: Asked(asked), tokens=True))
    return build_engine(evolve(load_preset("meteor-1.5-en-core"), text="asked", function_words=None))


def drawn_pairs(seed, count=300):
    """Segments with ever new words."""
    draw = random.Random(seed)

    def line():
        return " ".join(f"w{int(draw.expovariate(0.002))}" for _ in range(draw.randrange(1, 12)))

    return [Pair([line(), line()], line()) for _ in range(count)]


def test_threads_that_learn(registered):
    """Threads that sum up text with one engine, which lets others in whenever it learns, get what one alone gets."""
    pairs = drawn_pairs(1)
    expected = engine_that_asks(registered).totals(pairs)
    shared = engine_that_asks(registered, lambda _: sleep(0))
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(shared.totals, [pairs] * 6)) == [expected] * 6


def test_a_mode_that_scores(registered):
    """A text mode may score with the engine that asks it, whose own batch is then half read."""
    pairs = drawn_pairs(2)
    pairs[150] = Pair(["w1 w2"], "w1 zebra w2")
    plain = engine_that_asks(registered)
    inner = []

    def asked(text):
        if text == "zebra":
            inner.append(engine.totals(pairs[:140]))

    engine = engine_that_asks(registered, asked)
    assert engine.totals(pairs) == plain.totals(pairs)
    assert inner == [plain.totals(pairs[:140])]


def test_the_first_error_counts(registered):
    """If reading fails for several tokens, the error of the first segment is raised, and none of its tokens is kept."""
    fails = True

    def asked(text):
        if fails and text.startswith("bad"):
            raise ValueError(text)

    engine = engine_that_asks(registered, asked)
    known = drawn_pairs(3, 40)
    expected = engine_that_asks(registered).totals([*known, Pair(["bad1 b", "b bad2"], "bad3"), Pair(["bad4"], "c")])
    engine.totals(known)
    engine.references.clear()
    batch = [*known, Pair(["bad1 b", "b bad2"], "bad3"), Pair(["bad4"], "c")]
    for _ in range(2):
        with pytest.raises(ValueError, match="bad1"):
            engine.totals(batch)
        assert not engine.references
    fails = False
    assert engine.totals(batch) == expected


def test_the_table_is_bounded_in_a_batch(registered, lowered):
    """Scores are the same if the table begins anew in the middle of a batch."""
    from meteorlib.engine.kernel import kernel as module

    pairs = drawn_pairs(4, 120)
    expected = engine_that_asks(registered).totals(pairs * 2)
    engine = engine_that_asks(registered)
    for limit in (3, 60, 400):
        emptied = lowered(module, "TOKEN_LIMIT", limit, lambda: engine._kernel.emptied)
        assert engine.totals(pairs * 2) == expected
        assert emptied() > 0


class Text(str):
    """A string of a class of its own."""

    __slots__ = ()


def test_batches_of_other_strings(registered):
    """Strings of other classes, of wide letters and empty ones are read among others."""
    engine = engine_that_asks(registered)
    lines = ["a b", "", "ü b", "б b", "𝒃 b", " ", "a  b "] * 6
    pairs = [Pair([Text(one)], Text(other)) for one, other in zip(lines, lines[3:] + lines[:3], strict=True)]
    plain = [Pair([str(one) for one in pair.references], str(pair.hypothesis)) for pair in pairs]
    for _ in range(2):
        assert engine.totals(pairs) == engine.totals(plain)


class SlowStem:
    """A stem of a user's, whose hash lets other threads in."""

    def __init__(self, text):
        self.text = text

    def __hash__(self):
        sleep(0.01)
        return hash(self.text)

    def __eq__(self, other):
        return isinstance(other, SlowStem) and self.text == other.text


def test_stems_that_let_others_in():
    """Two stems that are numbered at the same time get two numbers."""
    scorer = Scorer("nltk", given={"stem": lambda word: SlowStem(word[:3])}, implementation="compiled")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda word: scorer.score([word], word).score, ["dog", "xylophone"]))
    assert scorer.score(["dogs"], "xylem").score == 0
    assert scorer.score(["dogs"], "dogma").alignment.matches
