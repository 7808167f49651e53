"""The text modes of pycocoevalcap's tokenizer: ``ptb``, and ``ptb_norm``, which METEOR's normalizer goes on with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, ClassVar

from attrs import field, frozen

from meteorlib import caches
from meteorlib.caches import BoundedCache
from meteorlib.core.numbers_and_letters import from_java_units, java_units
from meteorlib.text.case import PlainText, lowercase
from meteorlib.text.lexer import Lexer
from meteorlib.text.normalizer import Normalizer
from meteorlib.text.ptb_rules import BEFORE_NUMBERS, BREAKS, END, RULES, STARTERS, class_of
from meteorlib.text.token import Prefixes, Token, Tokens

PUNCTUATION = frozenset(
    ("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";")
)
"""Tokens that pycocoevalcap drops. The program writes brackets in lowercase, so they stay."""

NEXT_LINE = "\nzz"
"""Text that stands for the next line of a file, which the program looks at: one that begins in lowercase."""

_BREAK = re.compile(f"[{BREAKS}]")
_NUMBER, _DOT, _STARTER = range(1, 4)
"""Marks of tokens: where one ends with the mark that the next one begins with, a rule may join or change them."""

_ENDS = (
    (_NUMBER, re.compile(rf"(?:\d\)?|(?i:{BEFORE_NUMBERS})\.)\Z")),
    (_STARTER, re.compile(r"(?<![A-Za-z0-9])[A-Za-z]\.\Z")),
    (_DOT, re.compile(r"\.\Z")),
)
_BEGINS = ((_NUMBER, re.compile(r"\d")), (_DOT, re.compile(r"\.")), (_STARTER, re.compile(rf"(?:{STARTERS})?\Z")))
_NEEDS_LINE = re.compile(r"[\s\x1c-\x1f\x85]|<[A-Za-z/!?]")
"""A token with white space other than a blank, or with the beginning of a tag, which may have blanks in it."""

_lexer = cache(lambda: Lexer(RULES, class_of))


def ptb_tokens(text: str, following: str = NEXT_LINE) -> Iterator[str]:
    """The tokens of a line without line breaks, before punctuation is dropped.

    `following` is what follows it in its file, from the line break on; `END` where nothing does.
    """
    units = java_units(text)  # in which lengths are counted
    for rule, token in _lexer().tokens(units + following, len(units)):
        for written in RULES[rule].write(token).split(" "):
            if written:
                yield lowercase(written if len(units) == len(text) else from_java_units(written, "replace"))


def without_punctuation(tokens: Iterator[str]) -> list[str]:
    """The tokens that pycocoevalcap keeps."""
    return [token for token in tokens if token not in PUNCTUATION]


@frozen(eq=False)
class PTB(PlainText):
    """Text mode ``ptb``: the tokens that pycocoevalcap makes of a caption with Stanford's PTBTokenizer 3.4.1.

    A line is read by itself, as if a line that begins in lowercase followed it; line breaks in it are blanks. Threads
    may share an instance.
    """

    lowers: ClassVar[bool] = True
    _known: BoundedCache[Token] = field(factory=lambda: BoundedCache(caches.TOKENS), init=False, repr=False)

    def words(self, line: str) -> list[str]:
        """The tokens of `line`, in lowercase and without punctuation."""
        words = self._known_words(line)
        return without_punctuation(ptb_tokens(_BREAK.sub(" ", line))) if words is None else words

    def _known_words(self, line: str, *, alone: bool = True) -> list[str] | None:
        """The words of a line, token by token; None if it must be read as a whole, or with the next one (`alone`)."""
        words: list[str] = []
        before = 0
        known = self._known
        for text in line.split(" "):
            token = known.get(text) or self._learn(text)
            if token is None or (token.begins and token.begins == before):
                return None
            words += token.variants[0]
            before = token.ends
        return words if alone or before in (0, _DOT) else None

    def file_words(self, lines: Sequence[str]) -> Iterator[list[str]]:
        """The words of each line of a file, which depend on the line after it as well."""
        lines = [_BREAK.sub(" ", line.replace(END, " ")) for line in lines]
        for number, line in enumerate(lines, 1):
            words = None if number == len(lines) else self._known_words(line, alone=False)
            if words is None:
                words = without_punctuation(ptb_tokens(line, _following(lines, number)))
            yield words

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        return Tokens(self.token)

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        text = text.rstrip(" ")
        if _NEEDS_LINE.search(text):
            return None
        words = tuple(without_punctuation(ptb_tokens(text)))
        ends = next((mark for mark, pattern in _ENDS if pattern.search(text)), 0)
        begins = next((mark for mark, pattern in _BEGINS if pattern.match(text)), 0)
        return Token((words,), begins, ends)

    def _learn(self, text: str) -> Token | None:
        token = self.token(text) if len(text) <= caches.TOKEN_LENGTH else None
        return token if token is None else self._known.keep(text, token)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.language, self.prefixes)


class PTBNorm:
    """Text mode ``ptb_norm``: what METEOR 1.5's normalizer makes of `PTB`'s tokens, as pycocoevalcap calls both."""

    lowers: ClassVar[bool] = True

    def __init__(self, language: str, prefixes: Prefixes) -> None:
        self._ptb, self._normalizer = PTB(), Normalizer(language, prefixes)
        self.language = language

    @property
    def prefixes(self) -> Prefixes:
        """The abbreviations given."""
        return self._normalizer.prefixes

    def words(self, line: str) -> list[str]:
        """The words of `line`."""
        return self._normalizer.words(" ".join(self._ptb.words(line)))

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        return Tokens(self.token)

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        token = self._ptb.token(text)
        if token is None:
            return None
        last = " " if text.endswith(" ") else ""
        normalized = self._normalizer.token(" ".join(token.variants[0]) + last)
        if normalized is None or normalized.ends:  # the normalizer's marks are others
            return None
        return token._replace(variants=normalized.variants, initial=normalized.initial)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.language, self.prefixes)


def _following(lines: Sequence[str], number: int) -> str:
    """Text behind the first lines of a file: up to the next line that is not blank, and whether there is another."""
    last = next((index for index in range(number, len(lines)) if lines[index].strip(" ")), len(lines) - 1)
    if number == len(lines):
        return END
    return "\n" + "\n".join(lines[number : last + 1]) + ("\n" if last + 1 < len(lines) else END)
