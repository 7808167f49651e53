"""Cells of a terminal: hostile text is shown, wide text counted, long text cut without a loss; tables fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.display.terminal import (
    WIDTH,
    align_columns,
    clusters,
    cut,
    fit_columns,
    notes_block,
    pad,
    visible_text,
    width,
    wrap_line,
)
from meteorlib.display.text import is_hidden


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


@st.composite
def grids(draw):
    """Rows whose cells tell their row and column; first cells may be wider than a line."""
    columns = draw(st.integers(1, 12))
    fillings = st.lists(st.integers(0, 16), min_size=columns, max_size=columns)
    return [
        [
            "x" * draw(st.integers(1, 100)),
            *(f"{row}.{column}{'0' * more}" for column, more in enumerate(draw(fillings))),
        ]
        for row in range(draw(st.integers(1, 5)))
    ]


@given(grids())
def test_fitted(rows):
    """No line exceeds the width of a terminal unless its first cell does; every cell is complete and in order."""
    drawn = fit_columns(rows)
    labels = [label for label, *_ in rows]
    assert all(len(line) <= WIDTH or line in labels for line in drawn.splitlines())
    for place, (_, *cells) in enumerate(rows):
        assert [word for word in drawn.split() if word.startswith(f"{place}.")] == cells
    for table in drawn.split("\n\n"):
        assert [word for word in table.split() if word.startswith("x")] == labels


def test_narrow_grid():
    """A table that fits is one table, as `align_columns` draws it."""
    rows = [["system", "score", "rank"], ["a", "0.5", "1"], ["longer", "0.25", "2"]]
    assert fit_columns(rows) == align_columns(rows) == "system  score  rank\na         0.5     1\nlonger   0.25     2"


def test_long_label():
    """A first cell without room beside the others has a line of its own; the others do not move."""
    long = "n" * 70
    rows = [["system", "score", "interval"], ["a", "0.5", "[0.4, 0.6]"], [long, "0.25", "[0.2, 0.3]"]]
    assert fit_columns(rows).splitlines() == [
        "system  score    interval",
        "a         0.5  [0.4, 0.6]",
        long,
        "         0.25  [0.2, 0.3]",
    ]


def test_too_many_columns():
    """Columns that do not fit are below, with the first column repeated."""
    rows = [["segment", *(f"system-{letter}.en" for letter in "abcde")], ["1", *["0.5000"] * 5]]
    first, second = fit_columns(rows).split("\n\n")
    assert first.splitlines()[0].split() == ["segment", *(f"system-{letter}.en" for letter in "abcd")]
    assert second.splitlines() == ["segment  system-e.en", "1             0.5000"]


def test_notes_beside_a_long_label():
    """Sentences keep half the width however long a label is; no word is lost."""
    lines = notes_block([("p", "two words " * 9)], [("m" * 100, "preset:x")]).splitlines()
    assert " ".join(lines).split() == ["p", *["two", "words"] * 9, "m" * 100, "preset:x"]
    assert {line.index("two") for line in lines[:-1]} == {102}


def test_wide_letters():
    """Columns stay aligned below names in letters that are two cells wide."""
    assert (
        align_columns([["system", "score"], ["翻訳", "0.5"], ["a", "0.25"]])
        == "system  score\n翻訳      0.5\na        0.25"
    )


def test_columns_that_just_fit():
    """Columns that fill a line to its last character stay in one table."""
    rows = [["system", "x" * 29, "y" * 29], ["a" * 18, "0", "1"]]
    assert fit_columns(rows) == align_columns(rows)
    assert max(map(len, fit_columns(rows).splitlines())) == WIDTH
    assert "\n\n" in fit_columns([["system", "x" * 29, "y" * 30], ["a" * 18, "0", "1"]])
