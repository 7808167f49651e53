"""Counts of phrase pairs, for more pairs than fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meteorlib.universal.arrays import write_array
from meteorlib.universal.extraction import Array

Keys = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]

MAX_PAIRS = 8_000_000
"""Pairs in memory; some 200 MB while they are sorted."""

_SHIFT = 32


class PairCounts:
    """Pairs of numbers below 2^31, counted in portions that are sorted and kept in files.

    Args:
        folder: for the files.
        held: pairs in memory.
    """

    def __init__(self, folder: Path, held: int = MAX_PAIRS) -> None:
        self._folder = folder
        self._held = held
        self._waiting: list[Keys] = []
        self._size = 0
        self._runs: list[tuple[Keys, Array]] = []

    def add(self, firsts: Array, seconds: Array) -> None:
        """Count pairs, of which some may be equal.

        Raises:
            OSError: a file cannot be written, for example because the disk is full.
        """
        self._waiting.append(firsts.astype(np.int64) << _SHIFT | seconds)
        self._size += len(firsts)
        if self._size >= self._held:
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            return
        keys, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
        self._waiting.clear()
        self._size = 0
        number = len(self._runs)
        paths = self._folder / f"pairs-{number}.npy", self._folder / f"counts-{number}.npy"
        self._runs.append((write_array(keys, paths[0]), write_array(counts.astype(np.int32), paths[1])))

    def portions(self) -> Iterator[tuple[Array, Array, Counts]]:
        """First numbers, second numbers and counts of all pairs, sorted; all pairs with one first number together."""
        self._write()
        if not self._runs:
            return
        for low, high in self._bounds():
            keys, counts = [], []
            for run, run_counts in self._runs:
                begin, end = np.searchsorted(run, (low, high))
                keys.append(run[begin:end])
                counts.append(run_counts[begin:end])
            both = np.concatenate(keys)
            order = np.argsort(both, kind="stable")
            both, seen = both[order], np.concatenate(counts)[order]
            if not len(both):
                continue
            begins = np.flatnonzero(np.concatenate(([True], both[1:] != both[:-1])))
            pairs = both[begins]
            total = np.add.reduceat(seen, begins, dtype=np.int64)
            yield (pairs >> _SHIFT).astype(np.int32), (pairs & (2**_SHIFT - 1)).astype(np.int32), total

    def _bounds(self) -> Iterator[tuple[int, int]]:
        """Ranges of keys that hold about as many pairs as may be in memory, and all pairs of a first number."""
        size = sum(len(run) for run, _ in self._runs)
        sample = np.sort(np.concatenate([run[:: max(len(run) // 1000, 1)] for run, _ in self._runs]))
        parts = size // self._held + 1
        cuts = {int(sample[len(sample) * part // parts]) >> _SHIFT << _SHIFT for part in range(1, parts)}
        edges = [0, *sorted(cuts - {0}), 2**63 - 1]
        yield from pairwise(edges)
