"""Text of strangers neither acts on a terminal nor hides."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.safe_text import JOINERS, harmless


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
