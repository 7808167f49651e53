"""Detection of shifted lines: hypotheses that match the references some lines away better than their own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from attrs import define, field, frozen

from meteorlib.corpus.batch import Batch

_FARTHEST = 3
"""Lines by which hypotheses are tried against other references, in both directions."""

_PLACES = 20
"""Places of a file that are looked at, evenly spread."""
_RUN = 6
"""Segments in a row that are looked at in each place."""

_LEAST = 5
"""Fewest segments in which a shift must show."""
_GAIN = 0.15
"""Mean gain of these segments, in shares of words: texts about one thing, such as captions of one image, share some."""
_BETTER = 0.75
"""Share of these segments that must gain."""
_MANY = 10
_GAIN_OF_FEW = 0.3
"""Mean gain that fewer than `_MANY` segments must have."""

_LONG_WORD = 12
"""Characters of a word, on average, from which a text counts as written without blanks, and pairs of letters count."""


@frozen
class Shift:
    """Segments from `first` to `last` match the reference `offset` lines later better: `gain` more of their words."""

    first: int
    last: int
    offset: int
    gain: float

    def __str__(self) -> str:
        distance = abs(self.offset)
        lines = f"{distance} line{'s' if distance > 1 else ''} {'later' if self.offset > 0 else 'earlier'}"
        return (
            f"its segments {self.first} to {self.last} match the references {lines} clearly better than their own "
            f"({self.gain:.2f} more of their words): look there for a line that is missing or too many"
        )


@define
class ShiftFinder:
    """Compares hypotheses of a sample of `count` segments with references near theirs, by the shares of equal words."""

    count: int
    _place: int = field(default=0, init=False)
    # the number of each segment; what an offset of a reference gains over its own, for each offset that it has
    _gains: list[tuple[int, dict[int, float]]] = field(factory=list, init=False)

    def add(self, batch: Batch) -> None:
        """Look at the next segments; references of other batches are not compared."""
        distance = max(_RUN, self.count // _PLACES)
        sampled = [line for line in range(len(batch)) if (self._place + line) % distance < _RUN]
        pairs = [*batch] if sampled else []

        @cache
        def words(line: int) -> list[frozenset[str]]:
            return [*map(_words, pairs[line].references)]

        for line in sampled:
            if hypothesis := _words(pairs[line].hypothesis):
                own = _overlap(hypothesis, words(line))
                near = range(max(line - _FARTHEST, 0), min(line + _FARTHEST + 1, len(pairs)))
                gains = {other - line: _overlap(hypothesis, words(other)) - own for other in near}
                self._gains.append((self._place + line + 1, gains))
        self._place += len(batch)

    def shift(self) -> Shift | None:
        """The clearest shift of a stretch of the file; None if there is none."""
        found = [self._clearest(offset) for offset in range(-_FARTHEST, _FARTHEST + 1) if offset]
        return max(filter(None, found), key=lambda shift: shift[0], default=(0.0, None))[1]

    def _clearest(self, offset: int) -> tuple[float, Shift] | None:
        """The stretch of the sample that gains most with an offset, and its gain; None if that is not clear."""
        gains = [(number, each[offset]) for number, each in self._gains if offset in each]
        best, total, start, end = 0.0, 0.0, 0, 0
        begin = 0
        for place, (_, gain) in enumerate(gains):
            if total <= 0:
                begin, total = place, 0.0
            total += gain
            if total > best:
                best, start, end = total, begin, place + 1
        stretch = gains[start:end]
        better = sum(gain > 0 for _, gain in stretch)
        least = _GAIN if len(stretch) >= _MANY else _GAIN_OF_FEW
        if len(stretch) < _LEAST or best < least * len(stretch) or better < _BETTER * len(stretch):
            return None
        return best, Shift(stretch[0][0], stretch[-1][0], offset, best / len(stretch))


def _overlap(words: frozenset[str], references: Sequence[frozenset[str]]) -> float:
    """Twice the number of equal words by that of all words, with the best of several references."""
    if len(references) == 1:
        return 2 * len(words & references[0]) / (len(words) + len(references[0]))
    return max((2 * len(words & each) / (len(words) + len(each)) for each in references), default=0.0)


def _words(text: str) -> frozenset[str]:
    """The words of a text, or its pairs of letters if it is written without blanks."""
    text = text.lower()
    words = text.split()
    if text.isascii() or len(text) < _LONG_WORD * len(words):
        return frozenset(words)
    return frozenset(map("".join, pairwise(text)))
