"""Detection of hypotheses that are not beside their references: lines that are shifted, or in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from attrs import define, field

from meteorlib.core.segment import Pair
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

_UNSUITED = 0.15
"""Share of hypotheses that match their reference no better than its neighbors, from which the order is looked at."""
_SUSPECTS = 30
"""Hypotheses that are compared with all references."""
_REFERENCES = 50_000
"""References at the beginning of a file that are compared; more would take seconds."""
_CLEAR = 0.15
"""Least gain of a reference over all others, its own among them: many match somewhat, and groups have equal ones."""
_FOUND = 0.2
"""Share of suspects that must clearly belong to another reference."""
_FEWEST = 4

_LONG_WORD = 12
"""Characters of a word, on average, from which a text counts as written without blanks, and pairs of letters count."""


class Shift(NamedTuple):
    """Segments from `first` to `last` match the reference `offset` lines later better: `gain` more of their words."""

    first: int
    last: int
    offset: int
    gain: float

    def __str__(self) -> str:
        distance = abs(self.offset)
        lines = f"{distance} line{'s' if distance > 1 else ''} {'later' if self.offset > 0 else 'earlier'}"
        return (
            f"to be shifted: its segments {self.first} to {self.last} match the references {lines} clearly better "
            f"than their own ({self.gain:.2f} more of their words): look there for a line that is missing or too many"
        )


class Disorder(NamedTuple):
    """Hypotheses that clearly match a reference far from their own better: `found` of `looked_at`, first `places`."""

    found: int
    looked_at: int
    places: tuple[int, int]

    def __str__(self) -> str:
        return (
            f"to be in another order than the references: {self.found} of {self.looked_at} segments match another "
            f"reference clearly better than their own, such as segment {self.places[0]} that of segment "
            f"{self.places[1]}: put the lines into one order"
        )


@define
class OrderFinder:
    """Compares hypotheses of a sample of `count` segments with references near theirs, by the shares of equal words.

    If many match these no worse, some of them are compared with all references, of batches that are read `again`.
    """

    count: int
    _again: Callable[[], Iterable[Batch]]
    _place: int = field(default=0, init=False)
    # the number of each segment; what an offset of a reference gains over its own, for each offset that it has
    _gains: list[tuple[int, dict[int, float]]] = field(factory=list, init=False)
    _suspects: list[tuple[int, frozenset[str]]] = field(factory=list, init=False)

    def add(self, batch: Batch) -> None:
        """Look at the next segments; references of other batches are not compared."""
        distance, size = max(_RUN, self.count // _PLACES), len(batch)
        begins = range(-(self._place % distance), size, distance)
        sampled = [line for begin in begins for line in range(begin, begin + _RUN) if 0 <= line < size]
        pairs = [*islice(batch, sampled[-1] + _FARTHEST + 1)] if sampled else []

        @cache
        def words(line: int) -> list[frozenset[str]]:
            return [*map(_words, pairs[line].references)]

        for line in sampled:
            if hypothesis := _words(pairs[line].hypothesis):
                own = _overlap(hypothesis, words(line))
                near = range(max(line - _FARTHEST, 0), min(line + _FARTHEST + 1, len(pairs)))
                gains = {other - line: _overlap(hypothesis, words(other)) - own for other in near}
                self._gains.append((self._place + line + 1, gains))
                is_alone = all(words(other) == words(line) for other in near)  # or they are outputs for one segment
                if sum(gains.values()) >= 0 and not is_alone:
                    self._suspects.append((self._place + line + 1, hypothesis))
        self._place += size

    def found(self) -> Shift | Disorder | None:
        """The clearest shift of a stretch of the file, or else another order; None if there is none."""
        found = [self._clearest(offset) for offset in range(-_FARTHEST, _FARTHEST + 1) if offset]
        shift = max(filter(None, found), key=lambda shift: shift[0], default=(0.0, None))[1]
        return shift or (self._disorder() if len(self._suspects) > _UNSUITED * len(self._gains) else None)

    def _disorder(self) -> Disorder | None:
        """Suspects that clearly belong to another reference; None if these are few."""
        suspects = self._suspects[:: -(-len(self._suspects) // _SUSPECTS)]
        best = [(0.0, 0, 0.0)] * len(suspects)  # the best overlap, its segment, and the second best
        compared = 0
        for number, pair in enumerate(chain.from_iterable(self._again()), 1):
            references = [*map(_words, pair.references)]
            if (compared := compared + len(references)) > _REFERENCES:
                break
            for index, (_, hypothesis) in enumerate(suspects):
                overlap = _overlap(hypothesis, references)
                if overlap > best[index][2]:
                    first, place, _ = best[index]
                    best[index] = (overlap, number, first) if overlap > first else (first, place, overlap)
        places = [
            (number, place)
            for (number, _), (first, place, second) in zip(suspects, best, strict=True)
            if place != number and first - second >= _CLEAR
        ]
        clear = len(places) >= max(_FEWEST, _FOUND * len(suspects))
        return Disorder(len(places), len(suspects), places[0]) if clear else None

    def _clearest(self, offset: int) -> tuple[float, Shift] | None:
        """The stretch of the sample that gains most with an offset, and its gain; None if that is not clear."""
        gains = [(number, by_offset[offset]) for number, by_offset in self._gains if offset in by_offset]
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


def matching_words(pair: Pair) -> float:
    """The share of equal words of a hypothesis and its best reference."""
    words = _words(pair.hypothesis)
    return _overlap(words, [*map(_words, pair.references)]) if words else 0.0


def misplaced(texts: Sequence[str], references: Sequence[str]) -> tuple[int, int] | None:
    """The indices of the first of some long texts that clearly matches another one's reference better, and of this."""
    own = [*map(_words, references)]
    for index, words in enumerate(map(_words, texts)):
        overlaps = [_overlap(words, [reference]) if words else 0.0 for reference in own]
        if max(overlaps) - overlaps[index] >= _CLEAR:
            return index, overlaps.index(max(overlaps))
    return None


def _overlap(words: frozenset[str], references: Sequence[frozenset[str]]) -> float:
    """Twice the number of equal words by that of all words, with the best of several references."""
    if len(references) == 1:
        return 2 * len(words & references[0]) / (len(words) + len(references[0]))
    return max((2 * len(words & reference) / (len(words) + len(reference)) for reference in references), default=0.0)


def _words(text: str) -> frozenset[str]:
    """The words of a text, or its pairs of letters if it is written without blanks."""
    text = text.lower()
    words = text.split()
    if text.isascii() or len(text) < _LONG_WORD * len(words):
        return frozenset(words)
    return frozenset(map("".join, pairwise(text)))
