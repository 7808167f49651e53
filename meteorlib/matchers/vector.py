"""Vector matches: words whose vectors point the same way (Servan et al. 2016, METEOR-E)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from meteorlib.cancellation import check_cancel
from meteorlib.core.caches import Memo
from meteorlib.core.parameters import a_positive_share
from meteorlib.matchers.matcher import Positions, WordMatcher

Numbers = NDArray[np.float32]

KEPT = 1 << 15
"""Words whose vectors are kept; of 300 numbers they take 40 MB."""


@frozen
class VectorSettings:
    """What a stage ``vector`` may be told.

    Attributes:
        threshold: (1 + cosine)/2 that words must have, above 0 to 1; 0.8 is a cosine of 0.6.
    """

    threshold: float = field(default=0.8, validator=a_positive_share)


@frozen(eq=False)
class Directions:
    """What is known of a segment.

    Attributes:
        words: its distinct words.
        owners: those of them that have a vector.
        units: the vectors of these, of length 1; one row each.
    """

    words: Positions
    owners: Sequence[str]
    units: Numbers


@define
class Vector(WordMatcher):
    """Pairs words that are equal, and words whose vectors are near: (1 + cosine)/2 is at least the threshold.

    A word without a vector, or with one that is all zeros, matches itself only. Numbers are of single precision:
    vectors are normalized, then their products added up in the order of the file.

    Attributes:
        vectors: word → its vector, of any length but always of as many numbers; None where it has none.
        threshold: see `VectorSettings`.
    """

    vectors: Callable[[str], Any]
    threshold: float = 0.8
    _units: Memo[Numbers | None] = field(init=False)
    _width: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self._units = Memo(self.unit, KEPT)

    def unit(self, word: str) -> Numbers | None:
        """The vector of a word, made one of length 1; None where it has none.

        Raises:
            ValueError: it is not of as many numbers as those before, or one of them is not finite.
        """
        given = self.vectors(word)
        if given is None:
            return None
        vector = np.asarray(given, np.float32)
        if not vector.size:
            raise ValueError(f"the vector of {word!r} has no number")
        self._width = self._width or vector.size
        if vector.shape != (self._width,) or not np.isfinite(vector).all():
            raise ValueError(f"the vector of {word!r} must be {self._width} finite numbers, as those of other words")
        length = np.sqrt(np.add.accumulate(vector.astype(np.float64) ** 2)[-1])
        return (vector / length).astype(np.float32) if length else None

    def analyze(self, words: Sequence[str], positions: Positions) -> Directions:  # noqa: ARG002
        """The vectors of the distinct words."""
        known = self._units
        found = [(word, unit) for word in positions if (unit := known[word]) is not None]
        return Directions(positions, [word for word, _ in found], np.array([unit for _, unit in found], np.float32))

    def pairs(self, reference: Directions, hypothesis: Directions) -> Iterator[tuple[str, Sequence[str]]]:
        """Words with themselves and with those that are near."""
        near = dict(self._near(reference, hypothesis)) if reference.owners and hypothesis.owners else {}
        for word in reference.words:
            partners = near.get(word, [])
            if word in hypothesis.words and word not in partners:
                partners = [*partners, word]
            if partners:
                yield word, partners

    def _near(self, reference: Directions, hypothesis: Directions) -> Iterator[tuple[str, list[str]]]:
        for word, unit in zip(reference.owners, reference.units, strict=True):
            check_cancel()
            cosines = np.add.accumulate(hypothesis.units * unit, axis=1)[:, -1]
            near = np.flatnonzero((1 + cosines.astype(np.float64)) / 2 >= self.threshold)
            yield word, [hypothesis.owners[index] for index in near.tolist()]
