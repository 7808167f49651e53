"""Segment ids in tables: the columns that identify rows, and rows reordered to match by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from re import fullmatch, search

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.table import BadCell, Cell, Row, Table, column_of, label_of, normalized

NO_IDS = "none"
"""Value of ``--id-column`` that joins rows by position."""

_SEGMENTS = ("segment_id", "segment", "seg_id", "segid", "seg", "sentence_id", "sent_id", "sid")
_IMAGES = ("image_id", "image")
_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "docid")
_SETS = ("set", "set_id", "setid")

SEGMENT_COLUMNS = (*_SEGMENTS, *_IMAGES)
"""Usual names of columns that identify a segment, or a segment within a document."""

ROW_COLUMNS = ("id", *SEGMENT_COLUMNS, "sample_id", "uid", "guid")
"""Usual names of columns that identify a row; in a table with several rows for a segment not always the segment."""

DOCUMENT_COLUMNS = (*_DOCUMENTS, *_SETS, "collection")
"""Usual names of columns that identify a document, or a set of documents."""

LANGUAGE_COLUMNS = ("lp", "language_pair", "langs")
"""Usual names of columns that identify a language pair."""

GROUP_COLUMNS = (*DOCUMENT_COLUMNS, *LANGUAGE_COLUMNS)
"""Usual names of columns that identify a row only in combination with one of `ROW_COLUMNS`."""

KINDS = (_SEGMENTS, _IMAGES, _DOCUMENTS, _SETS, LANGUAGE_COLUMNS)
"""Usual names that mean the same."""

MAX_LISTED_IDS = 3
"""Ids that an error message lists."""

Key = tuple[str, ...]
"""The id of a row, a text for each of its columns."""


@frozen
class Join:
    """The columns by which rows of two tables belong together.

    Attributes:
        own: columns of one table.
        others: columns of the table that it is joined to, in the same order.
    """

    own: tuple[str, ...]
    others: tuple[str, ...]


def find_join(table: Table, base: Table, named: Sequence[str], texts: Sequence[str]) -> Join | None:
    """The columns that join `table` to `base`.

    Args:
        table: a table.
        base: the table that it is joined to.
        named: columns that were asked for; empty for the columns of usual names that both tables have (language pairs
            may have different ones), or else for columns of one kind (`KINDS`) in each.
        texts: columns that hold texts, whatever their names.

    Returns:
        The columns; None if rows are joined by position.

    Raises:
        UnknownName: a column that was asked for does not exist.
        InputMismatch: it is not clear which column is meant.
    """
    if named:
        return Join(named_columns(table, named), named_columns(base, named))
    for kinds in ((), KINDS):
        own, others = _columns_by_kind(table, texts, kinds), _columns_by_kind(base, texts, kinds)
        shared = [name for name in _normalized_names((*GROUP_COLUMNS, *ROW_COLUMNS)) if name in own and name in others]
        if set(shared).intersection(_normalized_names(ROW_COLUMNS)):
            columns = [(_only_column(table, own[name]), _only_column(base, others[name])) for name in shared]
            languages = language_columns(table, base, texts)
            if languages and languages not in columns:
                columns.insert(0, languages)
            return Join(tuple(one for one, _ in columns), tuple(other for _, other in columns))
    return None


def named_columns(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns of a table with these names, ignoring case, ``_``, ``-`` and white space.

    Raises:
        UnknownName: there is none.
        InputMismatch: there are two.
    """
    columns = columns_by_name(table)
    alike = [columns.get(normalized(name), ()) for name in names]
    return tuple(
        found[0] if len(found) == 1 else column_of(table, name) for name, found in zip(names, alike, strict=True)
    )


def row_ids(table: Table, texts: Sequence[str]) -> Sequence[str]:
    """The columns of usual names that identify rows; none of `texts`."""
    columns = columns_by_name(table, texts)
    return [columns[name][0] for name in _normalized_names(ROW_COLUMNS) if name in columns]


def shuffled_numbers(table: Table, columns: Sequence[str]) -> str | None:
    """The first of some columns that numbers the rows, from 0 or 1, in another order than that of the file."""
    for column in columns:
        with suppress(BadCell, InvalidText):  # it is no column of numbers
            found = [plain_id(cell) for _, (cell,) in table.rows([column])]
            numbers = [[*map(str, range(first, first + len(found)))] for first in (0, 1)]
            if found not in numbers and any(set(found) == set(each) for each in numbers):
                return column
    return None


def id_like_columns(columns: Iterable[str]) -> list[str]:
    """The columns whose names look like those of ids: the usual names, and any that end with ``id`` as a word."""
    usual = {*ROW_COLUMNS, *GROUP_COLUMNS}
    return [name for name in columns if name.casefold() in usual or search(r"(^|[\W_])(id|ID|Id)$|[a-z]I[dD]$", name)]


def reorder_like(table: Table, base: Table, join: Join) -> Table:
    """`table` with its rows in the order in which `base` has the same ids.

    Raises:
        InputMismatch: the tables have different ids, or an id occurs twice.
        InvalidText: a row has no id.
    """
    own, others = rows_by_id(table, join.own), rows_by_id(base, join.others)
    if list(own) == list(others):
        return table
    faults = [
        f"{one.name} lacks {_describe_ids([_describe_id(key, columns) for key in lacking], f' of {other.name}')}"
        for one, has, other, wanted, columns in (
            (table, own, base, others, join.others),
            (base, others, table, own, join.own),
        )
        if (lacking := [key for key in wanted if key not in has])
    ]
    if faults:
        raise InputMismatch(f"{'; '.join(faults)}; {_advice(join.own)}")
    return Reordered(table, tuple(own[key] for key in others))


def rows_by_id(table: Table, columns: Sequence[str]) -> Mapping[Key, int]:
    """The index of the row of each id, in the order of the rows.

    Raises:
        InputMismatch: an id occurs twice.
        InvalidText: a row has no id.
    """
    found: dict[Key, int] = {}
    again: dict[Key, int] = {}
    for index, (number, cells) in enumerate(table.rows(columns)):
        key = tuple(_id_of(table, number, column, cell) for column, cell in zip(columns, cells, strict=True))
        if found.setdefault(key, index) != index:
            again.setdefault(key, number)
    if again:
        told = [f"{_describe_id(key, columns)}, again at {table.place(number)}" for key, number in again.items()]
        raise InputMismatch(f"{table.name} repeats {_describe_ids(told)}; {_advice(columns)}")
    return found


def plain_id(cell: Cell) -> str:
    """The id in a cell, in the one form in which ids are compared.

    Programs write the id 1 as the numbers 1 and 1.0 and as the texts ``1``, ``1.0`` and ``1 ``: all of them are ``1``.
    Letters are composed (NFC).

    Returns:
        The id; empty for null, NaN and white space.

    Raises:
        BadCell: the cell is a list or an object.
    """
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    label = label_of(cell).strip()
    return label.removesuffix(".0") if fullmatch(r"(0|-?[1-9][0-9]*)\.0", label) else label


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


def columns_by_name(table: Table, without: Sequence[str] = ()) -> Mapping[str, Sequence[str]]:
    """The columns of a table by their normalized names, but for some."""
    left_out = set(map(normalized, without))
    found: dict[str, list[str]] = {}
    for column in table.columns:
        if (name := normalized(column)) not in left_out:
            found.setdefault(name, []).append(column)
    return found


def language_columns(table: Table, other: Table, texts: Sequence[str]) -> tuple[str, str] | None:
    """The columns of language pairs of two tables: those with one name, or else the only ones; None without them."""
    by_name = [columns_by_name(one, texts) for one in (table, other)]
    each = [[name for name in _normalized_names(LANGUAGE_COLUMNS) if name in columns] for columns in by_name]
    shared = [name for name in each[0] if name in each[1]]
    own, others = (shared[:1], shared[:1]) if shared else each
    return (by_name[0][own[0]][0], by_name[1][others[0]][0]) if len(own) == len(others) == 1 else None


def _columns_by_kind(
    table: Table, without: Sequence[str], kinds: Sequence[Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """The columns of a table by their normalized names; those of some kinds by the first name of their kind."""
    names = {name: _normalized_names(kind)[0] for kind in kinds for name in _normalized_names(kind)}
    found: dict[str, list[str]] = {}
    for name, columns in columns_by_name(table, without).items():
        found.setdefault(names.get(name, name), []).extend(columns)
    return found


def _normalized_names(names: Sequence[str]) -> Sequence[str]:
    """Usual names, normalized."""
    return list(dict.fromkeys(map(normalized, names)))


def _only_column(table: Table, columns: Sequence[str]) -> str:
    if len(set(columns)) > 1:
        raise InputMismatch(f"{table.name}: {', '.join(columns)}: which one has the ids? add --id-column NAME")
    return column_of(table, columns[0])


def _id_of(table: Table, number: int, column: str, cell: Cell) -> str:
    try:
        label = plain_id(cell)
    except BadCell:
        raise InvalidText(f"{table.place(number)}: column {column!r}", "an id must be text or a number") from None
    if not label:
        raise InvalidText(f"{table.place(number)}: column {column!r}", f"a row without an id; {_advice([column])}")
    return label


def _describe_id(key: Key, columns: Sequence[str]) -> str:
    return " ".join(f"{column} {value[:60]!r}" for column, value in zip(columns, key, strict=True))


def _describe_ids(ids: Sequence[str], whose: str = "") -> str:
    more = f"; and {len(ids) - MAX_LISTED_IDS} more" if len(ids) > MAX_LISTED_IDS else ""
    return f"{len(ids)} {'id' if len(ids) == 1 else 'ids'}{whose} ({'; '.join(ids[:MAX_LISTED_IDS])}{more})"


def _advice(columns: Sequence[str]) -> str:
    return (
        f"rows are joined by {', '.join(columns)}: give each row a unique id, the same in every file, name "
        f"other columns with --id-column, or join rows by position with --id-column {NO_IDS}"
    )
