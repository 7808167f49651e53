"""The source texts of segments, from lines of a file or a column of a table."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from meteorlib.errors import InputMismatch
from meteorlib.inputs.cells import parsed_column, text_of
from meteorlib.inputs.columns import column_of, first_column, listed_columns
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.parallel_texts import ParallelTexts
from meteorlib.inputs.table import Table
from meteorlib.inputs.text_file import TEXT, TextTable, no_columns

ROLE = "src"


def source_texts(
    joined: ParallelTexts | None, name: str | None, column: str | None, dialect: Dialect, count: int
) -> tuple[list[str], Sequence[str]]:
    """The source text of each segment, and notes on rows that are joined by position.

    Args:
        joined: the tables of hypotheses and references, searched for `column` if there is no `name`; None if all files
            are text.
        name: the file; None for a column of those tables. If it has the same ids as they, it is joined by id.
        column: column of a table; None if the file is text with one segment per line, or XML with its source.
        dialect: options for reading a table.
        count: number of segments.

    Raises:
        InputMismatch: the file does not exist, or does not have `count` segments; or the column is ambiguous.
        InvalidText: a row has no text; the message names its place.
        UnknownName: there is no such column.
    """
    tables = joined.columned if joined is not None else ()
    notes: Sequence[str] = ()
    if name is None:
        table, column = _find_column(tables, column or ROLE)
    else:
        table = open_table(name, dialect, ROLE, columns=column is not None, tables=bool(tables))
        column = _column(table, column)
        if joined is not None:
            order = evolve(joined.order, texts=(*joined.order.texts, column))
            (*_, table), found = order.put([*joined.tables, table])
            notes = [note for note in found if note not in joined.order_notes]
    texts = [text for _, text in parsed_column(table, column, text_of)]
    if len(texts) != count:
        told = f"it has {len(texts)}, of {count}"
        raise InputMismatch(f"{table.name}: a source must have a line for each segment; {told}")
    return texts, notes


def _find_column(tables: Sequence[Table], column: str) -> tuple[Table, str]:
    """The first table with such a column, and the column."""
    if found := first_column(tables, column, ROLE):
        return found
    raise InputMismatch("--source-column: text has no columns; name the file of the sources by --source FILE")


def _column(table: Table, column: str | None) -> str:
    if isinstance(table, TextTable):
        if column is not None:
            raise no_columns(table.name)
        return TEXT
    if column is None and ROLE in table.columns:
        return ROLE
    if column is None:
        raise InputMismatch(
            f"{table.name}: which column contains the sources? add --source-column NAME; its columns: "
            f"{listed_columns(table.columns)}"
        )
    return column_of(table, column, ROLE)
