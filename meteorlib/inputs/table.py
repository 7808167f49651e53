"""The interface of tables, and tables whose rows come in another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from attrs import frozen

Cell = Any
"""Value of a cell: a string, or None if it is missing; in some formats also a list or a number."""

Row = tuple[int, Sequence[Cell]]
"""The number of a row, which `Table.place` knows, and its cells."""


class Table(Protocol):
    """A file of rows, which can be read repeatedly in constant memory."""

    @property
    def name(self) -> str:
        """The path."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of its columns; such as ``hyp:NAME`` and ``ref:NAME`` where the file says what they hold."""

    @property
    def nested(self) -> bool:
        """Whether a column may hold objects, of which ``column.field`` is a column, too."""

    @property
    def notes(self) -> Sequence[str]:
        """Notes on oddities that do not prevent reading the file."""

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns.

        Raises:
            InvalidText: a row cannot be read; the message names its place.
        """

    def place(self, number: int) -> str:
        """File and line, or row, for messages."""


@frozen(slots=False)
class Reordered:
    """A table whose rows come in another order. Rows are held in memory while they are read.

    Attributes:
        table: the table.
        order: indices of its rows.
    """

    table: Table
    order: tuple[int, ...]

    @property
    def name(self) -> str:
        """The path."""
        return self.table.name

    @property
    def columns(self) -> Sequence[str]:
        """The columns of the table."""
        return self.table.columns

    @property
    def nested(self) -> bool:
        """Whether columns can lie in objects, as in the table."""
        return self.table.nested

    @property
    def notes(self) -> Sequence[str]:
        """The notes on the table."""
        return self.table.notes

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns."""
        rows = list(self.table.rows(columns))
        return (rows[index] for index in self.order)

    def place(self, number: int) -> str:
        """File and line, or row."""
        return self.table.place(number)
