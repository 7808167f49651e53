"""Synonym matches: different words that share a synonym set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, field

from meteorlib.caches import Memo
from meteorlib.matchers.matcher import Positions, WordMatcher

Synsets = Mapping[str, frozenset[int]]


@define
class Synonym(WordMatcher):
    """Pairs words whose synonym sets intersect.

    Attributes:
        synsets: word → the identifiers of its synonym sets, those of its base forms included.
    """

    synsets: Callable[[str], frozenset[int]]
    _synsets: Memo[frozenset[int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._synsets = Memo(self.synsets)

    def analyze(self, words: Sequence[str], positions: Positions) -> Synsets:  # noqa: ARG002
        """The synonym sets of each distinct word that has any."""
        synsets = self._synsets
        return {word: found for word in positions if (found := synsets[word])}

    def pairs(self, reference: Synsets, hypothesis: Synsets) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with a common synonym set."""
        others = hypothesis.items()
        present: set[int] = set()
        repeated: set[int] = set()
        for synsets in hypothesis.values():
            if not present.isdisjoint(synsets):
                repeated |= present & synsets
            present |= synsets
        for word, synsets in reference.items():
            # of its own synonym sets, a word that stands in both shares with others only those that stand twice
            if not synsets.isdisjoint(repeated if word in hypothesis else present):
                yield word, [other for other, theirs in others if not synsets.isdisjoint(theirs) and other != word]
