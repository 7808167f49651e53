"""Columns: what stands where in a table of judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import PurePath
from typing import Any

from attrs import frozen

from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.formats.opening import Dialect, open_table
from meteorlib.formats.table import BadCell, Cell, Table, column_of, label_of, shown, text_of, texts_of

USUAL: Mapping[str, tuple[str, ...]] = {
    "lp": ("lp", "language_pair", "langs"),
    "segment": ("segment_id", "segment", "seg_id", "seg", "image"),
    "document": ("doc", "document", "doc_id"),
    "system": ("system", "sys", "system_id"),
    "hyp": ("hypothesis", "hyp", "mt", "translation", "output", "caption"),
    "ref": ("references", "reference", "refs", "ref", "post_edit_reference", "target"),
    "human": ("human", "human_z", "human_score", "rating", "ratings", "z", "da", "da_z_mean", "mqm", "hter", "stars"),
}
"""The usual names of columns."""


@frozen
class Columns:
    """Names of columns; empty for the usual ones (`USUAL`).

    Attributes:
        lp: of language pairs.
        segments: what says together which segment a row is of.
        system: of systems.
        hypothesis: of texts.
        references: of references.
        human: of ratings.
    """

    lp: str = ""
    segments: tuple[str, ...] = ()
    system: str = ""
    hypothesis: str = ""
    references: tuple[str, ...] = ()
    human: str = ""

    def key_of(self, table: Table) -> Key:
        """What says which text a row is.

        Raises:
            UnknownName: a column that was named is not there.
            InputMismatch: several could be meant.
        """
        lp, system = (one_of(table, role, name) for role, name in (("lp", self.lp), ("system", self.system)))
        if self.segments:
            segments = [column_of(table, name) for name in self.segments]
        else:
            found = one_of(table, "segment", "")
            document = one_of(table, "document", "") if found else None
            segments = [name for name in (document, found) if name]
        return Key(lp, tuple(segments), system, _plain_name(table.name))


def one_of(table: Table, role: str, name: str) -> str | None:
    """The column that has a role: called `name`, or as is usual; None where there is none.

    Raises:
        UnknownName: there is none called so.
        InputMismatch: several are called as is usual.
    """
    if name:
        return column_of(table, name)
    found = [column for column in table.columns if column.casefold() in USUAL[role]]
    if len(found) > 1:
        raise InputMismatch(f"{table.name}: {', '.join(map(shown, found))}: which is meant? say --{role}-column NAME")
    return found[0] if found else None


def needed(table: Table, role: str, name: str) -> str:
    """The same, where there must be one."""
    found = one_of(table, role, name)
    if found is None:
        columns = ", ".join(map(shown, table.columns))
        raise InputMismatch(f"{table.name}: no column for --{role}-column; say which; its columns: {columns}")
    return found


@frozen
class Key:
    """The columns that say which text a row is; those that a table lacks are None."""

    lp: str | None
    segments: tuple[str, ...]
    system: str | None
    table: str

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return [name for name in (self.lp, *self.segments, self.system) if name]

    def of(self, number: int, cells: Sequence[Cell]) -> tuple[str, str, str]:
        """Language pair, segment and system of a row; without such columns the table, the row, and none.

        Raises:
            BadCell: a cell holds a list or an object.
        """
        labels = [label_of(cell) for cell in cells]
        lp = labels.pop(0) if self.lp else self.table
        system = labels.pop() if self.system else ""
        return lp, "/".join(labels) if labels else str(number), system


def open_judged(name: str, dialect: Dialect) -> Table:
    """A table of judgments.

    Raises:
        InputMismatch: it is not there, or nothing says which kind of table it is.
        InvalidText: it is not what it should be.
    """
    return open_table(name, dialect, "hyp", columns=True)


def rows_of(table: Table, columns: Sequence[str]) -> Iterator[tuple[int, str, Sequence[Cell]]]:
    """The rows of a table, each with its number among the rows and its place."""
    for number, (line, cells) in enumerate(table.rows(columns), 1):
        yield number, table.place(line), cells


def numbers_of(cell: Cell) -> list[float]:
    """A cell that is a number, or a list of them.

    Raises:
        BadCell: it is missing, empty, or no number.
    """
    if isinstance(cell, list):
        if not cell:
            raise BadCell("an empty list, where a rating is due")
        return [number_of(one) for one in cell]
    return [number_of(cell)]


def number_of(cell: Any) -> float:
    """A cell that is a number.

    Raises:
        BadCell: it is missing or no finite number.
    """
    if cell is None or cell == "":
        raise BadCell("a number is missing; leave out rows without one")
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        raise BadCell(f"expected a number, got {type(cell).__name__}")
    try:
        number = float(cell)
    except ValueError:
        raise BadCell(f"expected a number, got {str(cell)[:40]!r}") from None
    if not isfinite(number):
        raise BadCell(f"expected a number, got {cell}")
    return number


def count_of(cell: Cell) -> int:
    """A cell that says how often something was said.

    Raises:
        BadCell: it is no whole number, or below 1.
    """
    number = number_of(cell)
    if number < 1 or number != int(number):
        raise BadCell(f"expected a whole number from 1, got {number:g}")
    return int(number)


def pair_of(hypothesis: Cell, references: Sequence[Cell]) -> Pair:
    """The texts of a row.

    Raises:
        BadCell: one is missing or no text.
    """
    return Pair(tuple(text for cell in references for text in texts_of(cell)), text_of(hypothesis))


def bad(where: str, column: str, error: BadCell) -> InvalidText:
    """What to raise for a bad cell."""
    return InvalidText(where, f"column {shown(column)!r}: {error}")


def _plain_name(name: str) -> str:
    """The name of a file without its suffixes."""
    return PurePath(name).name.partition(".")[0] or name
