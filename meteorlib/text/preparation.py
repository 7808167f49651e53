"""Text modes whose lines are prepared first: cleaned, unescaped or folded, as the prefixes of their names say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from meteorlib.text.token import Preparation, Tokens


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
