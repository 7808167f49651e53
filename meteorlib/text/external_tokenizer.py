"""Base class of text modes that use a tokenizer of another package."""

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
    """Base class of text modes whose words come from another package's tokenizer and are lowercased afterwards.

    The tokenizer sees the text unchanged. White space around or within a token separates words and is never a word
    itself. Each process has one tokenizer of a kind, which threads use in turn.

    Attributes:
        language: ignored; all text modes take the same arguments.
        prefixes: ignored.
        lowers: whether words are lowercased.
        versions: the packages that determine the words, with their versions.
    """

    extra: ClassVar[str]
    """The extra of meteorlib that installs the packages."""
    packages: ClassVar[tuple[str, ...]]
    """Names of the packages on PyPI."""

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
        """Create the tokenizer, a function from a line to its tokens.

        Raises:
            ExtraMissing: a package is not installed.
        """

    @classmethod
    def find_versions(cls) -> Mapping[str, str]:
        """Versions of everything that determines the words."""
        return extras.installed_versions(cls.packages, cls.extra)

    def cased(self) -> Self:
        """This text mode without lowercasing."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, lowercased unless `lowers` is False."""
        tokens = self._tokenize(line)
        return [word for token in tokens for word in (token.lower() if self.lowers else token).split()]


@cache
def _locked_tokenizer(mode: type[ExternalTokenizer]) -> Tokenize:
    with extras.offline():
        tokenize, lock = mode.tokenizer(), Lock()

    def locked_tokenize(line: str) -> list[str]:
        with lock:
            return list(tokenize(line))

    return locked_tokenize
