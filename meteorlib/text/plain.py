"""The text modes ``none``, ``lower`` and ``split_lower``, which split at white space and change at most the case."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from attrs import evolve, field, frozen

from meteorlib.text.case import lowercase
from meteorlib.text.token import Token, Tokens, split


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
        return Tokens(self.token, self.lowers)

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        return Token((tuple(self.words(text)),))


@frozen
class Verbatim(PlainText):
    """Text mode ``none``: splits at white space and changes nothing."""

    name: ClassVar[str] = "none"
    lowers: ClassVar[bool] = False

    def cased(self) -> Verbatim:
        """This text mode, which never lowercases."""
        return self

    def words(self, line: str) -> list[str]:
        """The words of `line`."""
        return split(line)


@frozen
class Lowercase(PlainText):
    """Text mode ``lower``: the line is lowercased (by Java's rules), then split at white space."""

    name: ClassVar[str] = "lower"
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

    name: ClassVar[str] = "split_lower"
    lowers: bool = True
    """Whether words are lowercased."""

    def cased(self) -> SplitLower:
        """This text mode without lowercasing."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return [word.lower() if self.lowers else word for word in line.split()]
