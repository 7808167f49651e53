"""What the text modes have in common whose words a tokenizer of another package finds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from threading import Lock
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from meteorlib import extras

Tokenize = Callable[[str], Iterable[str]]


@frozen
class ExternalTokenizer(ABC):
    """A text mode whose words are a tokenizer's, put into small letters afterwards.

    So the tokenizer sees the text as it stands. What it leaves around or within a token as white space ends a word; it
    is never a word itself. A process has one tokenizer of a kind, which threads take turns with.

    Attributes:
        language: ignored; every text mode is made in the same way.
        prefixes: ignored likewise.
        lowers: False leaves the case of words as it is.
        versions: the packages that decide on the words, with their versions.
    """

    extra: ClassVar[str]
    """The extra of meteorlib that installs the packages."""
    packages: ClassVar[tuple[str, ...]]
    """By their names on PyPI."""

    language: str = ""
    prefixes: tuple[frozenset[str], frozenset[str]] = field(default=(frozenset(), frozenset()), repr=False)
    lowers: bool = True
    versions: Mapping[str, str] = field(init=False, hash=False)
    _tokenize: Tokenize = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_tokenize", _locked_tokenizer(type(self)))
        object.__setattr__(self, "versions", self.find_versions())

    @classmethod
    @abstractmethod
    def tokenizer(cls) -> Tokenize:
        """Make the tokenizer: a line → its tokens.

        Raises:
            ExtraMissing: a package is not installed.
        """

    @classmethod
    def find_versions(cls) -> Mapping[str, str]:
        """What decides on the words."""
        return extras.versions(cls.packages, cls.extra)

    def cased(self) -> Self:
        """The same, with the case of its words as it stands."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, in small letters."""
        tokens = self._tokenize(line)
        return [word for token in tokens for word in (token.lower() if self.lowers else token).split()]


@cache
def _locked_tokenizer(mode: type[ExternalTokenizer]) -> Tokenize:
    tokenize, lock = mode.tokenizer(), Lock()

    def locked_tokenize(line: str) -> list[str]:
        with lock:
            return list(tokenize(line))

    return locked_tokenize
