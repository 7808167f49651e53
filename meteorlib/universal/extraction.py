"""Extraction of phrase pairs from word-aligned sentence pairs (Koehn, Och & Marcu 2003)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

MAX_PHRASE_LENGTH = 7
"""Words of a phrase."""

Array = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Spans = tuple[Array, Array, Array, Array]
"""Foreign phrases and phrases of the language: first word and number of words of each."""

_NO_LINK = np.iinfo(np.int32).max


@frozen(eq=False)
class Side:
    """The words of one language in many sentences, one behind the other.

    Attributes:
        sentences: for each word, the index of its sentence.
        first: for each word, the first linked word of the other side; a large number if there is none.
        last: for each word, the last linked word of the other side; -1 if there is none.
    """

    sentences: Array
    first: Array
    last: Array

    @classmethod
    def of(cls, lengths: Array, own: Places, others: Places) -> Side:
        """A side.

        Args:
            lengths: number of words of each sentence.
            own: for each link, the word of this side, counted through all sentences.
            others: for each link, the word of the other side.
        """
        count = int(lengths.sum())
        first = np.full(count, _NO_LINK, dtype=np.int32)
        last = np.full(count, -1, dtype=np.int32)
        np.minimum.at(first, own, others)
        np.maximum.at(last, own, others)
        return cls(np.repeat(np.arange(len(lengths), dtype=np.int32), lengths), first, last)

    def spans(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """For each number of words: the beginnings of all phrases, the first and the last word they are linked with."""
        first, last = self.first, self.last
        begins = np.arange(len(first), dtype=np.int32)
        for length in range(1, min(MAX_PHRASE_LENGTH, len(begins)) + 1):
            if length > 1:
                within = self.sentences[length - 1 :] == self.sentences[: len(self.sentences) - length + 1]
                begins = np.flatnonzero(within).astype(np.int32)
                first = np.minimum(first[: len(within)], self.first[length - 1 :])
                last = np.maximum(last[: len(within)], self.last[length - 1 :])
            yield length, begins, first[begins], last[begins]

    def free_runs(self) -> tuple[Array, Array]:
        """For each word, the number of unlinked words right before and right after it in its sentence."""
        free = self.last < 0
        before, behind = (np.zeros(len(free), dtype=np.int32) for _ in range(2))
        same = self.sentences[1:] == self.sentences[:-1]
        for _ in range(MAX_PHRASE_LENGTH - 1):
            before[1:] = np.where(same & free[:-1], before[:-1] + 1, 0)
            behind[:-1] = np.where(same & free[1:], behind[1:] + 1, 0)
        return before, behind


def phrase_pairs(foreign: Side, target: Side) -> Iterator[Spans]:
    """All phrase pairs of up to `MAX_PHRASE_LENGTH` words that are consistent with the alignment.

    A pair contains at least one link, and no link leaves it. Either phrase may have words without a link at its
        ends.
    """
    ranges = {length: (first, last) for length, first, last in _spans_by_start(foreign)}
    before, behind = foreign.free_runs()
    for length, *span in target.spans():
        linked = span[2] >= 0
        begins, first, last = (numbers[linked] for numbers in span)
        sizes = last - first + 1
        for size, (firsts, lasts) in ranges.items():
            chosen = sizes == size
            begin, start = begins[chosen], first[chosen]
            closed = (firsts[start] >= begin) & (lasts[start] < begin + length)
            begin, start = begin[closed], start[closed]
            yield from _with_free_ends(begin, length, start, size, before, behind)


def _spans_by_start(side: Side) -> Iterator[tuple[int, Array, Array]]:
    """The first and the last word linked with each phrase, by where it begins."""
    for length, begins, first, last in side.spans():
        firsts = np.full(len(side.first), _NO_LINK, dtype=np.int32)
        lasts = np.full(len(side.first), -1, dtype=np.int32)
        firsts[begins], lasts[begins] = first, last
        yield length, firsts, lasts


def _with_free_ends(
    begin: Array, length: int, start: Array, size: int, before: Array, behind: Array
) -> Iterator[Spans]:
    """The given pairs, and their extensions by unlinked foreign words at the ends."""
    for left in range(MAX_PHRASE_LENGTH - size + 1):
        fits = before[start] >= left
        if not fits.any():
            break
        for right in range(MAX_PHRASE_LENGTH - size - left + 1):
            chosen = fits & (behind[start + (size - 1)] >= right)
            if not chosen.any():
                break
            found = int(chosen.sum())
            yield (
                (start[chosen] - left).astype(np.int32),
                _constant(size + left + right, found),
                begin[chosen],
                _constant(length, found),
            )


def _constant(value: int, count: int) -> Any:
    return np.full(count, value, dtype=np.int32)
