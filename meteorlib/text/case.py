"""Case by the rules of Java 17, as in METEOR 1.5, and the text modes that split at blanks and change at most the case.

Lowercasing differs from `str.lower` in two things: letters newer than Unicode 13 stay as they are, and a capital sigma
is final (ς) by Java's definition of a word, in which hyphens, quotes and dots may stand between letters.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar

from attrs import evolve, field, frozen

from meteorlib.core.numbers_and_letters import category, is_alphabetic
from meteorlib.text.token import Token, Tokens, pattern_of, split

LOWERCASE, CAPITALIZED, MIXED_CASE = range(3)
"""Case of a word: lowercase, one capital at its start, or mixed (``NATO``, ``eBay``)."""

# Every capital that Unicode 14 to 17 added stands in a place that Unicode 13 left empty, mostly whole blocks.
_NEWER = "\u1c89\u2c2f\ua7c0\ua7cb-\ua7f4\U00010570-\U000105bf\U00010d50-\U00010d65\U00016ea0-\U00016eb8"
_SPECIAL = f"[Σ{_NEWER}]"
_NEWER_LETTERS = f"([{_NEWER}]+)"

# Class of a character in Java's word boundaries, by category; characters of other categories end a word.
_BREAK_CLASSES = {
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo", "Mc"), "l"),
    **dict.fromkeys(("Nd", "Nl", "No"), "d"),
    **dict.fromkeys(("Mn", "Me"), "i"),  # goes with the letter or digit before it
    "Cf": "f",  # goes with anything before it
    **dict.fromkeys(("Pd", "Pc"), "m"),  # between letters
}
_EXCEPTIONS = {
    **dict.fromkeys("\"'.", "b"),  # between letters and between digits
    **dict.fromkeys(",\u066b", "n"),  # between digits
    **dict.fromkeys("\u00ad\u2027", "m"),
    **dict.fromkeys("\u0964\u0965", "p"),  # at the end of letters
}
# Kana and ideographs; neither has case, so all that counts is that they are no part of a word of letters.
_EAST_ASIAN = "[\u3005\u3041-\u3094\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u4e00-\u9fa5\uf900-\ufa2d]"
_LETTERS = "l[lif]*(?:[mb]f*l[lif]*)*(?:pf*)?"
_DIGITS = "d[dif]*(?:[nb]f*d[dif]*)*"
_WORD = f"(?=[ld])(?:{_LETTERS})?(?:{_DIGITS}{_LETTERS})*(?:{_DIGITS})?|.[if]*"

_CASED_CATEGORIES = frozenset({"Lu", "Ll", "Lt"})
_CASED = "[\u02b0-\u02b8\u02c0\u02c1\u02e0-\u02e4\u0345\u037a\u1d2c-\u1d61\u2160-\u217f]"


def lowercase(text: str) -> str:
    """`text` in lowercase by the rules of Java 17 (``String.toLowerCase(Locale.ENGLISH)``)."""
    if text.isascii() or not pattern_of(_SPECIAL).search(text):
        return text.lower()
    if "Σ" in text:
        text = _lowercase_sigma(text)
    parts = pattern_of(_NEWER_LETTERS).split(text)
    parts[::2] = [part.lower() for part in parts[::2]]
    return "".join(parts)


def _lowercase_sigma(text: str) -> str:
    boundaries = _boundaries(text)
    chars = list(text)
    for match in re.finditer("Σ", text):
        index = match.start()
        chars[index] = "ς" if _ends_word(text, index, boundaries) else "σ"
    return "".join(chars)


def _boundaries(text: str) -> set[int]:
    classes = "".join(map(_break_class, text))
    boundaries = {0, *(word.end() for word in pattern_of(_WORD).finditer(classes))}
    # Java sees a boundary behind every character beyond U+FFFF, but for one that begins the text.
    boundaries.update(index + 1 for index, char in enumerate(text) if char > "\uffff" and index)
    return boundaries


def _break_class(char: str) -> str:
    if char in _EXCEPTIONS:
        return _EXCEPTIONS[char]
    return "o" if pattern_of(_EAST_ASIAN).match(char) else _BREAK_CLASSES.get(category(char), "o")


def _ends_word(text: str, index: int, boundaries: set[int]) -> bool:
    before = index
    while before not in boundaries:
        before -= 1
        if _is_cased(text[before]):
            break
    else:
        return False
    after = index + 1
    while after not in boundaries:
        if _is_cased(text[after]):
            return False
        after += 1
    return True


def _is_cased(char: str) -> bool:
    return category(char) in _CASED_CATEGORIES or pattern_of(_CASED).match(char) is not None


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


@frozen
class PlainText(ABC):
    """Base class of text modes that need no language data; language and prefixes, which all modes take, are ignored."""

    language: str = ""
    prefixes: tuple[frozenset[str], frozenset[str]] = field(default=(frozenset(), frozenset()), repr=False)

    @property
    @abstractmethod
    def lowers(self) -> bool:
        """Whether words are lowercased."""

    @abstractmethod
    def words(self, line: str) -> list[str]:
        """The words of `line`."""

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        return Tokens(self.token, self.lowers, whole=True)

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        return Token((tuple(self.words(text)),))


class Verbatim(PlainText):
    """Text mode ``none``: splits at white space and changes nothing."""

    lowers: ClassVar[bool] = False

    def cased(self) -> Verbatim:
        """This text mode, which never lowercases."""
        return self

    def words(self, line: str) -> list[str]:
        """The words of `line`."""
        return split(line)


class Lowercase(PlainText):
    """Text mode ``lower``: the line is lowercased (by Java's rules), then split at white space."""

    lowers: ClassVar[bool] = True

    def cased(self) -> Verbatim:
        """This text mode without lowercasing."""
        return Verbatim(self.language, self.prefixes)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return split(lowercase(line))

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`. How a capital sigma is lowercased depends on the line."""
        return None if "Σ" in text else super().token(text)


@frozen
class SplitLower(PlainText):
    """Text mode ``split_lower``: `str.split`, then `str.lower` for each word, as users of NLTK do.

    It differs from ``lower`` where Python differs from Java: white space such as U+00A0 or U+2003, a capital sigma
    at the end of a word, letters newer than Unicode 13.
    """

    lowers: bool = True
    """Whether words are lowercased."""

    def cased(self) -> SplitLower:
        """This text mode without lowercasing."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return [word.lower() if self.lowers else word for word in line.split()]


_PUNCTUATION_TO_SPACE = str.maketrans(dict.fromkeys(r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~""", " "))


class SplitLowerWithoutPunctuation(SplitLower):
    """Text mode ``split_lower_nopunct``: ASCII's punctuation becomes blanks, as in jury and NLGMetricverse."""

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return super().words(line.translate(_PUNCTUATION_TO_SPACE))

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        return super().tokens()._replace(whole=False)
