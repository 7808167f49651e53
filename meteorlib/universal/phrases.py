"""The set of all phrases that occur in a text."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]

_END = -1


class Phrases:
    """Every run of words in some lines, of any length; none reaches from one line into the next.

    Runs of one length are numbered. A run is known by the number of the run without its last word, and by that word; so
    each length is a sorted list of such pairs, made when a phrase of that length is first looked up.

    Args:
        lines: their words.
    """

    def __init__(self, lines: Iterable[Sequence[str]]) -> None:
        self._words: dict[str, int] = {}
        found = array("q")
        for words in lines:
            found.extend([self._words.setdefault(word, len(self._words)) for word in words])
            found.append(_END)
        self._text: Numbers = np.array(found, dtype=np.int64)
        self._begun = self._text
        self._levels: list[array[int]] = []

    def __contains__(self, words: Sequence[str]) -> bool:
        """Whether the words are adjacent in some line."""
        if not words:
            return True
        numbers = [self._words.get(word, _END) for word in words]
        if _END in numbers:
            return False
        run = numbers[0]
        for level, word in enumerate(numbers[1:]):
            if level == len(self._levels):
                self._levels.append(self._next())
            pairs = self._levels[level]
            wanted = run * len(self._words) + word
            run = bisect_left(pairs, wanted)
            if run == len(pairs) or pairs[run] != wanted:
                return False
        return True

    def _next(self) -> array[int]:
        """The runs that are one word longer than those of the last level; and numbers them where they begin."""
        length = len(self._levels) + 1
        last = np.full(len(self._text), _END, dtype=np.int64)
        last[: max(len(last) - length, 0)] = self._text[length:]
        there = (self._begun != _END) & (last != _END)
        pairs, numbers = np.unique(self._begun[there] * len(self._words) + last[there], return_inverse=True)
        self._begun = np.full(len(self._text), _END, dtype=np.int64)
        self._begun[there] = numbers
        return array("q", pairs.tobytes())
