"""The text modes none, lower and split_lower, and where lines are split."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.registry import TEXTS
from meteorlib.text.plain import Lowercase, Verbatim
from meteorlib.text.token import WHITE_SPACE, split

NO_PREFIXES = (frozenset(), frozenset())


def test_verbatim_keeps_words():
    """Mode none splits and changes nothing."""
    assert Verbatim("xx", NO_PREFIXES).words("  The U.S., Σ \t end.") == ["The", "U.S.,", "Σ", "end."]


def test_lowercase_lowers_the_line():
    """Mode lower lowercases the whole line by Java's rules, then splits."""
    assert Lowercase("el", NO_PREFIXES).words("The U.S., Σ-Σ. \t End.") == ["the", "u.s.,", "σ-ς.", "end."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n\r\f", []),
        ("a b\tc\nd\re\ff", ["a", "b", "c", "d", "e", "f"]),
        ("a\vb \x1cc\x1f", ["a\vb", "\x1cc\x1f"]),
        ("a\u00a0b\u2003c\u2028d\x85e\u3000f", ["a\u00a0b\u2003c\u2028d\x85e\u3000f"]),
        ("\ufeffa", ["\ufeffa"]),
    ],
)
def test_split(text, words):
    """Only space, tab, LF, CR and FF separate words."""
    assert split(text) == words


@given(st.text(st.sampled_from("ab É中 \t\n\r\f\v\x1c\x85\u00a0\u2028\u3000\u200b")) | st.text())
def test_split_is_what_stands_between(text):
    """Words hold no white space, are not empty, and with the white space left out they are the text."""
    words = split(text)
    assert all(words)
    assert "".join(words) == "".join(char for char in text if char not in WHITE_SPACE)
    assert not any(char in word for word in words for char in WHITE_SPACE)


@pytest.mark.parametrize(("name", "kind"), [("none", Verbatim), ("lower", Lowercase)])
def test_names_and_pickles(name, kind):
    """The registry's names are the classes' names; a pickle is an equal instance."""
    text = TEXTS.get(name)("en", NO_PREFIXES)
    assert (type(text), text.name) == (kind, name)
    assert pickle.loads(pickle.dumps(text)) == text  # noqa: S301 - made here


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The cat\u00a0sat \u2003 down.", ["the", "cat", "sat", "down."]),
        ("ΑΣ Σ ΑΣ-Β", ["ας", "σ", "ας-β"]),
        ("", []),
        (" \t\v\x1c ", []),
    ],
)
def test_split_lower(line, words):
    """Words are those of `str.split`, each in lowercase by Python's rules."""
    assert TEXTS.get("split_lower")("en", (frozenset(), frozenset())).words(line) == words


def test_a_sigma_needs_its_line():
    """The lowercase of a capital sigma depends on the line, so that no token with one is read alone."""
    assert Lowercase("el", NO_PREFIXES).token("ΑΣ") is None
    assert Verbatim("el", NO_PREFIXES).token("ΑΣ").variants == (("ΑΣ",),)
