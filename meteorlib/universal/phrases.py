"""Phrases of a text by number: of any length in memory, or up to seven words in files, for text larger than memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from os import SEEK_END
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.lib.format import open_memmap

from meteorlib.cancellation import check_cancel

MAX_PHRASE_LENGTH = 7
"""Words of a phrase that is learned."""

Array = npt.NDArray[np.int32]
Keys = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
AnyArray = TypeVar("AnyArray", bound=npt.NDArray[Any])

_MAX_PHRASES = 2**31
_END = -1
_BLOCK = 1 << 20
"""Bytes that are written at a time."""


def number_words(lines: Iterable[Sequence[str]]) -> tuple[list[str], Array, Array]:
    """The words of some lines, each once; the lines in their numbers, with a -1 behind each; words of each line."""
    numbers: dict[str, int] = {}
    text, lengths = array("i"), array("i")
    for words in lines:
        text.extend([numbers.setdefault(word, len(numbers)) for word in words])
        text.append(_END)
        lengths.append(len(words))
    return list(numbers), np.array(text, dtype=np.int32), np.array(lengths, dtype=np.int32)


def _runs(text: Array, begun: Array, length: int, words: int) -> tuple[Array, Keys]:
    """Starts of the runs of `length` words; for each, the run without its last word, and that word, as one number.

    `begun` has the number of the run of one word less that begins at each word, -1 where there is none.
    """
    count = max(len(text) - length + 1, 0)
    there = begun[:count] >= 0
    if length > 1:
        there &= text[length - 1 :] >= 0
    here = np.flatnonzero(there).astype(np.int32)
    keys = begun[here].astype(np.int64)
    if length > 1:
        keys *= words
        keys += text[here + (length - 1)]
    return here, keys


def _unique(keys: Keys) -> tuple[Keys, Array]:
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


class Phrases:
    """Every run of words in some lines, of any length; none reaches from one line into the next.

    Each length is a sorted list of the keys of its runs, made when a phrase of that length is first looked up.
    """

    def __init__(self, lines: Iterable[Sequence[str]]) -> None:
        words, self._text, _ = number_words(lines)
        self._words = {word: number for number, word in enumerate(words)}
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
                here, keys = _runs(self._text, self._begun, level + 2, len(self._words))
                places, numbers_of_runs = _unique(keys)
                self._begun = np.full(len(self._text), _END, dtype=np.int32)
                self._begun[here] = numbers_of_runs
                self._levels.append(array("q", keys[places].tobytes()))
            pairs = self._levels[level]
            wanted = run * len(self._words) + word
            run = bisect_left(pairs, wanted)
            if run == len(pairs) or pairs[run] != wanted:
                return False
        return True


class Numbering:
    """Every run of up to `MAX_PHRASE_LENGTH` words of a text by number; the same words have the same number.

    The text has the numbers of its words, and -1 at the end of every phrase. The data of each word of the text, and of
    each phrase, are kept in memory-mapped files in `folder`.
    """

    def __init__(
        self, words: Sequence[str], text: Array, folder: Path, progress: Callable[[float, float], object]
    ) -> None:
        def write(numbers: Keys | Array, name: str) -> Array:
            return write_array(numbers.astype(np.int32, copy=False), folder / f"{name}.npy")

        self._words = words
        self._text = text
        self._starts = [0]
        self._by_place: list[Array] = []
        self._places: list[Array] = []
        self._parents: list[tuple[Array, Array]] = []
        begun = text
        for length in range(1, MAX_PHRASE_LENGTH + 1):
            check_cancel()
            here, keys = _runs(text, begun, length, len(words))
            places, numbers = _unique(keys)
            del keys
            firsts = here[places]
            parents = write(begun[firsts], f"runs-{length}"), write(text[firsts + length - 1], f"last-{length}")
            self._parents.append(parents)
            begun = np.full(len(text), _END, dtype=np.int32)
            begun[here] = numbers
            self._places.append(write(firsts, f"places-{length}"))
            self._by_place.append(write(begun + self._starts[-1], f"{length}"))
            self._starts.append(self._starts[-1] + len(places))
            progress(length, MAX_PHRASE_LENGTH)
            if len(self) >= _MAX_PHRASES:
                raise MemoryError

    def __len__(self) -> int:
        return self._starts[-1]

    def at(self, begins: Array, lengths: Array) -> Array:
        """The numbers of phrases, by their first words in the text; all have the same length."""
        return self._by_place[int(lengths[0]) - 1][begins]

    def within(self, first: int) -> Flags:
        """For each phrase, whether it occurs in the text from the word `first` on."""
        occurs = np.zeros(len(self), dtype=np.bool_)
        for start, numbers in zip(self._starts, self._by_place, strict=False):
            here = numbers[first:]
            occurs[here[here >= start]] = True
        return occurs

    def flagged(self, words: Flags, join: Callable[[Flags, Flags], Flags]) -> Flags:
        """For each phrase, the flags of its words joined by `join`."""
        flags: list[Flags] = []
        for run, last in self._parents:
            flags.append(join(flags[-1][run], words[last]) if flags else words[last])
        return np.concatenate(flags)

    def phrase(self, number: int) -> str:
        """The words of a phrase."""
        length = int(np.searchsorted(self._starts, number, side="right"))
        start = int(self._places[length - 1][number - self._starts[length - 1]])
        return " ".join([self._words[word] for word in self._text[start : start + length]])


def write_array(numbers: AnyArray, path: Path) -> AnyArray:
    """Write an array to the file `path` and map it for reading."""
    with path.open("wb") as file:
        header = np.lib.format.header_data_from_array_1_0(numbers)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(np.ascontiguousarray(numbers).data)  # `numpy.save` would not tell why it failed
    mapped: AnyArray = np.load(path, mmap_mode="r")
    return mapped


def zeros_on_disk(count: int, path: Path) -> Keys:
    """Map `count` zeros in the file `path` for reading and writing."""
    zeros: Keys = open_memmap(path, "w+", np.int64, (count,))
    # Storing into a hole of a mapped file kills the process if the disk is full, so there must be none.
    with path.open("r+b") as file:
        file.seek(-zeros.nbytes, SEEK_END)
        for begin in range(0, zeros.nbytes, _BLOCK):
            file.write(bytes(min(_BLOCK, zeros.nbytes - begin)))
    return zeros
