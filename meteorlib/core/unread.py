"""Breakdowns that nobody has read yet: what they are to be made of, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from meteorlib.core.alignment import Alignment
from meteorlib.core.statistics import Statistics


class Evidence(Protocol):
    """What an engine has found for a segment. It never changes."""

    @property
    def score(self) -> float:
        """The score, as the formula makes it of the statistics."""

    @property
    def reference_index(self) -> int:
        """Which reference it is of, from 0."""

    @property
    def optimal(self) -> bool:
        """Whether the search proved the matches the best."""

    def statistics(self) -> Statistics:
        """The counts."""

    def alignment(self, stages: tuple[str, ...]) -> Alignment:
        """The alignment, for the names of the stages."""


class Unread:
    """Base of a frozen class whose fields may be made when they are first read.

    Until then a field is an empty slot, to be made of `_evidence`. The first of several threads to make an object
    leaves it in `_made` for the others.
    """

    __slots__ = ("_evidence", "_made")

    _evidence: tuple[Any, ...]
    _made: dict[str, Any]

    def _read(self, name: str) -> dict[str, Any]:
        """The value of a field, and of those that are made with it."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # else every name were a field

        def __getattr__(self, name: str) -> Any:
            if name not in type(self).__slots__ or name.startswith("_"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            values = self._read(name)
            for field, value in values.items():
                object.__setattr__(self, field, value)
            return values[name]
