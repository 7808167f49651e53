"""Blocks of similar candidates, so that the beam search visits only the first few of a long list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from meteorlib.core.alignment import Candidate
from meteorlib.search.beam.fixed_matches import MatchTuple

Path = tuple[float, int, int, Any]
"""Key; used words (a bit set); the hypothesis position right behind the last match (-1 where no chunk is open); the
matches so far as a linked list."""

Choice = tuple[int, float, int, int, float, MatchTuple]
"""A candidate: its hypothesis words (a bit set), value, hypothesis start and end, distance, and its match."""

LOW_BITS = (1 << 30) - 1
"""Mask of 30 bits, one digit of a Python integer."""

by_key: itemgetter[int] = itemgetter(0)


class Block(NamedTuple):
    """Neighbors in a list: candidates of one word, one stage and growing start; or one longer candidate.

    Attributes:
        words: the hypothesis words of the candidates (a bit set); empty for a longer candidate.
        first: the first of the candidates.
        value: the value of each candidate.
        later_starts: hypothesis starts of the candidates in later blocks (a bit set).
        later_value: the greatest value in later blocks; at least 0, the value of taking none.
    """

    words: int
    first: Candidate
    value: float
    later_starts: int
    later_value: float


def blocks_of(candidates: Sequence[Candidate], value_of: Callable[[Candidate], float]) -> list[Block]:
    """Divide candidates into blocks."""
    parts: list[tuple[int, Candidate]] = []
    words, last = 0, -1
    for candidate in candidates:
        length, start, hypothesis_words, stage = candidate
        single = length == 1 == hypothesis_words
        if single and words and stage == parts[-1][1][3] and start > last:
            words |= 1 << start
            parts[-1] = words, parts[-1][1]
        else:
            words = 1 << start if single else 0
            parts.append((words, candidate))
        last = start
    blocks: list[Block] = []
    starts, most = 0, 0.0
    for words, first in reversed(parts):
        blocks.append(Block(words, first, value_of(first), starts, most))
        starts |= words or 1 << first[1]
        most = max(most, blocks[-1].value)
    return blocks[::-1]


def members(bits: int) -> Iterator[int]:
    """The elements of a bit set, ascending; those near each other are taken out together, as a small number."""
    first = 0
    while bits:
        gap = (bits & -bits).bit_length() - 1
        bits >>= gap
        first += gap
        near = bits & LOW_BITS
        bits ^= near
        while near:
            low = near & -near
            near ^= low
            yield first + low.bit_length() - 1


def sum_of_members(bits: int) -> int:
    """The sum of the elements of a bit set: of the powers of two in them, each as often as it occurs."""
    total = 0
    for place, mask in enumerate(_bit_masks(bits.bit_length().bit_length())):
        total += (bits & mask).bit_count() << place
    return total


@cache
def _bit_masks(size: int) -> list[int]:
    """For each of `size` bits, the set of numbers of `size` bits in which it is set (a bit set)."""
    masks = []
    for place in range(size):
        period = 2 << place
        mask = (1 << period) - (1 << (period >> 1))
        while period < 1 << size:
            mask |= mask << period
            period *= 2
        masks.append(mask)
    return masks


class Children:
    """The children of the paths at one position.

    Only children that can be among the `width` best are made. Within a block, keys only grow, except for the candidate
    that continues the open chunk. So if a child is not good enough, no later one of the block is, except that one. If
    neither that one nor a later block can give a child that is good enough, the path is finished.

    Attributes:
        paths: the children, in the order of their parents, then of their candidates.
    """

    def __init__(self, blocks: Sequence[tuple[Block, Choice | None]], position: int, chunk: float, width: int) -> None:
        """Start without children.

        Args:
            blocks: the candidates of the position; a longer one ready to take.
            position: the position.
            chunk: what a chunk adds to a key.
            width: maximum number of children.
        """
        self.blocks = blocks
        self.position = position
        self.chunk = chunk
        self.width = width
        self.limit: float = inf
        self.paths: list[Path] = []

    def append(self, child: Path) -> None:
        """Add a child; cut off the worst when there are too many."""
        paths = self.paths
        paths.append(child)
        if len(paths) > self.width + self.width // 2:
            paths.sort(key=by_key)
            del paths[self.width :]
            self.limit = paths[-1][0]

    def branch(self, path: Path) -> None:
        """Extend a path by each candidate that is still free, and by none."""
        key, used, open_, link = path
        close = self.chunk if open_ >= 0 else 0
        for block, choice in self.blocks:
            if choice is None:
                key = self.take_words(block, path, key, close)
                if key == inf:
                    return
                continue
            mask, value, start, stop, distance, match = choice
            if not used & mask:
                child = key - value if start == open_ else key + close - value
                if child < self.limit:
                    self.append((child, used | mask, stop, (match, link)))
                key += distance
        if key + close < self.limit:
            self.append((key + close, used, -1, link))

    def take_words(self, block: Block, path: Path, key: float, close: float) -> float:
        """Extend a path by each word of a block that is still free.

        Args:
            block: the block.
            path: the path.
            key: its key, and the distances of the candidates that it did not take.
            close: what closing its chunk adds.

        Returns:
            The key behind the block; infinite if the path is done.
        """
        _, used, open_, link = path
        position, value = self.position, block.value
        stage = block.first[3]
        free = block.words & ~used
        rest = free
        for start in members(free):
            child = key - value if start == open_ else key + close - value
            if child >= self.limit:
                break
            self.append((child, used | 1 << start, start + 1, ((position, 1, start, 1, stage), link)))
            rest ^= 1 << start
            key += abs(start - position)
        if not rest:
            return key
        joins = close > 0 and rest >> open_ & 1 == 1
        joins_later = close > 0 and block.later_starts >> open_ & 1 == 1
        best = key - max(value, block.later_value) if joins or joins_later else key + close - block.later_value
        if best >= self.limit:
            return inf
        if joins:
            before = rest & ((1 << open_) - 1)
            key += self.distance(before)
            if key - value < self.limit:
                self.append((key - value, used | 1 << open_, open_ + 1, ((position, 1, open_, 1, stage), link)))
            rest ^= before
        return key + self.distance(rest)

    def distance(self, words: int) -> int:
        """The sum of the distances of hypothesis words (a bit set) from the position."""
        behind = words >> self.position
        before = words ^ (behind << self.position)
        return sum_of_members(behind) + before.bit_count() * self.position - sum_of_members(before)
