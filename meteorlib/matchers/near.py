"""Near words: words that are spelled alike, such as ``Hassan`` and ``Hasan``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from meteorlib.core.caches import Memo
from meteorlib.core.letters import is_alphabetic
from meteorlib.core.parameters import a_positive_share, a_share
from meteorlib.core.segment import SCALE
from meteorlib.matchers.levenshtein import levenshtein
from meteorlib.matchers.matcher import GradedMatcher, Positions

SHORTEST = 3
"""Letters of a word that may be near another."""

_LEFT_OUT = str.maketrans("", "", "-‐‑'’")


@frozen
class NearSettings:
    """What a stage ``near`` may be told.

    Attributes:
        least: similarity that words must have, above 0 to 1.
        prefix: how much more alike words are that begin alike, 0 to 1: what their similarity lacks of 1 shrinks by
            this times the share of the longer word that both begin with (Winkler 1990).
    """

    least: float = field(default=0.5, validator=a_positive_share)
    prefix: float = field(default=0.0, converter=float, validator=a_share)


def common_prefix(first: str, second: str) -> int:
    """The letters that both begin with."""
    shorter = min(len(first), len(second))
    return next((place for place in range(shorter) if first[place] != second[place]), shorter)


@define
class Near(GradedMatcher):
    """Pairs words by their similarity: 1 − Levenshtein distance by the length of the longer word, and a common prefix.

    Only words that the other side does not have are paired. Hyphens and apostrophes are left out; all else must be
    letters, three at least.

    Attributes:
        least: similarity that words must have; it is rounded to four digits.
        prefix: see `NearSettings`; it is rounded to four digits, too.
    """

    least: float = 0.5
    prefix: float = 0.0
    _least: int = field(init=False)
    _prefix: int = field(init=False)
    _spelled: Memo[str] = field(init=False)
    _grades: Memo[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._least, self._prefix = self.least_grade, self.prefix_share
        self._spelled = Memo(self.spelled)
        self._grades = Memo(self._grade)

    @property
    def least_grade(self) -> int:
        """`least` in units of 1/`SCALE`."""
        return round(self.least * SCALE)

    @property
    def prefix_share(self) -> int:
        """`prefix` in units of 1/`SCALE`."""
        return round(self.prefix * SCALE)

    @staticmethod
    def spelled(word: str) -> str:
        """The letters of a word; empty where it has other signs, or too few."""
        spelled = word if is_alphabetic(word) else word.translate(_LEFT_OUT)  # which are no letters
        return spelled if len(spelled) >= SHORTEST and is_alphabetic(spelled) else ""

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The letters of each distinct word that may be near another."""
        return {word: spelled for word in positions if (spelled := self._spelled[word])}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Words that only one side has, with others of the other that are similar enough."""
        others = [(other, theirs) for other, theirs in hypothesis.items() if other not in reference]
        for word, spelled in reference.items():
            if word in hypothesis:
                continue
            partners = [other for other, theirs in others if self._near(spelled, theirs)]
            if partners:
                yield word, partners

    def grade(self, reference: str, hypothesis: str) -> int:
        """The similarity of two words that match, in units of 1/`SCALE`, rounded down."""
        first, second = self._spelled[reference], self._spelled[hypothesis]
        return self._grades[f"{first} {second}"]

    def _near(self, first: str, second: str) -> bool:
        shorter, longer = sorted((len(first), len(second)))
        return self._grown(shorter, shorter, longer) >= self._least and self._grades[f"{first} {second}"] >= self._least

    def _grade(self, both: str) -> int:
        first, second = both.split(" ")
        longer = max(len(first), len(second))
        begin = common_prefix(first, second) if self._prefix else 0
        return self._grown(longer - levenshtein(first, second), begin, longer)

    def _grown(self, alike: int, begin: int, longer: int) -> int:
        """The grade of words of which so many letters are alike, and so many begin both."""
        grade = SCALE * alike // longer
        return grade + (SCALE - grade) * self._prefix * begin // (SCALE * longer)
