"""Pairs: references and hypotheses read side by side, with segment numbers in errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from itertools import zip_longest
from typing import Any

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, blamed_segment, with_segment_number
from meteorlib.text.validation import cells_of, check_same_order, references_of

_END: Any = object()


class Pairs:
    """The segments of two columns, to be gone through once."""

    def __init__(self, references: Iterable[str | Iterable[str]], hypotheses: Iterable[str]) -> None:
        """Put them side by side.

        Args:
            references: for each segment its references, see `references_of`.
            hypotheses: the hypotheses.

        Raises:
            InputMismatch: their lengths are known, and differ; or they have one index in different orders.
            TypeError: one of them is no column.
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
        """The segments.

        Raises:
            InputMismatch: one column is longer; both are counted to their ends.
            TypeError: what stands for references is none.
        """
        self._failed = True
        both = zip_longest(self._references, self._hypotheses, fillvalue=_END)
        new = tuple.__new__  # quicker than Pair(...)
        for count, (ref, hyp) in enumerate(both, 1):
            if ref is _END or hyp is _END:
                longer = count + sum(1 for _ in both)
                raise _mismatch(*((count - 1, longer) if ref is _END else (longer, count - 1)))
            try:
                references = [ref] if type(ref) is str else references_of(ref)
            except TypeError as error:
                raise TypeError(f"segment {count}: {error}") from None
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
