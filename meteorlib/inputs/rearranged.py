"""Tables with the rows of another one: in other order, in part, or with all rows of a segment's references as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, zip_longest
from shlex import quote
from typing import Any

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, TableRow, plain_id, rows_of, texts_of
from meteorlib.inputs.columns import (
    GROUP_COLUMNS,
    NO_IDS,
    ROW_COLUMNS,
    USUAL_NAMES,
    Cell,
    OptionalColumn,
    Row,
    Table,
    cells_in,
    normalized,
    normalized_names,
    split_form,
    without_role,
)
from meteorlib.inputs.text_file import several_references

Key = tuple[str, ...]
"""The id of a row, a text for each of its columns."""


@frozen(slots=False)
class Rearranged(Table):
    """A table whose rows are those of another one: the base of `Reordered`, `Grouped` and `Part`."""

    table: Table

    @property
    def columns(self) -> Sequence[str]:
        """As in the table."""
        return self.table.columns

    @property
    def notes(self) -> Sequence[str]:
        """As in the table."""
        return self.table.notes

    @property
    def key(self) -> str:
        """As in the table."""
        return self.table.key

    @property
    def language(self) -> str:
        """As in the table."""
        return self.table.language

    @property
    def nested(self) -> bool:  # type: ignore[override]
        """As in the table."""
        return self.table.nested

    @property
    def has_columns(self) -> bool:  # type: ignore[override]
        """As in the table."""
        return self.table.has_columns

    def place(self, number: Any) -> str:
        """File and line, or row."""
        return self.table.place(number)


@frozen(slots=False)
class Reordered(Rearranged):
    """A table whose rows come in another order, of which `order` has the indices; they are in memory while read.

    Rows that the table lacks have the index -1, cells that are None, and None as their number.
    """

    order: tuple[int, ...]

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns."""
        rows: list[Row] = [*self.table.rows(columns), (None, [None] * len(columns))]
        return (rows[index] for index in self.order)

    def place(self, number: Any) -> str:
        """File and line, or row; the file alone for a row that it lacks."""
        return self.name if number is None else self.table.place(number)

    def left_out(self) -> Iterator[str]:
        """A note on rows that are not in the order."""
        if count := sum(1 for _ in self.table.rows(())) - len(self.order):
            rows = "1 more row, of an id" if count == 1 else f"{count:,} more rows, of ids"
            yield f"{self.name} has {rows} that no other file has; {'it is' if count == 1 else 'they are'} left out"


@frozen(slots=False)
class Part(Rearranged):
    """Some rows of a table: those for which `kept`, which has a truth value for each row, is true."""

    kept: Sequence[bool]

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns."""
        for count, (row, keep) in enumerate(zip_longest(self.table.rows(columns), self.kept)):
            if row is None or keep is None:
                more = "fewer" if row is None else "more"
                raise InputMismatch(
                    f"{self.name}: has {more} rows than the {len(self.kept)} segments, of which a part is kept; row "
                    f"{count + 1} is {'missing' if row is None else 'too many'}"
                )
            if keep:
                yield row


@frozen(slots=False)
class Grouped(Rearranged):
    """A table of which several rows, whose indices `groups` has, are one.

    Cells of the columns of `texts`, with the form of their texts (`columns.split_form`), are lists.
    """

    groups: tuple[tuple[int, ...], ...]
    texts: Mapping[str, str]

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns; an `InvalidText` if cells that are no lists differ in a group."""
        rows = list(self.table.rows(columns))
        for group in self.groups:
            numbers = [rows[row][0] for row in group]
            cells = ([rows[row][1][index] for row in group] for index in range(len(columns)))
            yield numbers[0], [self._cell(column, numbers, own) for column, own in zip(columns, cells, strict=True)]

    def _cell(self, column: str, numbers: Sequence[Any], cells: Sequence[Cell]) -> Cell:
        if (form := self.texts.get(column)) is not None:
            for number, cell in zip(numbers, cells, strict=True):
                TableRow(self.table, number, {column: cell}).read(column, partial(check_joinable, form=form))
            return joined_cells(cells)
        if other := other_value(cells):
            raise InvalidText(
                f"{self.place(numbers[other])}: column {without_role(column)!r}",
                f"{str(cells[other])[:60]!r}, but {str(cells[0])[:60]!r} at {self.place(numbers[0])}: rows of one "
                "segment may differ in their references only",
            )
        return cells[0]


def check_joinable(cell: Cell, form: str) -> None:
    """Refuse a text that seems to hold several in no form that is said: in a list with others, it would be one."""
    if isinstance(cell, str) and not form:
        texts_of(cell)


def joined_cells(cells: Iterable[Cell]) -> list[Cell]:
    """The texts of the rows of a segment, of which each has one or a list."""
    return [text for cell in cells for text in cells_in(cell)]


def other_value(cells: Sequence[Cell]) -> int | None:
    """The index of the first cell that is not as the first one, but for white space around it."""
    first = cells[0]
    others = (index for index, cell in enumerate(cells) if cell != first and str(cell).strip() != str(first).strip())
    return next(others, None)


def rows_by_key(keys: Iterable[Key]) -> Mapping[Key, list[int]]:
    """The indices of the rows of each key, in the order of their first ones."""
    found: dict[Key, list[int]] = {}
    for index, key in enumerate(keys):
        found.setdefault(key, []).append(index)
    return found


def key_of(row: TableRow, columns: Sequence[str]) -> Key:
    """The id of a row, which must have one in each of its columns."""
    key = tuple([row.read(column, plain_id) for column in columns])
    if "" in key:
        column = columns[key.index("")]
        raise InvalidText(f"{row.where}: column {column!r}", f"a row without an id; {ids_advice([column])}")
    return key


def ids_advice(columns: Sequence[str]) -> str:
    """Advice for ids that do not fit."""
    return (
        f"rows are joined by {', '.join(columns)}: give each row a unique id, the same in every file, name "
        f"other columns with --id-column, or join rows by position with --id-column {NO_IDS}"
    )


def compared_text(cell: Cell) -> str:
    """A cell as text, the same in every format, as ids are compared."""
    try:
        return plain_id(cell)
    except BadCell:
        return repr(cell)


def group_rows(table: Table, columns: Sequence[str], references: Sequence[str], *, asked: bool = False) -> Table:
    """The table with all rows of an id as one, its columns of references as lists.

    It is the table itself if no rows with one id have different references, unless groups were `asked` for.
    """
    keys: list[Key] = []
    texts: dict[Key, list[Cell]] = {}
    for row in rows_of(table, [*columns, *map(OptionalColumn, references)]):
        key, own = key_of(row, columns), [row.cells[name] for name in references]
        keys.append(key)
        asked = asked or texts.setdefault(key, own) != own
    if not asked or len({*keys}) == len(keys):
        return table
    forms = dict((name, "") if name in table.columns else split_form(name) for name in references)
    return Grouped(table.source, table, tuple(map(tuple, rows_by_key(keys).values())), forms)


def grouping_notes(table: Table, columns: Sequence[str]) -> Iterator[str]:
    """A note on the numbers of rows that are one segment."""
    if isinstance(table, Grouped):
        yield several_references(table.name, [*map(len, table.groups)], ", ".join(map(without_role, columns)))


def is_plain(cell: Cell) -> bool:
    """Whether it can be an id."""
    return isinstance(cell, str | int | float)


ROWS_LOOKED_AT = 500
"""Rows at the beginning of a table by which `grouping_columns` decides; more would take time."""

_REPEATED = 1.5
"""Rows for each value of a column without a usual name, from which its values count as ids."""


def grouping_columns(
    rows: Sequence[Mapping[str, Cell]], hypotheses: Sequence[str], references: Sequence[str], labels: Sequence[str] = ()
) -> Sequence[str]:
    """The columns that identify a segment, if each row seems to have one of its references; else none.

    Rows with one id then never differ in their hypotheses, but in their references. Rows of other groups (`labels`),
    documents or systems are other segments.
    """
    texts, groups = {*hypotheses, *references}, normalized_names((*GROUP_COLUMNS, *USUAL_NAMES["system"], *labels))
    left = [name for name, cell in (rows[0].items() if rows else ()) if name not in texts and is_plain(cell)]
    beside = [name for name in left if normalized(name) in groups and len({str(row[name]) for row in rows}) > 1]
    usual, sources = normalized_names(ROW_COLUMNS), normalized_names(USUAL_NAMES["source"])

    outputs = len({tuple([str(row[name]) for name in hypotheses]) for row in rows})  # a column of kinds has few

    def count_groups(columns: Sequence[str]) -> tuple[int, bool]:
        """The number of groups, and whether there are different references in one; 0 if hypotheses differ."""
        seen: dict[Key, tuple[list[Cell], list[Cell]]] = {}
        several = False
        for row in rows:
            own = [row[column] for column in hypotheses], [row[column] for column in references]
            first = seen.setdefault(tuple([compared_text(row[column]) for column in columns]), own)
            if first[0] != own[0]:
                return 0, False
            several = several or first[1] != own[1]
        return len(seen), several

    for name in sorted(left, key=lambda name: normalized(name) not in usual):
        values = [row[name] for row in rows]
        if normalized(name) not in {*groups, *sources} and len({*map(str, values)}) < len(values):
            count, several = count_groups([*beside, name])
            if several and (normalized(name) in usual or (len(rows) >= _REPEATED * count and 1 < count <= 2 * outputs)):
                return [name] if count_groups([name])[0] == count else [*beside, name]
    return ()


def check_rows_are_segments(
    table: Table, hypotheses: Sequence[str], references: Sequence[str], labels: Sequence[str]
) -> None:
    """Refuse a table in which each row seems to have one of several references of a segment (`grouping_columns`)."""
    columns = [OptionalColumn(name) for name in dict.fromkeys((*table.columns, *hypotheses, *references))]
    rows = [row.cells for row in islice(rows_of(table, columns), ROWS_LOOKED_AT)]
    if names := grouping_columns(rows, hypotheses, references, labels):
        shown = " ".join(f"--group {quote(without_role(name))}" for name in names)
        names = [*map(without_role, names)]
        raise InputMismatch(f"{table.name}: {grouping_advice(names, shown, f'--id-column {NO_IDS}')}")


def grouping_advice(names: Sequence[str], group: str, rows: str) -> str:
    """Advice where rows of one id seem to be one segment: the options to `group` them, or to score each of the rows."""
    return (
        f"rows with the same {', '.join(names)} have one hypothesis and different references: if they are the "
        f"references of one segment, add {group}; if each row is a segment, add {rows}"
    )
