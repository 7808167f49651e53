"""Cells of tables: texts, labels, ids, numbers and counts, each checked where it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite, isnan
from re import fullmatch
from typing import Any, NamedTuple, TypeVar

from meteorlib.core.numbers_and_letters import to_float
from meteorlib.errors import InvalidText, did_you_mean
from meteorlib.inputs.columns import (
    NO_REFERENCE,
    Cell,
    OptionalColumn,
    Table,
    cells_in,
    split_form,
    without_role,
)
from meteorlib.text.unescaping import compose
from meteorlib.text.validation import check_text, list_in, not_text_message, several_in_text

SMALLEST, LARGEST = 1e-100, 1e100
"""Range of magnitudes, other than 0, whose squares and sums do not overflow or underflow in double precision."""

RANGE = f"numbers that are 0, or from {SMALLEST:g} to {LARGEST:g} in magnitude"

MAX_COUNT = 1_000_000_000
"""Largest count of a judgment; sums of such counts are exact in double precision."""

_T = TypeVar("_T")


class BadCell(Exception):
    """A cell that a function below cannot parse; `TableRow.read` adds its place to the message."""


def parse_cell(kind: Callable[[Cell], _T], cell: Cell, where: str) -> _T:
    """Parse a value that stands in a line without columns."""
    try:
        return kind(cell)
    except BadCell as error:
        raise InvalidText(where, str(error)) from None


class TableRow(NamedTuple):
    """A row of a table, with some of its cells by column."""

    table: Table
    number: Any
    cells: Mapping[str, Cell]

    @property
    def where(self) -> str:
        """File and line, or row, for messages."""
        return self.table.place(self.number)

    def read(self, column: str, kind: Callable[[Cell], _T]) -> _T:
        """Parse a cell by one of the functions below; an `InvalidText` names its row and column."""
        try:
            return kind(self.cells[column])
        except BadCell as error:
            raise InvalidText(f"{self.where}: column {split_form(without_role(column))[0]!r}", str(error)) from None


def rows_of(table: Table, columns: Sequence[str]) -> Iterator[TableRow]:
    """The rows of a table, with the cells of some columns; texts in a form (`columns.split_form`) become lists."""
    names = [*map(str, columns)]  # quicker to look up than `OptionalColumn`
    forms = {name: split_form(name) for name in names if split_form(name)[1] and name not in table.columns}
    if forms:
        columns = [type(name)(forms[name][0] if name in forms else name) for name in columns]
    for number, cells in table.rows(columns):
        row = TableRow(table, number, dict(zip(names, cells, strict=True)))
        if forms:
            listed = {name: row.read(name, partial(in_form, form=form)) for name, (_, form) in forms.items()}
            row = row._replace(cells={**row.cells, **listed})
        yield row


def in_form(cell: Cell, form: str) -> Cell:
    """A text that holds others in a form, as the list of them; ``text`` has one. Any other cell stays.

    In a list, as that of grouped rows, single texts stay, too.
    """
    if isinstance(cell, list) and form and form != "text":
        is_single = [not isinstance(text, str) or (form == "list" and list_in(text) is None) for text in cell]
        parts = [[text] if single else in_form(text, form) for text, single in zip(cell, is_single, strict=True)]
        return [text for listed in parts for text in listed]
    if not isinstance(cell, str) or not form:
        return cell
    if form == "text":
        return [cell]
    if form == "list":
        if (found := list_in(cell)) is None:
            raise BadCell(f"no list written as text: {cell[:40]!r}; write a single text as a list, too")
        return found
    separator = form.partition("=")[2]
    parts = [part.strip() for part in cell.split({"tab": "\t", "\\t": "\t"}.get(separator, separator))]
    return [part for part in parts if part] or parts[:1]


def parsed_column(table: Table, column: str, kind: Callable[[Cell], _T]) -> Iterator[tuple[str, _T]]:
    """Location and value of each row in a column."""
    return ((row.where, row.read(column, kind)) for row in rows_of(table, [column]))


def nested_value(cell: Cell, path: Sequence[str], column: str) -> Cell:
    """The value of a column in a nested object, at the end of `path`."""
    for name in path:
        if not isinstance(cell, dict) or name not in cell:
            if isinstance(column, OptionalColumn):
                return None
            hint = ""
            if isinstance(cell, dict) and cell:
                hint = did_you_mean(name, cell) or f"; its fields: {', '.join(cell)}"
            raise BadCell(f"no field {name!r}{hint}")
        cell = cell[name]
    return cell


def text_of(cell: Cell) -> str:
    """A cell that is one text, also in a list."""
    if isinstance(cell, list) and len(cell) == 1:
        return _checked_text(cell[0])
    if isinstance(cell, str) and list_in(cell) is not None:
        raise BadCell(f"a list written as text; {_ADVICE.format('list')}")
    return _checked_text(cell)


_ADVICE = "to read it, add :{} to the name of the column, or :text if it is one text"


def _checked_text(cell: Cell) -> str:
    if not isinstance(cell, str):
        raise BadCell(not_text_message(cell))
    try:
        check_text(cell, "")
    except InvalidText as error:
        raise BadCell(error.reason) from None
    return cell


def texts_of(cell: Cell) -> list[str]:
    """A cell that is one text, or a list of them; without those that are null."""
    if isinstance(cell, str):  # of most cells, and quicker
        if several := several_in_text(cell):
            what, _, form = several.removesuffix(")").rpartition(" (")
            raise BadCell(f"{what}; {_ADVICE.format(form)}")
        return [_checked_text(cell)]
    return [_checked_text(text) for text in cells_in(cell) if not is_missing(text)]


def is_missing(cell: Cell) -> bool:
    """Whether it is null: None or NaN."""
    return cell is None or (isinstance(cell, float) and isnan(cell))


def has_reference(texts: Sequence[str], cells: Iterable[Cell]) -> bool:
    """Whether the texts of some cells have a reference: one that is not empty, or the only one that there can be."""
    return any(map(str.strip, texts)) or (len(texts) == 1 == sum(len(cells_in(cell)) for cell in cells))


def check_references(texts: Sequence[str], cells: Iterable[tuple[TableRow, str]]) -> None:
    """Refuse a segment whose rows and columns of references have no reference among their texts (`NO_REFERENCE`)."""
    if any(map(str.strip, texts)):  # of nearly all segments, and quicker
        return
    cells = [*cells]
    if not has_reference(texts, [row.cells[column] for row, column in cells]):
        where = ", ".join(dict.fromkeys(row.where for row, _ in cells))
        columns = [repr(without_role(column)) for row, column in cells if row.table.has_columns]
        named = f": column{'s' if len(columns) > 1 else ''} {', '.join(columns)}" if columns else ""
        raise InvalidText(f"{where}{named}", NO_REFERENCE)


def label_of(cell: Cell, kind: str = "a label") -> str:
    """A cell that groups rows, stripped and in NFC, empty if missing; a list or object is no such `kind` of cell."""
    if isinstance(cell, list | dict):
        raise BadCell(f"{kind} must be text or a number, got {type(cell).__name__}")
    if is_missing(cell):
        return ""
    if not isinstance(cell, int | float):  # text; in Parquet also dates, decimals, …
        return compose(str(cell).strip())  # names of files come decomposed from macOS
    return json.dumps(cell)


def plain_id(cell: Cell) -> str:
    """The id in a cell, in the one form in which ids are compared.

    Programs write the id 1 as the numbers 1 and 1.0 and as the texts ``1``, ``1.0`` and ``1 ``: all of them are ``1``.
    Letters are composed (NFC). The id of null, NaN and white space is empty.
    """
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    label = label_of(cell, "an id").strip()
    return label.removesuffix(".0") if fullmatch(r"(0|-?[1-9][0-9]*)\.0", label) else label


def id_of(cell: Cell) -> str:
    """The id of a language pair, segment or system, as `plain_id`, but not empty."""
    if not (label := plain_id(cell)):
        shown = "null" if cell is None else "an empty cell"
        raise BadCell(f"expected an id, got {shown}; fill it in or remove the row")
    return label


def values_of(cell: Cell) -> set[str]:
    """The id in a cell, or the ids in a list, for comparison by `Keep`; only the empty one if there is none."""
    if isinstance(cell, list | tuple):
        return {value for item in cell for value in values_of(item)} - {""} or {""}
    return {plain_id(cell)}


def computable(number: Any) -> Any:
    """Whether statistics can be computed with a number, or with each of an array: it is finite and in `RANGE`."""
    size = abs(number)
    return (size == 0) | (size >= SMALLEST) & (size <= LARGEST)


def number_of(cell: Cell) -> float:
    """A score or a rating: a finite number in `RANGE`."""
    number = _finite(cell)
    if not computable(number):
        raise BadCell(f"expected {RANGE}, got {number:g}; rescale the column, or write what is nearly 0 as 0")
    return number


def numbers_of(cell: Cell) -> list[float]:
    """A number or a list of numbers."""
    if isinstance(cell, list):
        if not cell:
            raise BadCell("an empty list instead of a rating")
        return [number_of(number) for number in cell]
    return [number_of(cell)]


def count_of(cell: Cell) -> int:
    """The number of times that a judgment was made, from 1 to `MAX_COUNT`."""
    count = _finite(cell)
    if not 1 <= count <= MAX_COUNT or not count.is_integer():
        raise BadCell(f"expected a whole number from 1 to {MAX_COUNT:,}, got {count:g}")
    return int(count)


def _finite(cell: Cell) -> float:
    if cell is None or cell == "":
        raise BadCell("a number is missing; leave out rows without one")
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        raise BadCell(f"expected a number, got {type(cell).__name__}")
    try:
        number = to_float(cell) if isinstance(cell, str) else float(cell)
    except (ValueError, OverflowError):
        raise BadCell(f"expected a number, got {str(cell)[:40]!r}") from None
    if not isfinite(number):
        raise BadCell(f"expected a number, got {cell}")
    return number
