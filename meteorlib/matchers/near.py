"""Near matches: words with similar spelling, such as ``Hassan`` and ``Hasan``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define, field, frozen

from meteorlib.caches import Memo
from meteorlib.core.numbers_and_letters import is_alphabetic
from meteorlib.core.parameters import above_0_up_to_1, between_0_and_1
from meteorlib.core.segment import SCALE
from meteorlib.matchers.matcher import GradedMatcher, Positions

SHORTEST = 3
"""Minimum number of letters of a word that may be near another."""

IGNORED_SIGNS = "-‐‑'’"
"""Signs that a word may have beside its letters."""

_WITHOUT_SIGNS = str.maketrans("", "", IGNORED_SIGNS)


@frozen
class NearSettings:
    """Settings of the stage ``near``."""

    # minimum similarity of two words, above 0 and at most 1
    least: float = field(default=0.5, validator=above_0_up_to_1)
    # bonus for a common prefix, 0 to 1: the distance of the similarity from 1 shrinks by this times the share of the
    # longer word that the common prefix covers (Winkler 1990)
    prefix: float = field(default=0.0, converter=float, validator=between_0_and_1)


def common_prefix(first: str, second: str) -> int:
    """Number of letters in the common prefix of two words."""
    shorter = min(len(first), len(second))
    return next((place for place in range(shorter) if first[place] != second[place]), shorter)


@define
class Near(GradedMatcher):
    """Pairs words by their similarity: 1 − Levenshtein distance by the length of the longer word, and a common prefix.

    Only words that the other side lacks are paired. Hyphens and apostrophes are ignored; everything else must be
    letters, at least three.
    """

    least: float = 0.5  # minimum similarity, rounded to four digits
    prefix: float = 0.0  # see `NearSettings`; rounded to four digits
    # `least` in units of 1/`SCALE`
    least_grade: int = field(init=False, default=Factory(lambda self: round(self.least * SCALE), takes_self=True))
    # `prefix` in these units
    prefix_share: int = field(init=False, default=Factory(lambda self: round(self.prefix * SCALE), takes_self=True))
    _letters: Memo[str] = field(init=False, default=Factory(lambda self: Memo(self.letters_of), takes_self=True))
    _grades: Memo[int] = field(init=False, default=Factory(lambda self: Memo(self._grade), takes_self=True))

    @staticmethod
    def letters_of(word: str) -> str:
        """The letters of a word; empty if it has other signs or too few letters."""
        letters = word if is_alphabetic(word) else word.translate(_WITHOUT_SIGNS)
        return letters if len(letters) >= SHORTEST and is_alphabetic(letters) else ""

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The letters of each distinct word that may be near another."""
        return {word: letters for word in positions if (letters := self._letters[word])}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Reference words that the hypothesis lacks, with the similar hypothesis words that the reference lacks."""
        others = [(other, theirs) for other, theirs in hypothesis.items() if other not in reference]
        for word, letters in reference.items():
            if word in hypothesis:
                continue
            partners = [other for other, theirs in others if self._near(letters, theirs)]
            if partners:
                yield word, partners

    def grade(self, reference: str, hypothesis: str) -> int:
        """The similarity of two words that match, in units of 1/`SCALE`, rounded down."""
        first, second = self._letters[reference], self._letters[hypothesis]
        return self._grades[f"{first} {second}"]

    def _near(self, first: str, second: str) -> bool:
        shorter, longer = sorted((len(first), len(second)))
        least = self.least_grade
        return self._prefix_grade(shorter, shorter, longer) >= least and self._grades[f"{first} {second}"] >= least

    def _grade(self, pair: str) -> int:
        first, second = pair.split(" ")
        longer = max(len(first), len(second))
        prefix_length = common_prefix(first, second) if self.prefix_share else 0
        return self._prefix_grade(longer - levenshtein(first, second), prefix_length, longer)

    def _prefix_grade(self, equal_letters: int, prefix_length: int, longer: int) -> int:
        """The grade of two words, from the number of equal letters and the length of their common prefix."""
        # whole numbers, rounded down: the same in both engines, on every machine
        grade = SCALE * equal_letters // longer
        return grade + (SCALE - grade) * self.prefix_share * prefix_length // (SCALE * longer)


def levenshtein(first: str, second: str) -> int:
    """Number of insertions, deletions and replacements between two words (Levenshtein 1966; bits: Hyyrö 2003)."""
    if not first:
        return len(second)
    places: dict[str, int] = {}
    for place, letter in enumerate(first):
        places[letter] = places.get(letter, 0) | 1 << place
    every = (1 << len(first)) - 1
    last = 1 << (len(first) - 1)
    more, less, distance = every, 0, len(first)
    for letter in second:
        equal = places.get(letter, 0)
        diagonal = (((equal & more) + more) ^ more) | equal | less
        up = less | ~(diagonal | more)
        down = more & diagonal
        distance += bool(up & last) - bool(down & last)
        up, down = up << 1 | 1, down << 1
        more = (down | ~(diagonal | up)) & every
        less = up & diagonal & every
    return distance
