"""Numbers for all phrases of a text, and the phrases of those numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meteorlib.cancellation import check_cancel
from meteorlib.universal.arrays import write_array
from meteorlib.universal.extraction import MAX_PHRASE_LENGTH, Array

Flags = npt.NDArray[np.bool_]

_MAX_PHRASES = 2**31


class Numbering:
    """Every run of up to `MAX_PHRASE_LENGTH` words of a text by number; the same words have the same number.

    The data of each word of the text, and of each phrase, are kept in memory-mapped files.

    Args:
        words: all words, each once.
        text: the number of each word of the text; -1 ends every phrase.
        folder: for the files.
        progress: callback, called with the number of phrase lengths done and the total.
    """

    def __init__(
        self, words: Sequence[str], text: Array, folder: Path, progress: Callable[[float, float], object]
    ) -> None:
        self._words = words
        self._text = text
        self._starts = [0]
        self._by_place: list[Array] = []
        self._places: list[Array] = []
        self._parents: list[tuple[Array, Array]] = []
        begun = text
        for length in range(1, MAX_PHRASE_LENGTH + 1):
            check_cancel()
            here, keys = self._pairs(begun, length)
            places, numbers = _unique(keys)
            del keys
            found = here[places]
            self._parents.append(
                (
                    _write_array(begun[found], folder / f"runs-{length}.npy"),
                    _write_array(text[found + length - 1], folder / f"last-{length}.npy"),
                )
            )
            begun = np.full(len(text), -1, dtype=np.int32)
            begun[here] = numbers
            self._places.append(_write_array(found, folder / f"places-{length}.npy"))
            self._by_place.append(_write_array(begun + self._starts[-1], folder / f"{length}.npy"))
            self._starts.append(self._starts[-1] + len(places))
            progress(length, MAX_PHRASE_LENGTH)
            if len(self) >= _MAX_PHRASES:
                raise MemoryError

    def _pairs(self, begun: Array, length: int) -> tuple[Array, npt.NDArray[np.int64]]:
        """Starts of the runs of this length; for each, the run without its last word, and that word, as one number."""
        count = max(len(begun) - length + 1, 0)
        there = begun[:count] >= 0
        if length > 1:
            there &= self._text[length - 1 :] >= 0
        here = np.flatnonzero(there).astype(np.int32)
        keys = begun[here].astype(np.int64)
        if length > 1:
            keys *= len(self._words)
            keys += self._text[here + (length - 1)]
        return here, keys

    def __len__(self) -> int:
        return self._starts[-1]

    def at(self, begins: Array, lengths: Array) -> Array:
        """The numbers of phrases, by their first words in the text; all have the same length."""
        return self._by_place[int(lengths[0]) - 1][begins]

    def within(self, first: int) -> Flags:
        """For each phrase, whether it occurs in the text from the word `first` on."""
        found = np.zeros(len(self), dtype=np.bool_)
        for start, numbers in zip(self._starts, self._by_place, strict=False):
            here = numbers[first:]
            found[here[here >= start]] = True
        return found

    def flagged(self, words: Flags, join: Callable[[Flags, Flags], Flags]) -> Flags:
        """For each phrase, the flags of its words joined by `join`."""
        flags: list[Flags] = []
        for run, last in self._parents:
            flags.append(join(flags[-1][run], words[last]) if flags else words[last])
        return np.concatenate(flags)

    def phrase(self, number: int) -> str:
        """The words of a phrase."""
        length = int(np.searchsorted(self._starts, number, side="right"))
        place = int(self._places[length - 1][number - self._starts[length - 1]])
        return " ".join([self._words[word] for word in self._text[place : place + length]])


def _unique(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Array]:
    """First place of each distinct key, in the order of the keys; and for each key, its index among the distinct ones.

    This is `numpy.unique` in half of its memory.
    """
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    numbers = np.empty(len(keys), dtype=np.int32)
    numbers[order] = np.cumsum(new, dtype=np.int32) - 1
    return order[new], numbers


def _write_array(numbers: npt.NDArray[np.int64] | Array, path: Path) -> Array:
    return write_array(numbers.astype(np.int32, copy=False), path)


def number_words(lines: Iterable[Sequence[str]]) -> tuple[list[str], Array, Array]:
    """The words of some lines, each once; the lines in their numbers, with a -1 behind each; words of each line."""
    numbers: dict[str, int] = {}
    parts: list[Array] = []
    lengths: list[int] = []
    for words in lines:
        parts.append(np.array([*[numbers.setdefault(word, len(numbers)) for word in words], -1], dtype=np.int32))
        lengths.append(len(words))
    text = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
    return list(numbers), text, np.array(lengths, dtype=np.int32)
