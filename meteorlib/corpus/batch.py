"""Batch: consecutive segments, scored together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Protocol

from attrs import frozen

from meteorlib.core.segment import Pair

_new_pair: Callable[[tuple[Sequence[str], str]], Pair] = partial(tuple.__new__, Pair)  # quicker than Pair(...)

Labels = tuple[str, ...]
"""Names of the groups that a segment belongs to, such as its document and its domain."""


class Batch(Protocol):
    """Some segments, which can be handed to another process."""

    @property
    def labels(self) -> Sequence[Labels]:
        """The labels of each; empty where nothing is grouped."""

    def __len__(self) -> int:
        """Number of segments."""

    def __iter__(self) -> Iterator[Pair]:
        """The segments."""


@frozen
class Lines:
    """Segments as lines of files: taken apart where they are scored, which is quicker than to hand on many strings.

    Attributes:
        pieces: the lines of the hypotheses, then those of each file of references; UTF-8, separated by LF.
    """

    pieces: tuple[bytes, ...]

    @property
    def labels(self) -> Sequence[Labels]:
        """None."""
        return ()

    def __len__(self) -> int:
        return self.pieces[0].count(b"\n") + 1

    def __iter__(self) -> Iterator[Pair]:
        hypotheses, *references = (piece.decode().split("\n") for piece in self.pieces)
        rows = zip(*references, strict=True) if references else repeat((), len(hypotheses))
        return map(_new_pair, zip(map(list, rows), hypotheses, strict=True))


@frozen
class Rows:
    """Segments out of tables; their text may have line breaks.

    Attributes:
        pairs: the segments.
        labels: the labels of each; empty where nothing is grouped.
    """

    pairs: Sequence[Pair]
    labels: Sequence[Labels] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)
