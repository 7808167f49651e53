"""A bounded store of what is known of words, or of longer text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Knowledge = TypeVar("Knowledge")

LIMIT = 1 << 18


class WordCache(dict[str, Knowledge], Generic[Knowledge]):
    """word → what `analyse` says of it, each word analysed once.

    A plain dictionary, so that a known word costs one look-up; emptied when it holds `limit` words.
    """

    def __init__(self, analyse: Callable[[str], Knowledge], limit: int | None = None) -> None:
        super().__init__()
        self.analyse = analyse
        self.limit = LIMIT if limit is None else limit

    def __missing__(self, word: str) -> Knowledge:
        return self.keep(word, self.analyse(word))

    def keep(self, word: str, knowledge: Knowledge) -> Knowledge:
        """Remember what was found elsewhere."""
        if len(self) >= self.limit:
            self.clear()
        self[word] = knowledge
        return knowledge
