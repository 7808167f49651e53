"""Joined matches: a word that the other side splits, such as ``well-known`` and ``well known``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define, field, frozen

from meteorlib.caches import Memo
from meteorlib.core.numbers_and_letters import letters_and_digits
from meteorlib.matchers.matcher import PhraseMatcher, Positions

PARTS = (2, 3)
"""Number of adjacent words on one side that may match one word on the other."""

SHORTEST_WORD = 3
"""Minimum letters and digits of a word that matches another one with different signs."""

SHORTEST_PARTS = 4
"""Minimum letters and digits of a word that matches several."""


@frozen(eq=False)
class Keys:
    """Words of a segment by their letters and digits."""

    words: Sequence[str]  # the words
    singles: Mapping[str, Sequence[int]]  # letters and digits of one word → its positions, ascending
    # letters and digits of adjacent words → start and length, by start, then length
    parts: Mapping[str, Sequence[tuple[int, int]]]


@define
class Joined(PhraseMatcher):
    """Pairs a word with two or three adjacent words, or with one other word, of the same letters and digits."""

    same_letters = True

    _keys: Memo[str] = field(init=False, default=Factory(lambda self: Memo(self.key), takes_self=True))

    @staticmethod
    def key(word: str) -> str:
        """The letters and digits of a word."""
        return letters_and_digits(word)

    def analyze(self, words: Sequence[str], positions: Positions) -> Keys:  # noqa: ARG002
        """The letters and digits of single words and of neighbors."""
        keys = [self._keys[word] for word in words]
        singles: dict[str, list[int]] = {}
        parts: dict[str, list[tuple[int, int]]] = {}
        for start, key in enumerate(keys):
            if not key:
                continue
            singles.setdefault(key, []).append(start)
            for length in PARTS:
                if start + length <= len(keys) and keys[start + length - 1]:
                    joined_key = "".join(keys[start : start + length])
                    if len(joined_key) >= SHORTEST_PARTS:
                        parts.setdefault(joined_key, []).append((start, length))
        return Keys(words, singles, parts)

    def spans(self, reference: Keys, hypothesis: Keys) -> Iterator[tuple[int, int, int, int]]:
        """Matching spans, sorted by reference start and length, then by hypothesis start and length."""
        spans = []
        for key in reference.singles.keys() & hypothesis.singles.keys():
            if len(key) >= SHORTEST_WORD:
                spans += [
                    (place, 1, start, 1)
                    for place in reference.singles[key]
                    for start in hypothesis.singles[key]
                    if reference.words[place] != hypothesis.words[start]
                ]
        for key in reference.singles.keys() & hypothesis.parts.keys():
            spans += [(place, 1, *span) for place in reference.singles[key] for span in hypothesis.parts[key]]
        for key in reference.parts.keys() & hypothesis.singles.keys():
            spans += [(*span, start, 1) for span in reference.parts[key] for start in hypothesis.singles[key]]
        yield from sorted(spans)
