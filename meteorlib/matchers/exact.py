"""Exact matches: the same word on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import ClassVar

from attrs import frozen

from meteorlib.matchers.matcher import Positions, WordMatcher


@frozen
class Exact(WordMatcher):
    """Pairs a word with itself."""

    gain: ClassVar[float] = 1.0

    def analyze(self, words: Sequence[str], positions: Positions) -> Set[str]:  # noqa: ARG002
        """The distinct words."""
        return positions.keys()

    def pairs(self, reference: Set[str], hypothesis: Set[str]) -> Iterator[tuple[str, tuple[str]]]:
        """Words that both sides have."""
        for word in reference & hypothesis:
            yield word, (word,)
