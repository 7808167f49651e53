"""The case of words, as a number beside their lowercase form."""

from __future__ import annotations

from meteorlib.core.letters import is_alphabetic
from meteorlib.text.lowercase import lowercase

LOWERCASE, CAPITALIZED, MIXED_CASE = range(3)
"""Case of a word: lowercase, one capital at its start, or mixed (``NATO``, ``eBay``)."""


def split_case(word: str) -> tuple[str, int]:
    """A word in lowercase, and its case."""
    small = lowercase(word)
    if small == word:
        return small, LOWERCASE
    return small, CAPITALIZED if word[1:] == small[1:] else MIXED_CASE


def begins_with_capital(word: str) -> bool:
    """Whether the first letter of a word is a capital."""
    letter = next(filter(is_alphabetic, word), "")
    return lowercase(letter) != letter
