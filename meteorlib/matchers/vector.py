"""Vector matches: words whose embeddings point in similar directions (Servan et al. 2016, METEOR-E)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import Factory, define, field, frozen
from numpy.typing import NDArray

from meteorlib.arrays import checked_vectors
from meteorlib.caches import Memo
from meteorlib.cancellation import check_cancel
from meteorlib.core.parameters import above_0_up_to_1
from meteorlib.display.text import shorten
from meteorlib.matchers.matcher import Positions, WordMatcher

FloatArray = NDArray[np.float32]

CACHED_WORDS = 1 << 15
"""Number of words whose vectors are cached: 40 MB with 300 numbers each."""

BLOCK = 64
"""Words of the reference whose products are computed at a time: 3 MB with 10,000 words of the hypothesis."""


@frozen
class VectorSettings:
    """Settings of the stage ``vector``."""

    # minimum of (1 + cosine)/2, above 0 and at most 1; 0.8 is a cosine of 0.6
    threshold: float = field(default=0.8, validator=above_0_up_to_1)


@frozen(eq=False)
class UnitVectors:
    """Unit vectors of the words of a segment."""

    words: Positions  # the distinct words of the segment
    owners: Sequence[str]  # the words that have a vector
    units: FloatArray  # their vectors, scaled to length 1; one row each


@define
class Vector(WordMatcher):
    """Pairs equal words, and words whose vectors are close: (1 + cosine)/2 is at least the threshold.

    A word without a vector, or with one that is all zeros, matches itself only. Numbers have single
    precision: vectors are normalized, then products are added in the order of the file.
    """

    vectors: Callable[[str], Any]  # word → its vector, or None; all vectors have the same number of dimensions
    threshold: float = 0.8  # see `VectorSettings`
    _units: Memo[FloatArray | None] = field(
        init=False, default=Factory(lambda self: Memo(self.unit_vector, CACHED_WORDS), takes_self=True)
    )
    _width: int = field(init=False, default=0)

    def unit_vector(self, word: str) -> FloatArray | None:
        """The vector of a word, scaled to length 1; None if it has none. All must have as many dimensions."""
        given = self.vectors(word)
        if given is None:
            return None
        vector = checked_vectors(given, f"the vector of {shorten(word)!r}", [self._width])
        self._width = vector.size
        # added one by one: the order in which a product of arrays adds differs between processors
        length = np.sqrt(np.add.accumulate(vector.astype(np.float64) ** 2)[-1])
        return (vector / length).astype(np.float32) if length else None

    def analyze(self, words: Sequence[str], positions: Positions) -> UnitVectors:  # noqa: ARG002
        """The vectors of the distinct words."""
        known = self._units
        owned = [(word, unit) for word in positions if (unit := known[word]) is not None]
        return UnitVectors(positions, [word for word, _ in owned], np.array([unit for _, unit in owned], np.float32))

    def pairs(self, reference: UnitVectors, hypothesis: UnitVectors) -> Iterator[tuple[str, Sequence[str]]]:
        """Equal words, and words whose vectors are close."""
        near = dict(self._near(reference, hypothesis)) if reference.owners and hypothesis.owners else {}
        for word in reference.words:
            partners = near.get(word, [])
            if word in hypothesis.words and word not in partners:
                partners = [*partners, word]
            if partners:
                yield word, partners

    def _near(self, reference: UnitVectors, hypothesis: UnitVectors) -> Iterator[tuple[str, list[str]]]:
        for first in range(0, len(reference.owners), BLOCK):
            check_cancel()
            close = self._close(reference.units[first : first + BLOCK], hypothesis.units)
            for word, row in zip(reference.owners[first : first + BLOCK], close, strict=True):
                yield word, [hypothesis.owners[index] for index in np.flatnonzero(row).tolist()]

    def _close(self, units: FloatArray, others: FloatArray) -> NDArray[np.bool_]:
        """Whether (1 + cosine)/2 is at least the threshold, for each pair.

        A matrix product, which adds in any order, decides all pairs but those within a margin. Two sums of products of
        unit vectors in any two orders differ by less than epsilon for each product; the margin is four times as wide.
        """
        above = (units @ others.T).astype(np.float64) - (2 * self.threshold - 1)
        margin = 4 * units.shape[1] * float(np.finfo(np.float32).eps)
        close: NDArray[np.bool_] = above > margin
        doubtful = np.abs(above) <= margin
        for row in np.flatnonzero(doubtful.any(axis=1)).tolist():
            columns = np.flatnonzero(doubtful[row])
            cosines = np.add.accumulate(others[columns] * units[row], axis=1)[:, -1]
            close[row, columns] = (1 + cosines.astype(np.float64)) / 2 >= self.threshold
        return close
