"""Displayable: base class of objects printed as a listing and shown as a table in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from meteorlib.core.matrix import Matrix
from meteorlib.core.rows import Row, listing


class Displayable:
    """Base of classes that are printed as a listing; notebooks draw a table, and a matrix below it."""

    __slots__ = ()

    def _rows(self) -> Iterable[Row]:
        """The rows of the listing."""
        raise NotImplementedError

    def _table_rows(self) -> Iterable[Row]:
        """The rows of the table; those of the listing, unless the matrix shows some of them."""
        return self._rows()

    def _matrix(self) -> Matrix | None:
        """The alignment that is drawn below the table; None for no drawing."""
        return None

    def __str__(self) -> str:
        return listing(self._rows())

    def _repr_html_(self) -> str:
        from meteorlib.core.notebook import listing_html  # noqa: PLC0415 – 1.5 ms of every start

        return listing_html(self._table_rows(), self._matrix())
