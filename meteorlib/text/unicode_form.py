"""Unicode normalization of text: NFC, no invisible characters, and a blank for every kind of space."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise

from meteorlib.core.numbers_and_letters import NEWER
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

_MOST_MARKS = 30
"""Most combining marks in a row that are put in order, as in Unicode's stream-safe format; no language needs more."""
_MANY_MARKS = r"[^\w\x00-\u02ff]{14}"
"""Characters that can be more than `_MOST_MARKS`: some stand for two, and the letter before them has up to three."""


def unify(text: str) -> str:
    """Normalize a text: compose letters (NFC), remove invisible characters, replace every space by a blank.

    Letters are composed by `compose`.
    """
    if is_unified(text):
        return text
    return compose(pattern_of(_INVISIBLE).sub("", pattern_of(_SPACES).sub(" ", text)))


def compose(text: str) -> str:
    """The text in Unicode's NFC, the same in every version of Python, in time proportional to its length.

    Characters newer than Unicode 13 are left alone, and nothing is composed or reordered across them, nor across the
    ends of 30 combining marks in a row: Unicode's stream-safe format (UAX #15) has U+034F there, for which NFC is the
    same. Here none is inserted, because `unify` removes invisible characters; no text that people write has such runs.
    """
    parts = pattern_of(_NEWER_RUN).split(text)
    parts[::2] = ["".join(unicodedata.normalize("NFC", piece) for piece in _pieces(part)) for part in parts[::2]]
    return "".join(parts)


def _pieces(text: str) -> list[str]:
    """The text cut within long runs of marks, so that no piece has more than `_MOST_MARKS` in a row."""
    if not pattern_of(_MANY_MARKS).search(text):
        return [text]
    decomposed = "".join(unicodedata.normalize("NFD", letter) for letter in text)
    starts, marks = [0], 0
    for place, letter in enumerate(decomposed):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MOST_MARKS:
            starts.append(place)
            marks = 1
    return [decomposed[start:end] for start, end in pairwise([*starts, len(decomposed)])]


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
    """Whether `compose` leaves a text as it is."""
    if pattern_of(_MANY_MARKS).search(text):
        return compose(text) == text
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
