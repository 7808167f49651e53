"""Text as people read it: numbers, rows, JSON, and hidden characters that are shown."""

from __future__ import annotations

import ast
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

import meteorlib
from meteorlib.display.text import JOINERS, amount, digits, harmless, json_text, label_width, listing, shorten, signed


def test_digits():
    """Four digits behind the point, or as many as are asked for; a dash where there is no value."""
    assert (digits(0.12345), digits(1, 2), digits(float("nan"))) == ("0.1235", "1.00", "–")


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "+0.50"), (-0.5, "-0.50"), (0.001, "0.00"), (-0.001, "0.00"), (-10, "-10.00")]
)
def test_signed(value, text):
    """A difference has its sign, unless it rounds to 0."""
    assert signed(value, 2) == text


def test_signed_has_four_digits():
    """By default a difference is as exact as a number."""
    assert signed(0.00005001) == "+0.0001"


def test_amount():
    """Words are counted; weighted ones have two digits behind the point."""
    assert (amount(12345), amount(12345, 10000)) == ("12345", "1.23")


def test_listing():
    """Values are aligned, two spaces after the longest label; no line ends in a space."""
    assert listing([("a", "1"), ("b", "")]) == "a              1\nb"
    assert listing(iter([("x" * 14, "1"), ("b", "2")])) == f"{'x' * 14}  1\nb{' ' * 15}2"
    assert (label_width([]), label_width([("x" * 13, "")]), label_width([("x" * 14, "")])) == (15, 15, 16)


def test_short():
    """A text that is too long ends in an ellipsis, which counts as a letter."""
    assert (shorten("abcde", 5), shorten("abcdef", 5)) == ("abcde", "abcd…")
    assert (shorten("x" * 40), shorten("x" * 41)) == ("x" * 40, "x" * 39 + "…")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_json_has_finite_numbers_only(number):
    """The one writer of JSON refuses what JSON does not have, however deep it lies."""
    assert json_text({"a": [0.1, None, "é"]}) == '{"a": [0.1, null, "é"]}'
    with pytest.raises(ValueError, match="JSON"):
        json_text({"a": [{"b": number}]})


@pytest.mark.thorough
def test_nothing_is_written_as_json_unchecked():
    """Every call of `json.dumps` refuses NaN and infinity, but that for labels of rows, which are text."""
    unchecked = set()
    for path in Path(meteorlib.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"json.dump", "json.dumps"}:
                given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                if given.get("allow_nan") != "False":
                    unchecked.add(path.name)
    assert unchecked == {"cells.py"}


@given(st.text())
def test_nothing_hides(text):
    """No control or direction mark is left, except joiners between letters; visible text stays."""
    shown = harmless(text)
    hidden = {letter for letter in shown if category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert hidden <= set(JOINERS)
    assert shown == shown.strip(JOINERS)
    assert harmless(shown) == shown
    if not any(category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") for letter in text):
        assert shown == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("a\tb\n", r"a\tb\n"),
        ("\u200d", r"\u200d"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("日本　語", "日本　語"),
    ],
)
def test_escapes(text, shown):
    """Escapes are Python's; joiners that join, and wide blanks, stay."""
    assert harmless(text) == shown
