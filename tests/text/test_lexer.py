"""The longest-match lexer: precedence, what must follow a token, and text that no rule matches."""

from __future__ import annotations

import pytest

from meteorlib.text.lexer import Lexer, Rule


def tokens(rules, text, end=None):
    """The rule and text of each token; characters that no pattern names are ``x``."""
    lexer = Lexer([rule if isinstance(rule, Rule) else Rule(rule) for rule in rules], lambda _: "x")
    return list(lexer.tokens(text, len(text) if end is None else end))


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        (["ab", "[a-c]+"], "abc", [(1, "abc")]),
        (["ab", "[a-c]+"], "ab", [(0, "ab")]),
        (["a(b|cd)?", "[^a]"], "acdab!", [(0, "acd"), (0, "ab"), (1, "!")]),
        (["a{2,3}", "a"], "aaaaaa a", [(0, "aaa"), (0, "aaa"), (1, "a")]),
        ([r"\.+|[\-\]x]"], "..-]é.", [(0, ".."), (0, "-"), (0, "]"), (0, "é"), (0, ".")]),
        (["ab*c", "a"], "abbb", [(1, "a")]),
    ],
)
def test_longest_match(rules, text, expected):
    """The longest match wins, then the first rule; what no rule matches is left out."""
    assert tokens(rules, text) == expected


def test_what_must_follow():
    """A lookahead counts in the length of a token, and is read again as the beginning of the next token."""
    rules = [Rule("a", "bb"), Rule("ab"), Rule("b")]
    assert tokens(rules, "abb") == [(0, "a"), (2, "b"), (2, "b")]
    assert tokens(rules, "abb", 1) == [(0, "a")]
    assert tokens(rules, "aba") == [(1, "ab")]


def test_a_failed_search_is_not_repeated():
    """A rule that reads to the end and fails does so once: the other tokens are found by it, too."""
    text = "a" * 10_000
    assert tokens(["a+b", "a"], text, 5_000) == [(1, "a")] * 5_000
    assert tokens(["a+b", "a"], f"{text}b") == [(0, f"{text}b")]


@pytest.mark.parametrize("pattern", ["a)", "+", "a|*"])
def test_a_wrong_pattern(pattern):
    """A pattern that cannot be read is an error that shows it."""
    with pytest.raises(ValueError, match="cannot read"):
        tokens([pattern], "a")
