"""Pairs: many references and hypotheses side by side, and which segment is to blame for an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import zip_longest
from typing import Any, Protocol

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.text.validation import cells_of, references_of

_END: Any = object()


class _Scorer(Protocol):
    def score(self, ref: Sequence[str], hyp: str) -> ScoreBreakdown: ...


class Pairs:
    """The segments of two columns, to be gone through once.

    Attributes:
        count: how many have been handed out.
    """

    def __init__(self, references: Iterable[str | Iterable[str]], hypotheses: Iterable[str]) -> None:
        """Put them side by side.

        Args:
            references: for each segment its references, see `references_of`.
            hypotheses: the hypotheses.

        Raises:
            InputMismatch: their lengths are known, and differ.
            TypeError: one of them is no column.
        """
        try:
            self._references = cells_of(references, "references")
            self._hypotheses = cells_of(hypotheses, "hypotheses")
        except TypeError as error:
            raise TypeError(f"{error}; a single segment goes through add(ref, hyp)") from None
        if isinstance(references, Sized) and isinstance(hypotheses, Sized) and len(references) != len(hypotheses):
            raise _mismatch(len(references), len(hypotheses))
        self.count: int = 0
        self._last: Pair | None = None

    def __iter__(self) -> Iterator[Pair]:
        """The segments.

        Raises:
            InputMismatch: one column is longer; both are counted to their ends.
            TypeError: what stands for references is none.
        """
        both = zip_longest(self._references, self._hypotheses, fillvalue=_END)
        new = tuple.__new__  # quicker than Pair(...)
        for ref, hyp in both:
            if ref is _END or hyp is _END:
                longer = self.count + 1 + sum(1 for _ in both)
                raise _mismatch(*((self.count, longer) if ref is _END else (longer, self.count)))
            self.count += 1
            try:
                references = [ref] if type(ref) is str else references_of(ref)
            except TypeError as error:
                raise TypeError(f"segment {self.count}: {error}") from None
            self._last = pair = new(Pair, (references, hyp))
            yield pair

    def located(self, error: Exception, scorer: _Scorer) -> Exception:
        """`error`, with the number of the last segment in front if it is that one's fault.

        It is where the segment alone cannot be scored either. Segments may be scored many at a time, and what goes
        through a column may fail by itself, so that the last one need not be to blame.
        """
        if self._last is None:
            return error
        try:
            scorer.score(*self._last)
        except InvalidText as again:
            return InvalidText(f"segment {self.count}: {again.where}", again.reason)
        except InputMismatch as again:
            return InputMismatch(f"segment {self.count}: {again}")
        except TypeError as again:
            return TypeError(f"segment {self.count}: {again}")
        return error


def _mismatch(references: int, hypotheses: int) -> InputMismatch:
    first = min(references, hypotheses) + 1
    missing = "reference" if references < hypotheses else "hypothesis"
    return InputMismatch(
        f"{references} references but {hypotheses} hypotheses: segment {first} has no {missing}; nothing was added"
    )
