"""The form of text in which equal letters are equal characters: composed, and without invisible characters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from meteorlib.core.letters import NEWER

_INVISIBLE = "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]"
"""Soft hyphens, zero-width spaces, word joiners, invisible operators, marks of direction.

Persian, Indic scripts and emoji need joiners, so they stay. The byte order mark has a note of its own.
"""

_NEWER_RUN = f"([{NEWER}]+)"
_ASCII = bytes(range(0x80))
_compiled = cache(re.compile)  # when a text needs it: ASCII needs none


def unify(text: str) -> str:
    """`text` in Unicode's composed form (NFC), without invisible characters; the same on every version of Python.

    Characters newer than Unicode 13 stay, and nothing is composed or put in order across them.
    """
    if is_unified(text):
        return text
    parts = _compiled(_NEWER_RUN).split(_compiled(_INVISIBLE).sub("", text))
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


def is_unified(text: str) -> bool:
    """Whether `unify` leaves a text as it is."""
    return text.isascii() or (is_visible(text) and is_composed(text))


def is_visible(text: str) -> bool:
    """Whether a text has no invisible characters."""
    return not _compiled(_INVISIBLE).search(text)


def is_composed(text: str) -> bool:
    """Whether a text is in composed form."""
    if unicodedata.is_normalized("NFC", text):
        return True
    return all(unicodedata.is_normalized("NFC", part) for part in _compiled(_NEWER_RUN).split(text)[::2])


def suspects(text: bytes) -> tuple[list[bytes], list[bytes]]:
    """Characters, in UTF-8, without one of which no part of a text is decomposed, and the invisible ones."""
    letters = sorted(filter(is_suspect, set(text.translate(None, _ASCII).decode("utf-8", "surrogatepass"))))
    marks, invisible = (
        [letter.encode("utf-8", "surrogatepass") for letter in letters if is_visible(letter) == visible]
        for visible in (True, False)
    )
    return marks, invisible


@cache
def is_suspect(letter: str) -> bool:
    """Whether a character is invisible, a mark, part of a Korean syllable, or another one once it is composed."""
    return not is_unified(letter) or unicodedata.category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff"
