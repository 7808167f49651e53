"""Segments on their way to be scored: columns side by side, batches of lines or rows; totals of their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from functools import cached_property, partial
from itertools import repeat, zip_longest
from typing import Any, Protocol

from attrs import frozen

from meteorlib.core.segment import Pair
from meteorlib.core.totals import Totals
from meteorlib.errors import InputMismatch, InvalidText, blamed_segment, with_segment_number
from meteorlib.text.validation import cells_of, check_same_order, may_hold_several, references_of

new_pair: Callable[[tuple[Sequence[str], str]], Pair] = partial(tuple.__new__, Pair)
"""A segment of its references and its hypothesis, made quicker than by ``Pair(…)``."""

Progress = Callable[[int, int], object]
"""Callback that receives the number of items or steps done, and their total."""

Advance = Callable[[int], object]
"""Callback that receives the number of further items done."""

Labels = tuple[str, ...]
"""Names of the groups that a segment belongs to, such as its document and its domain."""


class Batch(Protocol):
    """Some segments, which can be handed to another process."""

    @property
    def labels(self) -> Sequence[Labels]:
        """The labels of each; empty where nothing is grouped."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Pair]: ...


class Texts(Protocol):
    """An output of a system with its references."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the groupings of segments."""

    @property
    def references(self) -> int | None:
        """Number of references per segment; None if it varies."""

    @property
    def count(self) -> int:
        """Number of segments."""

    def batches(self) -> Iterator[Batch]:
        """The segments."""

    def segment_labels(self) -> Mapping[str, Sequence[str]]:
        """Label of each segment, by what groups the segments."""


@frozen
class Lines:
    """Segments as lines of files: taken apart where they are scored, which is quicker than to hand on many strings."""

    # the lines of the hypotheses, then those of each file of references; UTF-8, separated by LF
    pieces: tuple[bytes, ...]

    @property
    def labels(self) -> Sequence[Labels]:
        """None."""
        return ()

    @cached_property
    def _count(self) -> int:
        return self.pieces[0].count(b"\n") + 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Pair]:
        hypotheses, *references = (piece.decode().split("\n") for piece in self.pieces)
        rows = zip(*references, strict=True) if references else repeat((), len(hypotheses))
        return map(new_pair, zip(map(list, rows), hypotheses, strict=True))


@frozen
class Rows:
    """Segments out of tables; their text may have line breaks."""

    pairs: Sequence[Pair]
    labels: Sequence[Labels] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)


_END: Any = object()


class Pairs:
    """The segments of two columns, to be gone through once."""

    def __init__(self, references: Iterable[str | Iterable[str]], hypotheses: Iterable[str]) -> None:
        """Put them side by side; `references` has for each segment what `references_of` takes.

        Raises `InputMismatch` if their known lengths differ, or if they have one index in different orders.
        """
        try:
            self._references = cells_of(references, "references")
            self._hypotheses = cells_of(hypotheses, "hypotheses")
        except TypeError as error:
            raise TypeError(f"{error}; for a single segment, call add(ref, hyp)") from None
        if isinstance(references, Sized) and isinstance(hypotheses, Sized) and len(references) != len(hypotheses):
            raise _mismatch(len(references), len(hypotheses))
        check_same_order({"references": references, "hypotheses": hypotheses})
        self._failed = False  # while a column is read: an error of that moment is its own

    def __iter__(self) -> Iterator[Pair]:
        """The segments; if one column is longer, both are counted to their ends for the `InputMismatch`."""
        self._failed = True
        both = zip_longest(self._references, self._hypotheses, fillvalue=_END)
        new = tuple.__new__  # quicker than Pair(...)
        for count, (ref, hyp) in enumerate(both, 1):
            if ref is _END or hyp is _END:
                longer = count + sum(1 for _ in both)
                raise _mismatch(*((count - 1, longer) if ref is _END else (longer, count - 1)))
            try:
                # quicker for most than `references_of`
                single = type(ref) is str and not may_hold_several(ref)
                references = [ref] if single else references_of(ref, hyp)
            except (InvalidText, TypeError) as error:
                raise with_segment_number(error, count - 1) from None
            self._failed = False
            yield new(Pair, (references, hyp))
            self._failed = True
        self._failed = False

    def error_with_segment(self, error: Exception) -> Exception:
        """`error` of scoring these segments, with the number of the segment in front if it is about one.

        An error that a column itself raised while it was read is returned unchanged.
        """
        place = blamed_segment(error)
        if place is None or self._failed:
            return error
        return with_segment_number(error, place)


def _mismatch(references: int, hypotheses: int) -> InputMismatch:
    first = min(references, hypotheses) + 1
    missing = "reference" if references < hypotheses else "hypothesis"
    return InputMismatch(
        f"{references} references but {hypotheses} hypotheses: segment {first} has no {missing}; nothing was added"
    )


class Groups:
    """Totals by label, for each name that labels go by (``document``, ``domain``); in the order in which they came."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names: tuple[str, ...] = tuple(names)
        self._totals: tuple[dict[str, Totals], ...] = tuple({} for _ in self.names)

    def add(self, totals: Mapping[Labels, Totals]) -> None:
        """Add the totals of segments with the same labels."""
        for labels, added in totals.items():
            for known, label in zip(self._totals, labels, strict=True):
                known[label] = known[label] + added if label in known else added

    def __iter__(self) -> Iterator[tuple[str, str, Totals]]:
        """Name, label and totals of each group."""
        for name, known in zip(self.names, self._totals, strict=True):
            for label, totals in known.items():
                yield name, label, totals


def counted(progress: Progress, total: int) -> Advance:
    """A callback for the number of further items done, which gives `progress` how many of the total are done."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return advance
