"""Token: what stands between two spaces of a line, and what becomes of it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Token"]

Words = tuple[str, ...]

NOTHING, LOWER, DIGIT, OTHER = range(4)
"""What a token begins with, white space apart."""


class Token(NamedTuple):
    """The words of a token, and all that its neighbors must know of it.

    A text mode that has a method ``token`` promises that the words of a line are those of its tokens, one after the
    other. It gets a token as text, the last one of a line with a space behind it, and returns None where the line must
    be taken as a whole. If it has an attribute ``lowers``, a token of a-z and 0-9, but for a capital A-Z at its start,
    is one word: itself, in lowercase where that is true.

    If it also has an attribute ``abbreviations`` that is not None (words behind which a dot stays: always, and before a
    number only), its tokens are taken apart as METEOR 1.5's normalizer does:

    - Signs of ASCII but ``.,'`-`` are words of their own, and so are two dots or more; two apostrophes (or quotes like
      one) are the word ``"``; all other characters but apostrophes and ASCII's are what ``token`` makes of them alone.
      What stands between them is taken apart likewise.
    - Words are of digits of ASCII and METEOR 1.5's letters, with dots between them, and commas between digits. A hyphen
      between two of those parts words; another one at the start or the end of a word belongs to it.
    - A comma at the end is a word, and so is a dot there, but behind such an abbreviation, or before a-z at the start
      of the next token. A word with a letter and dots, one of which ends it, loses all of them.
    - If its attribute ``elision`` is a space and an apostrophe, these begin a word where they stand between two
      letters, or between a digit and an s, alone in a word without dots; an apostrophe before the first letter of a
      word, or behind the last one, is a word of its own.

    Attributes:
        variants: its words; or its words before a token that begins with anything else, with a-z, with 0-9.
        begins: a number for the mark that it begins with; 0 for none. Where one token ends with the mark that the next
            begins with, the line must be taken as a whole.
        ends: the same for its end.
        initial: what it begins with.
    """

    variants: tuple[Words, ...]
    begins: int = 0
    ends: int = 0
    initial: int = OTHER
