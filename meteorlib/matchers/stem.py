"""Stem matches: different words with the same stem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, field

from meteorlib.matchers.cache import WordCache
from meteorlib.matchers.matcher import Positions, WordMatcher

Stems = Mapping[str, Sequence[str]]


@define
class Stem(WordMatcher):
    """Pairs words that `stemmer` gives one stem.

    Attributes:
        stemmer: word → stem.
    """

    stemmer: Callable[[str], str]
    _stems: WordCache[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stems = WordCache(self.stemmer)

    def analyse(self, words: Sequence[str], positions: Positions) -> Stems:  # noqa: ARG002
        """For each stem, the distinct words that have it."""
        stems = self._stems
        found: dict[str, list[str]] = {}
        for word in positions:
            stem = stems[word]
            if stem in found:
                found[stem].append(word)
            else:
                found[stem] = [word]
        return found

    def pairs(self, reference: Stems, hypothesis: Stems) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with a common stem."""
        for stem in reference.keys() & hypothesis.keys():
            partners = hypothesis[stem]
            for word in reference[stem]:
                others = [partner for partner in partners if partner != word]
                if others:
                    yield word, others
