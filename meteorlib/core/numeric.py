"""AsNumber: base class of results that are formatted, rounded and compared by their score."""

from __future__ import annotations

from typing import SupportsIndex, overload


class AsNumber:
    """Base of classes with a `score`, which numeric operations use; an empty format specification gives `str(self)`.

    The order is that of the scores, also between two of them. Equality is left to the class, which may compare more:
    two results can have the same score and still differ. Then ``<=`` and ``>=`` are true, and ``==`` is not.
    """

    __slots__ = ()

    score: float

    def __float__(self) -> float:
        return self.score

    @overload
    def __round__(self, ndigits: None = None) -> int: ...
    @overload
    def __round__(self, ndigits: SupportsIndex) -> float: ...
    def __round__(self, ndigits: SupportsIndex | None = None) -> float:
        return round(self.score, ndigits)

    def __format__(self, specification: str) -> str:
        return format(self.score, specification) if specification else str(self)

    def __lt__(self, other: AsNumber | float) -> bool:
        return self.score < _number(other)

    def __le__(self, other: AsNumber | float) -> bool:
        return self.score <= _number(other)

    def __gt__(self, other: AsNumber | float) -> bool:
        return self.score > _number(other)

    def __ge__(self, other: AsNumber | float) -> bool:
        return self.score >= _number(other)


def _number(other: AsNumber | float) -> float:
    return other.score if isinstance(other, AsNumber) else other
