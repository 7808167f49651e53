"""Unicode normalization of text: NFC, no invisible characters, and a blank for every kind of space."""

from __future__ import annotations

import unicodedata
from functools import cache

from meteorlib.core.letters import NEWER
from meteorlib.text.rules import pattern_of

_HIDDEN_SPACES = "\u0085\u1680\u200b\u2028\u2029"
"""Spaces that hardly any text mode splits at. Words of Khmer and Thai end at U+200B."""

_INVISIBLE = f"[{_HIDDEN_SPACES}\u00ad\u034f\u061c\u180b-\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
"""Hidden spaces, soft hyphens, word joiners, byte order marks, marks of direction and the like.

Persian, Indic scripts and emoji need U+200C and U+200D, so these stay.
"""

_OTHER_SPACES = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"
_SPACES = f"{_OTHER_SPACES}|[{_HIDDEN_SPACES}]"

_NEWER_RUN = f"([{NEWER}]+)"
_ASCII = bytes(range(0x80))


def unify(text: str) -> str:
    """Normalize a text: compose letters (NFC), remove invisible characters, replace every space by a blank.

    The result is the same in every version of Python: characters newer than Unicode 13 are left alone, and nothing is
    composed or reordered across them.
    """
    if is_unified(text):
        return text
    parts = pattern_of(_NEWER_RUN).split(pattern_of(_INVISIBLE).sub("", pattern_of(_SPACES).sub(" ", text)))
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


def is_unified(text: str) -> bool:
    """Whether `unify` leaves a text as it is."""
    return text.isascii() or (is_visible(text) and has_blanks_only(text) and is_composed(text))


def is_visible(text: str) -> bool:
    """Whether a text has no invisible characters."""
    return not pattern_of(_INVISIBLE).search(text)


def has_blanks_only(text: str) -> bool:
    """Whether a text has no no-break, ideographic or other wide or narrow spaces."""
    return not pattern_of(_OTHER_SPACES).search(text)


def is_composed(text: str) -> bool:
    """Whether a text is in composed form."""
    if unicodedata.is_normalized("NFC", text):
        return True
    return all(unicodedata.is_normalized("NFC", part) for part in pattern_of(_NEWER_RUN).split(text)[::2])


def suspects(text: bytes) -> list[bytes]:
    """The characters of a text, in UTF-8, that `unify` could change; without any, it changes nothing."""
    others = text.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return [letter.encode("utf-8", "surrogatepass") for letter in sorted(set(others)) if is_suspect(letter)]


@cache
def is_suspect(letter: str) -> bool:
    """Whether `unify` changes this character, or could compose it with the one before."""
    return not is_unified(letter) or unicodedata.category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff"
