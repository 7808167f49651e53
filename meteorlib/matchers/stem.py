"""Stem matches: different words with the same stem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, field

from meteorlib.caches import Memo
from meteorlib.matchers.matcher import Positions, WordMatcher


@define
class Stem(WordMatcher):
    """Pairs different words with the same stem.

    Attributes:
        stemmer: word → stem.
    """

    stemmer: Callable[[str], str]
    _stems: Memo[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stems = Memo(self.stemmer)

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The stem of each distinct word."""
        stems = self._stems
        return {word: stems[word] for word in positions}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with a common stem."""
        owners = {stem: word for word, stem in hypothesis.items()}
        if len(owners) == len(hypothesis):
            for word, stem in reference.items():
                owner = owners.get(stem, word)
                if owner != word:
                    yield word, (owner,)
            return
        families: dict[str, list[str]] = {stem: [] for stem in owners}
        for word, stem in hypothesis.items():
            families[stem].append(word)
        for word, stem in reference.items():
            partners = [partner for partner in families.get(stem, ()) if partner != word]
            if partners:
                yield word, partners
