"""Rows of different lengths as flat NumPy arrays."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

Integers = NDArray[Any]


@frozen(eq=False)
class Ragged:
    """Rows of different lengths, one after the other.

    Attributes:
        flat: the items of all rows; an item may be an array itself.
        starts: index of the first item of each row, and at the end the number of items.
    """

    flat: Integers
    starts: Integers

    @classmethod
    def of_lengths(cls, flat: Integers, lengths: Integers) -> Self:
        """Divide `flat` into rows of these lengths."""
        return cls(flat, np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        """Number of items of each row."""
        return np.diff(self.starts)

    @property
    def rows(self) -> Integers:
        """Index of the row of each item."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def places(self, rows: Integers) -> Integers:
        """Indices of the items of `rows`, row after row."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        starts: Integers = np.repeat(self.starts[:-1][rows] - (ends - lengths), lengths)
        return starts + np.arange(len(starts))

    def take(self, rows: Integers) -> Ragged:
        """The rows with these indices, in this order."""
        return Ragged.of_lengths(self.flat[self.places(rows)], self.lengths[rows])

    def equal_rows(self, other: Ragged) -> NDArray[np.bool_]:
        """Whether each row is equal to that of `other`, which has as many rows."""
        equal: NDArray[np.bool_] = self.lengths == other.lengths
        same = np.flatnonzero(equal)
        differs = self.flat[self.places(same)] != other.flat[other.places(same)]
        equal[np.repeat(same, self.lengths[same])[differs]] = False
        return equal

    def any(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether any item of each row has a flag; `flags` has one for each item."""
        return self.count(flags) > 0

    def count(self, flags: NDArray[np.bool_]) -> Integers:
        """Number of items with a flag in each row."""
        counted = np.concatenate([[0], np.cumsum(flags, dtype=np.int64)])
        return np.diff(counted[self.starts])


def ahead(flags: NDArray[np.bool_], offset: int) -> NDArray[np.bool_]:
    """For each place, the flag of the place `offset` places later; False beyond the end."""
    found = np.zeros_like(flags)
    found[: max(len(flags) - offset, 0)] = flags[offset:]
    return found
