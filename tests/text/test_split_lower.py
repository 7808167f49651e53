"""The text mode of NLTK's users."""

from __future__ import annotations

import pytest

from meteorlib.registry import TEXTS


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
