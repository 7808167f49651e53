"""The files and columns that a `ColumnChoice` selects, opened side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import product

from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.formats import ColumnChoice, open_table
from meteorlib.inputs.ids import NO_IDS
from meteorlib.inputs.order import Order
from meteorlib.inputs.parallel_texts import Field, ParallelTexts
from meteorlib.inputs.position_check import check_parallel, differing_rows, source_notes
from meteorlib.inputs.table import BadCell, Table, column_of, find_column, label_of, with_role, without_role
from meteorlib.inputs.text_file import TextFile
from meteorlib.inputs.text_table import TEXT, TextTable


def open_files(
    choice: ColumnChoice,
    references: Sequence[str],
    hypotheses: str,
    beside: ParallelTexts | None = None,
    open_source: Callable[[str], Source] = Source.open,
) -> ParallelTexts:
    """Open the files of a choice side by side.

    Args:
        choice: the columns to read.
        references: files; empty if the references are columns of `hypotheses`.
        hypotheses: a file, which may hold several systems.
        beside: the files of another system, whose order of segments these get, too, if it has ids.
        open_source: function that opens a file.

    Raises:
        InputMismatch: a file does not exist, or it is not clear which columns are meant; files that are joined by id
            have different ids.
        InvalidText: a file is malformed.
        UnknownName: there is no such column.
    """
    tabular = bool(choice.hypotheses or choice.dialect.delimiter or choice.dialect.header)
    columns, named = tabular or bool(choice.references and not references), choice.names_columns
    open_file = partial(open_table, dialect=choice.dialect, tables=named, open_source=open_source)
    first = open_file(hypotheses, role="hyp", columns=columns)
    tables: list[Table] = [first]
    systems = _fields(first, 0, choice.hypotheses, "hyp")
    texts = [] if references else _fields(first, 0, choice.references, "ref")
    for index, name in enumerate(references, 1):
        table = open_file(name, role="ref", columns=bool(choice.references))
        tables.append(table)
        texts += _fields(table, index, choice.references, "ref")
    labels = [_label(tables, name, open_source) for name in choice.labels]
    text = next((table for table in tables[: 1 + len(references)] if isinstance(table, TextTable)), None)
    if text and choice.ids not in ((), (NO_IDS,)):
        raise InputMismatch(
            f"--id-column: {text.name} is text, one segment per line, and has no ids; leave the option out"
        )
    used = choice.hypotheses + choice.references
    order = beside.order if beside and beside.order.base else Order.of(tables, choice.ids, used)
    placed, notes = order.put(tables)
    if beside and order is not beside.order and choice.ids != (NO_IDS,):
        check_parallel(product(placed, beside.tables), used)
    if beside:
        notes = (*notes, *source_notes([beside.tables[0], placed[0]], used))
    for name, label in zip(choice.labels, labels, strict=True):
        _check_labels(placed, name, label)
    return ParallelTexts(placed, tuple(systems), tuple(texts), tuple(labels), order, notes)


def _check_labels(tables: Sequence[Table], name: str, label: Field) -> None:
    """Refuse labels that another table contradicts.

    Raises:
        InputMismatch: the other table has another label in a row.
    """
    table = tables[label.table]
    if isinstance(table, TextTable):
        return
    for other in tables:
        with suppress(UnknownName, BadCell):  # which the reader of labels reports
            if other is table or isinstance(other, TextTable):
                continue
            for place, own, beside, wanted in differing_rows(
                table, label.column, other, column_of(other, name), label_of
            ):
                raise InputMismatch(
                    f"{place}: column {label.column!r} is {own!r}, but {wanted!r} at {beside}: rows of a segment must "
                    "have one label; correct or remove a column"
                )


_ROLE_NAMES = {"hyp": "hypotheses", "ref": "references"}


def _fields(table: Table, index: int, names: Sequence[str], role: str) -> list[Field]:
    if isinstance(table, TextTable):
        if names and not index:
            raise InputMismatch(f"{table.name}: is read as text, one segment per line, which has no columns")
        return [Field(index, TEXT)]
    if names:
        return [Field(index, column_of(table, name, role)) for name in names]
    if own := with_role(table, role):
        return [Field(index, column, optional=role == "ref") for column in own]
    columns = ", ".join(map(without_role, table.columns))
    raise InputMismatch(
        f"{table.name}: which column holds the {_ROLE_NAMES[role]}? say --{role}-column NAME; its columns: {columns}"
    )


def _label(tables: list[Table], name: str, open_source: Callable[[str], Source]) -> Field:
    """The column called `name` of the first table that has one; or a file, which joins the tables."""
    label, equals, file = name.partition("=")
    with suppress(UnknownName) if equals and label else nullcontext():
        if found := find_column([table for table in tables if not isinstance(table, TextTable)], name):
            return Field(tables.index(found[0]), found[1])
    if equals and label:
        tables.append(TextTable(TextFile(open_source(file))))
        return Field(len(tables) - 1, TEXT)
    raise InputMismatch(f"text has no column {name!r}; give a file of labels, one per line: --by {name}=FILE")
