"""Cells of a terminal: hostile text is shown, wide text counted, long text cut without a loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.safe_text import is_hidden
from meteorlib.explanation.cells import clusters, cut, pad, visible_text, width, wrap_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 日本 é", "plain 日本 é"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b2J\x07", "\\x9b2J\\x07"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\u2028", "\\u2028"),
        ("👩‍👧", "👩‍👧"),
        ("می‌خواهم", "می‌خواهم"),
        ("\u200d", "\\u200d"),
        ("a\u200c", "a\\u200c"),
        ("\u0301", "◌\u0301"),
    ],
)
def test_visible(text, shown):
    """Controls, marks of direction and hidden letters are written as escapes; joiners stay where they join."""
    assert visible_text(text) == shown


@given(st.text())
def test_nothing_hidden_is_left(text):
    """No character that a terminal would act on is left in any text."""
    assert not any(is_hidden(letter) for letter in visible_text(text))


@given(st.text(st.sampled_from("ab日👩\u200d👧🏽e\u0301🇩🇪❤\ufe0fש ")))
def test_clusters(text):
    """Letters and their marks are kept together, and nothing is lost."""
    assert "".join(clusters(text)) == text
    assert list(clusters("👩\u200d👧e\u0301🇩🇪🇫🇷👍🏽❤\ufe0f")) == [
        "👩\u200d👧",
        "e\u0301",
        "🇩🇪",
        "🇫🇷",
        "👍🏽",
        "❤\ufe0f",
    ]


@given(st.text(st.sampled_from("ab日e\u0301ש")), st.integers(4, 20))
def test_cut(text, cells):
    """Pieces fit, and are the text when they are put together."""
    pieces = cut(text, cells)
    assert all(width(piece) <= cells for piece in pieces)
    assert "".join(piece.removesuffix("…") for piece in pieces) == text


@given(st.lists(st.text("ab日", min_size=1, max_size=30), min_size=1), st.integers(12, 60))
def test_wrapped(words, cells):
    """Lines fit, and have all words in order."""
    lines = wrap_line("  " + " ".join(words), cells, 4)
    assert all(width(line) <= cells for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])
    assert "".join("".join(lines).split()).replace("…", "") == "".join(words)


def test_filled():
    """Text is padded to its cells; right-to-left text is kept in its place by a mark."""
    assert pad("日", 4) == "日  "
    assert pad("שלום", 6) == "שלום\u200e  "
