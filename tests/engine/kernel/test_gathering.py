"""What the compiled kernel takes without a check is what the checks let pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.core.pair import Pair
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import InvalidText
from meteorlib.text.validation import LONGEST_TEXT, check_text
from tests.examples import examples

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

TEXTS = st.text(st.sampled_from("aé€\0\ud800\udfff\U0001f600"), max_size=6) | st.text()


def gathered(pairs, count=100):
    """What an engine takes of an iterator, and what it has checked."""
    checked = []
    engine = Scorer("nltk").engine
    return engine._kernel.next_pairs(iter(pairs), count, checked.append, 0)[0], checked


def passes(text):
    """Whether the check of a text lets it pass."""
    try:
        check_text(text, "text")
    except (InvalidText, TypeError):
        return False
    return True


@examples(300)
@given(st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_texts_that_are_checked(references, hypothesis):
    """A segment is checked where a text of it would be refused, and only there."""
    pair = Pair(references, hypothesis)
    found, checked = gathered([pair])
    assert found == [pair]
    assert (checked == []) == all(map(passes, [*references, hypothesis]))


class Text(str):
    """A string that may do anything."""

    __slots__ = ()


@pytest.mark.parametrize(
    "pair",
    [
        Pair("a b", "a"), Pair((), "a"), Pair([], "a"), Pair(["a"], None), Pair([1], "a"), (["a"], "a"), ["a"], None,
        Pair(["a"], Text("a")), Pair(["a", None], "a"), Pair(["a"], "a" * (LONGEST_TEXT + 1)), Pair(["a"], b"a"),
    ],
)  # fmt: skip
def test_what_is_no_plain_segment_is_checked(pair):
    """Whatever is no list of strings and a string."""

    class Refused(Exception):
        """What the check says of a segment."""

    def refuse(segment):
        raise Refused(segment)

    plain = Pair(["a"], "a")
    found, error = Scorer("nltk").engine._kernel.next_pairs(iter([plain, pair, plain]), 100, refuse, 0)
    assert found == [plain]
    assert isinstance(error, Refused)
    assert error.args[0] is pair


def test_what_is_taken_is_a_copy():
    """What is checked is a list of its own, also of other sequences."""
    references = ["a", "b"]
    (first, second), checked = gathered([Pair(references, "c"), Pair(("a", Text("b")), "c")])
    assert first == Pair(references, "c")
    assert first[0] is not references
    assert second == Pair(["a", "b"], "c")
    assert checked == [Pair(("a", "b"), "c"), second]


def test_as_many_as_wanted():
    """The rest stays in the iterator; of one that has ended nothing comes."""
    pairs = iter([Pair([str(number)], "a") for number in range(5)])
    sizes = [len(gathered(pairs, 2)[0]) for _ in range(4)]
    assert sizes == [2, 2, 1, 0]
