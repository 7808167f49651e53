"""The compiled kernel takes what Python's checks let pass, and refuses the rest with the same errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.core.segment import Pair
from meteorlib.engine.implementation import load_kernel
from meteorlib.text.validation import LONGEST_TEXT
from tests.examples import examples

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

TEXTS = st.text(st.sampled_from("aé€\0\ud800\udfff\U0001f600"), max_size=6) | st.text()
COMPILED, PYTHON = (Scorer("nltk", implementation=wanted) for wanted in ("compiled", "python"))


def outcome(scorer, pairs):
    """The sums of segments, or the error with its message."""
    try:
        return scorer.totals(pairs)
    except Exception as error:  # noqa: BLE001 – whatever is raised is compared
        return type(error), str(error)


@examples(300)
@given(st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_texts_that_are_refused(references, hypothesis):
    """Any text is scored by both engines or refused by both, with the same error."""
    pairs = [Pair(["a"], "a"), Pair(references, hypothesis)]
    assert outcome(COMPILED, pairs) == outcome(PYTHON, pairs)


class Text(str):
    """A string that may do anything."""

    __slots__ = ()


REFUSED = [
    Pair("a b", "a"), Pair((), "a"), Pair([], "a"), Pair(["a"], None), Pair([1], "a"), ["a"], None,
    Pair(["a", None], "a"), Pair(["a"], "a" * (LONGEST_TEXT + 1)), Pair(["a"], b"a"),
]  # fmt: skip
TAKEN = [Pair(["a"], Text("a")), Pair(("a", Text("b")), "b"), Pair(["a"], "a")]


@pytest.mark.parametrize(("pair", "refused"), [(pair, True) for pair in REFUSED] + [(pair, False) for pair in TAKEN])
def test_what_is_no_plain_segment(pair, refused):
    """A pair other than a list of strings and a string is checked as Python checks it, after the segments before it."""
    plain = Pair(["a"], "a")
    found = outcome(COMPILED, [plain, pair, plain])
    assert found == outcome(PYTHON, [plain, pair, plain])
    assert isinstance(found, tuple) == refused


def test_an_iterator_may_use_its_lists_again():
    """Each segment is copied as it is read."""

    def reused():
        references = ["", ""]
        for number in range(250):
            references[:] = f"a {number}", f"b {number}"
            yield Pair(references, f"b {number}")

    fresh = [Pair([f"a {number}", f"b {number}"], f"b {number}") for number in range(250)]
    assert COMPILED.totals(reused()) == COMPILED.totals(fresh) == PYTHON.totals(fresh)


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 200, 201])
def test_streams_of_any_length(size):
    """Every segment of an iterator is scored once and in order, whether or not it fills a batch."""
    pairs = [Pair([f"a {number}"], f"a {number}") for number in range(size)]
    found = [scored.alignment.hypothesis[1] for scored in COMPILED.breakdowns(iter(pairs))]
    assert found == [str(number) for number in range(size)]
