"""The text modes that change no more than the case: ``none`` and ``lower``."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from meteorlib.text.lowercase import lowercase
from meteorlib.text.splitting import split

_NO_PREFIXES: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())


@frozen
class Verbatim:
    """Text mode ``none``: words are what stands between white space.

    Attributes:
        language: ignored; every text mode is made in the same way.
        prefixes: ignored likewise.
    """

    name: ClassVar[str] = "none"
    language: str = ""
    prefixes: tuple[frozenset[str], frozenset[str]] = field(default=_NO_PREFIXES, repr=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`."""
        return split(line)


@frozen
class Lowercase:
    """Text mode ``lower``: the line is lowercased (by Java's rules), then split at white space.

    Attributes:
        language: ignored; every text mode is made in the same way.
        prefixes: ignored likewise.
    """

    name: ClassVar[str] = "lower"
    language: str = ""
    prefixes: tuple[frozenset[str], frozenset[str]] = field(default=_NO_PREFIXES, repr=False)

    def words(self, line: str) -> list[str]:
        """The lowercase words of `line`."""
        return split(lowercase(line))
