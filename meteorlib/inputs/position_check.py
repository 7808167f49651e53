"""Checks of joined tables: columns that they share must not show that their rows do not belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, plain_id
from meteorlib.inputs.columns import NO_IDS, USUAL_NAMES, columns_by_name, language_columns
from meteorlib.inputs.table import Cell, Table
from meteorlib.inputs.text_file import TextTable


class ColumnHashes(NamedTuple):
    """Hashes of a column.

    Attributes:
        rows: hash of the values in their order.
        values: hash of the values regardless of order.
    """

    rows: int
    values: int


def check_parallel(pairs: Iterable[tuple[Table, Table]], texts: Sequence[str]) -> None:
    """Refuse tables that are joined by position if a column of both shows that their rows do not belong together.

    Args:
        pairs: the tables; a file beside itself and text without columns are left out.
        texts: columns in use for texts, which may differ.

    Raises:
        InputMismatch: a shared column has the same values in different orders, or rows have different language pairs.
    """
    for one, other in pairs:
        if one.name == other.name or isinstance(one, TextTable) or isinstance(other, TextTable):
            continue
        if languages := language_columns(one, other, texts):
            _check_languages(one, other, *languages)
        own, others = columns_by_name(one, texts), columns_by_name(other, texts)
        shared = [name for name in own if len(own[name]) == 1 == len(others.get(name, ()))]
        if not shared:
            continue
        found, known = (
            _column_hashes(table, [by[name][0] for name in shared]) for table, by in ((one, own), (other, others))
        )
        for name in shared:
            prints, beside = found.get(own[name][0]), known.get(others[name][0])
            if prints and beside and prints != beside and prints.values == beside.values:
                raise InputMismatch(
                    f"{one.name} and {other.name} are joined by position, but {own[name][0]!r} has the same values in "
                    "different orders: join the rows by their ids (--id-column NAME; several columns may be named), "
                    f"put them into one order, or, if the rows are parallel, add --id-column {NO_IDS}"
                )


def source_notes(tables: Sequence[Table], texts: Sequence[str]) -> Iterator[str]:
    """Notes on joined tables whose columns of source texts differ: they may be of different test sets.

    Args:
        tables: the tables in one order.
        texts: columns in use for hypotheses and references.
    """
    columned = [(table, columns_by_name(table, texts)) for table in tables if not isinstance(table, TextTable)]
    sources = [(table, by[name][0]) for table, by in columned for name in USUAL_NAMES["source"] if name in by]
    for (one, own), (other, others) in pairwise(sources):
        if one.name == other.name:
            continue
        count, first = 0, ""
        with suppress(InvalidText):  # a row without the column
            for place, _, beside, _ in differing_rows(one, own, other, others, _text):
                count, first = count + 1, first or f"{place} and {beside}"
        if count:
            yield f"{count:,} {'row has' if count == 1 else 'rows have'} different sources, the first at {first}"


def differing_rows(
    one: Table, own: str, other: Table, others: str, read: Callable[[Cell], str]
) -> Iterator[tuple[str, str, str, str]]:
    """The rows in which a column of a table and one of another differ: place and value in each.

    Args:
        one: a table.
        own: its column.
        other: a table with the rows in the same order.
        others: its column.
        read: a cell → its value.

    Raises:
        InvalidText: a row lacks the column.
    """
    for (number, (cell,)), (beside, (known,)) in zip(one.rows([own]), other.rows([others]), strict=False):
        value, wanted = read(cell), read(known)
        if value != wanted:
            yield one.place(number), value, other.place(beside), wanted


def _check_languages(one: Table, other: Table, own: str, others: str) -> None:
    """Refuse rows of different language pairs; a row may have none."""
    with suppress(InvalidText):  # a row without the column
        for place, lp, beside, wanted in differing_rows(one, own, other, others, _text):
            if lp and wanted:
                raise InputMismatch(
                    f"{place}: column {own!r} is {lp!r}, but {beside}: column {others!r} is "
                    f"{wanted!r}: rows that are joined by position must have one language pair; correct the files, or, "
                    f"if the rows are parallel, add --id-column {NO_IDS}"
                )


def _column_hashes(table: Table, columns: Sequence[str]) -> Mapping[str, ColumnHashes]:
    """Hashes of each column, in memory that does not grow with the table; without columns that some rows lack."""
    with suppress(InvalidText):
        return _hash_columns(table, columns)
    found: dict[str, ColumnHashes] = {}
    for column in columns:
        with suppress(InvalidText):
            found.update(_hash_columns(table, [column]))
    return found


def _hash_columns(table: Table, columns: Sequence[str]) -> Mapping[str, ColumnHashes]:
    ordered, values = [0] * len(columns), [0] * len(columns)
    for _, cells in table.rows(columns):
        for place, cell in enumerate(cells):
            hashed = hash(_text(cell))
            ordered[place] = hash((ordered[place], hashed))
            values[place] += hashed
    return dict(zip(columns, map(ColumnHashes, ordered, values), strict=True))


def _text(cell: Cell) -> str:
    """A cell as text, the same in every format, as ids are compared."""
    try:
        return plain_id(cell)
    except BadCell:
        return repr(cell)
