"""The form of text in which equal letters are equal characters: composed, nothing invisible, blanks for spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from meteorlib.core.letters import NEWER

_INVISIBLE = "[\u00ad\u034f\u061c\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
"""Soft hyphens, zero-width spaces, word joiners, byte order marks, marks of direction and the like.

Persian, Indic scripts and emoji need U+200C and U+200D, so these stay.
"""

_SPACES = "[\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000]"
"""White space beyond ASCII, and the zero-width space, at which words of Khmer and Thai end."""

_NEWER_RUN = f"([{NEWER}]+)"
_ASCII = bytes(range(0x80))
_compiled = cache(re.compile)  # when a text needs it: ASCII needs none


def unify(text: str) -> str:
    """`text` in Unicode's composed form (NFC), without invisible characters, every space a blank.

    It is the same on every version of Python.

    Characters newer than Unicode 13 stay, and nothing is composed or put in order across them.
    """
    if is_unified(text):
        return text
    parts = _compiled(_NEWER_RUN).split(_compiled(_INVISIBLE).sub("", _compiled(_SPACES).sub(" ", text)))
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


def is_unified(text: str) -> bool:
    """Whether `unify` leaves a text as it is."""
    return text.isascii() or (is_visible(text) and has_blanks_only(text) and is_composed(text))


def is_visible(text: str) -> bool:
    """Whether a text has no invisible characters."""
    return not _compiled(_INVISIBLE).search(text)


def has_blanks_only(text: str) -> bool:
    """Whether no other spaces than ASCII's separate the words of a text."""
    return not _compiled(_SPACES).search(text)


def is_composed(text: str) -> bool:
    """Whether a text is in composed form."""
    if unicodedata.is_normalized("NFC", text):
        return True
    return all(unicodedata.is_normalized("NFC", part) for part in _compiled(_NEWER_RUN).split(text)[::2])


def suspects(text: bytes) -> list[bytes]:
    """Characters, in UTF-8, without one of which `unify` changes no part of a text."""
    others = text.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return [letter.encode("utf-8", "surrogatepass") for letter in sorted(set(others)) if is_suspect(letter)]


@cache
def is_suspect(letter: str) -> bool:
    """Whether a character is a mark, part of a Korean syllable, or another one once it is unified."""
    return not is_unified(letter) or unicodedata.category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff"
