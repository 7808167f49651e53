"""The interface of tables, and the checks and names of their cells and columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import isnan
from typing import Any, Protocol

from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.suggestions import did_you_mean
from meteorlib.text.unicode_form import compose
from meteorlib.text.validation import check_text, not_text_message

Cell = Any
"""Value of a cell: a string, or None if it is missing; in some formats also a list or a number."""

Row = tuple[int, Sequence[Cell]]
"""The number of a row, which `Table.place` knows, and its cells."""

ROLES = ("hyp", "ref")
"""Prefixes of column names that say what a column holds, as in ``ref:A``."""


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


def column_of(table: Table, name: str, role: str = "") -> str:
    """The column called `name` or ``role:name``, otherwise the only one with a similar name (`normalized`).

    Raises:
        UnknownName: there is no such column; the message lists the columns.
        InputMismatch: there are two.
    """
    for known in (f"{role}:{name}", name):
        count = table.columns.count(known)
        if count > 1:
            raise InputMismatch(f"{table.name}: {count} columns are called {known!r}; rename them")
        if count:
            return known
    if table.nested and "." in name and table.columns.count(name.partition(".")[0]) == 1:
        return name
    alike = [column for column in table.columns if name and normalized(column) == normalized(name)]
    if len(alike) == 1:
        return alike[0]
    raise UnknownName(f"column of {table.name}", name, [without_role(column) for column in table.columns])


def find_column(tables: Sequence[Table], name: str, role: str = "") -> tuple[Table, str] | None:
    """The first table with such a column, and the column; None without tables.

    Raises:
        UnknownName: no table has such a column; the message lists the columns of the first.
        InputMismatch: a table has two.
    """
    for table in tables:
        with suppress(UnknownName):
            return table, column_of(table, name, role)
    if tables:
        column_of(tables[0], name, role)  # says that there is none
    return None


def normalized(name: str) -> str:
    """The name of a column without the differences between programs: case, ``_``, ``-``, white space, U+FEFF."""
    return _IGNORED_IN_NAMES.sub("", name).casefold()


_IGNORED_IN_NAMES = re.compile(r"[\s_\-\ufeff]+")


def path_of(table: Table, column: str) -> list[str]:
    """The names that lead to a column of a nested table, one after the other: ``translation.en`` is a field of one."""
    return [column] if column in table.columns else column.split(".")


def without_role(column: str) -> str:
    """The name of a column without its role."""
    role, colon, name = column.partition(":")
    return name if colon and role in ROLES else column


def with_role(table: Table, role: str) -> Sequence[str]:
    """The columns to which the file itself gives this role."""
    return [column for column in table.columns if column.startswith(f"{role}:")]


class BadCell(Exception):
    """A cell of the wrong kind; the caller adds its place to the message."""


def nested_value(cell: Cell, path: Sequence[str]) -> Cell:
    """The value in a nested object at the end of `path`.

    Raises:
        BadCell: there is no such field.
    """
    for name in path:
        if not isinstance(cell, dict) or name not in cell:
            hint = ""
            if isinstance(cell, dict) and cell:
                hint = did_you_mean(name, cell) or f"; its fields: {', '.join(cell)}"
            raise BadCell(f"no field {name!r}{hint}")
        cell = cell[name]
    return cell


def text_of(cell: Cell) -> str:
    """A cell that is one text.

    Raises:
        BadCell: the cell is missing or not text.
    """
    if not isinstance(cell, str):
        raise BadCell(not_text_message(cell))
    try:
        check_text(cell, "")
    except InvalidText as error:
        raise BadCell(error.reason) from None
    return cell


def texts_of(cell: Cell) -> list[str]:
    """A cell that is one text, or a list of them.

    Raises:
        BadCell: the cell is neither, or an empty list.
    """
    if not isinstance(cell, list):
        return [text_of(cell)]
    if not cell:
        raise BadCell("an empty list; a row needs a reference")
    return [text_of(one) for one in cell]


def label_of(cell: Cell) -> str:
    """A cell that groups rows, in Unicode's NFC, without white space at its ends; a missing one is the empty label.

    Raises:
        BadCell: it is a list or an object.
    """
    if isinstance(cell, list | dict):
        raise BadCell(f"a label must be text or a number, got {type(cell).__name__}")
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return ""
    if not isinstance(cell, int | float):  # text; in Parquet also dates, decimals, …
        return compose(str(cell).strip())  # names of files come decomposed from macOS
    return json.dumps(cell)
