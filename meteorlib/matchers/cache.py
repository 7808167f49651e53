"""A bounded store of what is known of words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Knowledge = TypeVar("Knowledge")

LIMIT = 1 << 18


class WordCache(dict[str, Knowledge], Generic[Knowledge]):
    """word → what `analyse` says of it, each word analysed once.

    A plain dictionary, so that a known word costs one look-up; emptied when it holds `LIMIT` words.
    """

    def __init__(self, analyse: Callable[[str], Knowledge]) -> None:
        super().__init__()
        self.analyse = analyse

    def __missing__(self, word: str) -> Knowledge:
        if len(self) >= LIMIT:
            self.clear()
        knowledge = self[word] = self.analyse(word)
        return knowledge
