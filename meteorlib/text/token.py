"""White space and tokens, how a text mode describes them to the compiled engine, and text modes of prepared lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

from attrs import frozen

__all__ = ["Preparation", "Token", "Tokens"]

Words = tuple[str, ...]
Prefixes = tuple[frozenset[str], frozenset[str]]
"""Abbreviations before whose dot no sentence ends: always, and before a number only."""

WHITE_SPACE = " \t\n\r\f"
"""Characters that separate words; the vertical tab, U+00A0 and U+2003 are not among them."""

_WORD = re.compile(f"[^{WHITE_SPACE}]+")

pattern_of: Callable[[str], re.Pattern[str]] = cache(re.compile)
"""The compiled form of a pattern; compiled at its first use, because most runs need few of them."""

NOTHING, LOWER, DIGIT, OTHER = range(4)
"""First character of a token, white space aside."""


def split(text: str) -> list[str]:
    """The words between runs of `WHITE_SPACE`."""
    # str.split() knows more white space, but the only printable one is the space itself.
    return text.split() if text.isprintable() else _WORD.findall(text)


class Token(NamedTuple):
    """The words of a token, and how they depend on its neighbors.

    Attributes:
        variants: its words; or its words before a token that begins with anything else, with a-z, with 0-9.
        begins: number of the mark that it begins with; 0 for none. If a token ends with the mark that the next begins
            with, the line must be read as a whole.
        ends: number of the mark that it ends with; 0 for none.
        initial: kind of its first character: `NOTHING`, `LOWER`, `DIGIT` or `OTHER`.
    """

    variants: tuple[Words, ...]
    begins: int = 0
    ends: int = 0
    initial: int = OTHER


class Preparation(NamedTuple):
    """Change of a line as a whole before its tokens are read, needed only if it has certain tokens.

    Attributes:
        signs: a token without any of these characters is never passed to `is_mark`.
        is_mark: text of a token with such a character → whether it is one of these tokens.
        is_kept: text of a token with characters outside ASCII and METEOR 1.5's letters → whether it can stay as it is;
            if not, its line is prepared.
        prepare: line → the line to be read. A line without such a token must be left as it is.
    """

    signs: str
    is_mark: Callable[[str], object]
    is_kept: Callable[[str], bool]
    prepare: Callable[[str], str]


class Tokens(NamedTuple):
    """Description of the tokens of a text mode, by which the compiled engine reads lines.

    A text mode that gives this promises that the words of a line are those of its tokens, one after the other.

    Attributes:
        read: the text of a token (the last one of a line with a space after it) → its words; None if the line must be
            taken as a whole.
        lowers: a promise that a token of a-z and 0-9, except for a capital A-Z at its start, is one word: itself, in
            lowercase if this is True, as it is if False. None: no such promise.
        abbreviations: with `lowers`, a promise that tokens are taken apart as described below. None: no such promise.
        elides: for `abbreviations`, whether an apostrophe begins a word where it stands between two letters, or between
            a digit and an s, alone in a word without dots, and is a word of its own before the first letter of a word
            or after its last one.
        preparation: change of the whole line before its tokens are read; None: none.
        whole: with `lowers`, a promise that each token of printable ASCII and letters is one word, in lowercase or as
            it is.
        letters: the same of tokens of letters and ASCII's digits.

    With `abbreviations`, tokens are taken apart as METEOR 1.5's normalizer does:

    - Signs of ASCII except ``.,'`-`` are words of their own, and so are two dots or more; two apostrophes (or quotes
      like one) are the word ``"``; all other characters except apostrophes and ASCII's are what `read` makes of them
      alone. Text between them is split in the same way.
    - Words consist of digits of ASCII and METEOR 1.5's letters, with dots between them, and commas between digits. A
      hyphen between two of those separates words; any other one at the start or the end of a word belongs to it.
    - A comma at the end is a word, and so is a dot there, except after such an abbreviation, or before a-z at the start
      of the next token. A word with a letter and dots, one of which ends it, loses all of them.
    """

    read: Callable[[str], Token | None]
    lowers: bool | None = None
    abbreviations: Prefixes | None = None
    elides: bool = False
    preparation: Preparation | None = None
    whole: bool = False
    letters: bool = False


class Preparer(Protocol):
    """Changes lines before they are split into words."""

    def __call__(self, line: str) -> str:
        """The changed line."""

    def preparation(self) -> Preparation:
        """The tests of tokens and lines by which the compiled engine finds lines that change."""


@frozen
class Prepared:
    """A text mode with prefixes: the preparers change a line one after the other, then `text` splits it into words."""

    text: Any
    preparers: tuple[Preparer, ...]

    def prepare(self, line: str) -> str:
        """The line that is split into words."""
        for preparer in self.preparers:
            line = preparer(line)
        return line

    def words(self, line: str) -> Sequence[str]:
        """The words of the prepared line."""
        words: Sequence[str] = self.text.words(self.prepare(line))
        return words

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        described: Tokens = self.text.tokens()
        parts = [preparer.preparation() for preparer in self.preparers]
        if len(parts) == 1:
            return described._replace(preparation=parts[0])
        preparation = Preparation(
            "".join(part.signs for part in parts),
            lambda token: any(part.is_mark(token) for part in parts),
            lambda token: all(part.is_kept(token) for part in parts),
            self.prepare,
        )
        return described._replace(preparation=preparation)

    @property
    def versions(self) -> Any:
        """Versions of the packages that the text mode works with."""
        return getattr(self.text, "versions", None)
