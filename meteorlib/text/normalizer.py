"""The text modes of METEOR 1.5's normalizer, ``norm`` and ``norm_nopunct``: token by token, with a cache of tokens.

Why the words of a line are the words of its tokens, one after the other: no replacement of `LineRules` takes a space
away (some add spaces), the line gets a space at either end, and a token that is normalized as a line of its own gets
the same. So a token has the same neighbors in both cases, a space on either side, and these exceptions are all:

1. A match that takes in the space between two tokens keeps it from the next match of the same pattern. Only ``X,Y``
   and (English, French) ``N'N`` can begin with a space as well as end with one; ``A'N`` and ``DOTMULTI.X`` cannot begin
   with one, ``N'A`` cannot end with one. So where a token ends in a comma and the next one begins with one, or the
   same with marks that become apostrophes, the whole line is normalized. With two spaces, each mark has its own space.
2. A piece that ends in a dot looks at the first character of the next piece: is it a-z, is it 0-9? A letter or digit at
   the start of a token stays there, and no other start becomes one, so that is the first character of the next token
   (white space aside, of which a token can hold any but the space). All answers are prepared in advance.
3. Control characters (the vertical tab among them) vanish at the ends of a line only: the whole line is normalized.

The loops over placeholders run longer if another token needs it, which does not change a token that does not. Words are
lowercased one by one: the only letter whose lowercase depends on its neighbors, the capital sigma, is not a LETTER, so
it has spaces around it.

The same holds for the pieces of a token that `SIGNS` sets apart (brackets, colons): the sign between two pieces is
neither comma nor apostrophe, so it needs no space that another match takes in. Pieces are looked up one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from attrs import field, frozen

from meteorlib import caches
from meteorlib.caches import BoundedCache
from meteorlib.text.rules import ALNUM, LETTER, SIGNS, LineRules
from meteorlib.text.token import (
    DIGIT,
    LOWER,
    NOTHING,
    OTHER,
    WHITE_SPACE,
    Prefixes,
    Token,
    Tokens,
    Words,
    pattern_of,
    split,
)


class Normalizer:
    """Text mode ``norm``: separates punctuation, unifies abbreviations and quotes, and lowercases.

    Instances can be shared between threads and pickled; their bounded caches are not part of the pickle.
    """

    _punctuation: ClassVar[bool] = True

    def __init__(self, language: str, prefixes: Prefixes, *, lowers: bool = True) -> None:
        self._rules = LineRules(language, prefixes, self._punctuation, lowers)
        self._by_token = TokenRules(self._rules)

    @property
    def language(self) -> str:
        """The language of the rules."""
        return self._rules.language

    @property
    def lowers(self) -> bool:
        """Whether words are lowercased."""
        return self._rules.lowers

    @property
    def prefixes(self) -> Prefixes:
        """The abbreviations given."""
        return self._rules.prefixes

    def cased(self) -> Normalizer:
        """This text mode without lowercasing."""
        return type(self)(self.language, self.prefixes, lowers=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, normalized and lowercased."""
        return self._by_token.words(line)

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        rules = self._rules
        abbreviations = rules.prefixes if self._punctuation else None
        return Tokens(self.token, rules.lowers, abbreviations, elides=rules.elision == " '")

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        return self._by_token.token(text)

    def normalize(self, line: str) -> str:
        """The normalized line: words separated by single spaces, case kept."""
        return self._rules.normalize(line)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.language!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), lowers=self.lowers), (self.language, self.prefixes)


class NormalizerWithoutPunctuation(Normalizer):
    """Text mode ``norm_nopunct``: like `Normalizer`, without all signs that are neither letters nor digits."""

    _punctuation: ClassVar[bool] = False


# A follower for each variant: anything else (or the end of the line), a-z, 0-9.
_FOLLOWERS = ("", "a", "0")
_INITIALS = {
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", LOWER),
    **dict.fromkeys("0123456789", DIGIT),
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ\"'(", OTHER),  # as all else, but found at once
}
_MARKS = {",": 1, **dict.fromkeys("'`‘’", 2)}
_new = tuple.__new__  # quicker than Token(...)
_CONTROL = re.compile(r"[\x00-\x08\v\x0e-\x1f]")
# Words joined by hyphens are set apart, unless one in between has a single letter: the pattern for them takes both
# neighbors of a hyphen in.
_SIMPLE = re.compile(f"([{ALNUM}]+(?:-[{ALNUM}]{{2,}})*)([,.]?)( ?)")
_ELIDED = f"([{LETTER}]+)['`‘’]([{LETTER}]+)(,?) ?"


class _NeedsLine(Exception):  # a signal, not an error
    """Raised if the tokens of a line cannot be normalized one by one."""


def _empty() -> BoundedCache[Any]:
    return BoundedCache(caches.TOKENS)


@frozen(eq=False)
class TokenRules:
    """Normalizer of lines, many times faster than `LineRules` on ordinary text; threads may share an instance."""

    rules: LineRules
    # Tokens whose words are the same whatever stands beside them; the last of a line has a space behind it here.
    _independent: BoundedCache[Words] = field(factory=_empty, init=False, repr=False)
    # The others: their words for each of _FOLLOWERS.
    _dependent: BoundedCache[tuple[Words, ...]] = field(factory=_empty, init=False, repr=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, normalized and lowercased."""
        tokens = line.split(" ")
        tokens[-1] += " "
        try:
            return self._join(tokens)
        except _NeedsLine:
            return self.rules.words(line)

    def token(self, token: str) -> Token | None:
        """The words of one token; None if its line must be normalized as a whole."""
        try:
            variants = self._variants(token)
        except _NeedsLine:
            return None
        return _new(Token, (variants, _MARKS.get(token[:1], 0), _MARKS.get(token[-1:], 0), _initial_of(token)))

    def _join(self, tokens: Sequence[str]) -> list[str]:
        words: list[str] = []
        independent = self._independent
        for index, token in enumerate(tokens):
            known = independent.get(token)
            words += self._words_in_context(tokens, index) if known is None else known
        return words

    def _words_in_context(self, tokens: Sequence[str], index: int) -> Words:
        token = tokens[index]
        variants = self._dependent.get(token) or self._learn(token)
        if index and _MARKS.get(token[:1], 0) == _MARKS.get(tokens[index - 1][-1:], -1):
            raise _NeedsLine
        if len(variants) == 1:
            return variants[0]
        return variants[_follower_kind(tokens, index + 1)]

    def _learn(self, token: str) -> tuple[Words, ...]:
        variants = self._variants(token)
        if len(token) <= caches.TOKEN_LENGTH:
            if len(variants) == 1 and token[:1] not in _MARKS:
                self._independent.keep(token, variants[0])
            else:
                self._dependent.keep(token, variants)
        return variants

    def _variants(self, token: str) -> tuple[Words, ...]:
        simple = _SIMPLE.fullmatch(token)
        if simple and "DOTMULTI" not in token:
            return self._simple_variants(*simple.groups())
        elided = pattern_of(_ELIDED).fullmatch(token)
        if elided and self.rules.punctuation and "DOTMULTI" not in token:
            before, behind, mark = elided.groups()
            words = self.rules.lower(f"{before}{self.rules.elision}{behind}").split(" ")
            return ((*words, mark) if mark else tuple(words),)
        if _CONTROL.search(token):
            raise _NeedsLine
        # Only a dot at the end waits for what follows, and nothing follows at the end of the line.
        waits = token.rstrip(WHITE_SPACE).endswith(".") and not token.endswith(" ")
        return tuple(self._normalize(token, _FOLLOWERS if waits else _FOLLOWERS[:1]))

    def _simple_variants(self, core: str, mark: str, end: str) -> tuple[Words, ...]:
        rules = self.rules
        words = (rules.lower(core) if rules.lowers else core).split("-")
        if not mark or not rules.punctuation:
            return (tuple(words),)
        separated = (*words, mark)
        if mark == ",":
            return (separated,)
        always, before_number = rules.prefixes
        last = core.rpartition("-")[2]
        if end and last not in always:
            return (separated,)
        kept = (*words[:-1], words[-1] + mark)
        return (kept,) if last in always else (separated, kept, kept if last in before_number else separated)

    def _normalize(self, token: str, followers: Sequence[str]) -> Iterator[Words]:
        """The words of a token before each of these followers."""
        core = token.rstrip(" ")
        parts = pattern_of(SIGNS.pattern).split(core)
        if len(parts) > 1 and len(core) > 1:
            for follower in followers:
                # without the follower itself
                yield tuple(self._join([*parts, follower + " "])[: -len(follower)] if follower else self._join(parts))
            return
        pieces = self.rules.pieces(token)
        for follower in followers:
            yield tuple(split(self.rules.lower(self.rules.join(pieces, follower))))


def _initial_of(token: str) -> int:
    initial = _INITIALS.get(token[:1])
    if initial is None:
        first = token.lstrip(WHITE_SPACE)[:1]
        initial = _INITIALS.get(first, OTHER) if first else NOTHING
    return initial


def _follower_kind(tokens: Sequence[str], index: int) -> int:
    """Index in _FOLLOWERS of what follows from `index` on."""
    while index < len(tokens):
        initial = _initial_of(tokens[index])
        if initial != NOTHING:
            return initial % OTHER
        index += 1
    return 0
