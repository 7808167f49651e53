"""Rows of several tables joined by ids, of explicit or usual names, or else by position, in one order of segments.

Tables that are joined by position may not have columns that show that their rows do not belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, pairwise, product

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, id_of, plain_id, rows_of
from meteorlib.inputs.columns import (
    GROUP_COLUMNS,
    KINDS,
    NO_IDS,
    ROW_COLUMNS,
    USUAL_NAMES,
    Cell,
    Table,
    column_of,
    columns_by_name,
    columns_of,
    language_columns,
    normalized_names,
    row_ids,
)
from meteorlib.inputs.rearranged import (
    Key,
    Part,
    Reordered,
    compared_text,
    group_rows,
    grouping_notes,
    ids_advice,
    key_of,
)

MAX_LISTED_IDS = 3

Join = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns by which rows of two tables belong together: those of one, and of the table that it is joined to."""


class _RepeatedIds(InputMismatch):
    """An id that several rows have."""


def find_join(table: Table, base: Table, named: Sequence[str], texts: Sequence[str]) -> Join | None:
    """The columns that join `table` to `base`; None if rows are joined by position.

    They are those that were asked for (`named`), or else those of usual names that both tables have (language pairs may
    have different ones), or else those of one kind (`KINDS`) in each, but none of `texts`, whatever their names.
    """
    if not table.has_columns:
        return None
    if named:
        return columns_of(table, named), columns_of(base, named)
    for kinds in ((), KINDS):
        own, others = _columns_by_kind(table, texts, kinds), _columns_by_kind(base, texts, kinds)
        shared = [name for name in normalized_names((*GROUP_COLUMNS, *ROW_COLUMNS)) if name in own and name in others]
        if set(shared).intersection(normalized_names(ROW_COLUMNS)):
            columns = [(_only_column(table, own[name]), _only_column(base, others[name])) for name in shared]
            languages = language_columns(table, base, texts)
            if languages and languages not in columns:
                columns.insert(0, languages)
            return tuple(own for own, _ in columns), tuple(other for _, other in columns)
    if table.key and (ids := row_ids(base, texts)):
        return (table.key,), (_column_of_key(table, base, ids),)
    if base.key and (ids := row_ids(table, texts)):
        return (_column_of_key(base, table, ids),), (base.key,)
    return None


def _column_of_key(keyed: Table, other: Table, ids: Sequence[str]) -> str:
    """The first column of ids of another table that has the first key of a dictionary, which does not say its name."""
    first = next((id_of(key) for _, (key,) in keyed.rows([keyed.key])), "")
    return next(
        (column for column in ids if any(plain_id(cell) == first for _, (cell,) in other.rows([column]))), ids[0]
    )


def shuffled_numbers(table: Table, columns: Sequence[str]) -> str | None:
    """The first of some columns that numbers the rows, from 0 or 1, in another order than that of the file."""
    for column in columns:
        with suppress(BadCell, InvalidText):  # it is no column of numbers
            found = [plain_id(cell) for _, (cell,) in table.rows([column])]
            numbers = [[*map(str, range(first, first + len(found)))] for first in (0, 1)]
            if found not in numbers and any(set(found) == set(number) for number in numbers):
                return column
    return None


def reorder_like(table: Table, base: Table, join: Join, *, partly: bool = False) -> Table:
    """`table` with its rows in the order in which `base` has the same ids, of which it may have a part (`partly`)."""
    own, others = (rows_by_id(*side) for side in zip((table, base), join, strict=True))
    if list(own) == list(others):
        return table
    if partly and own and others.keys() > own.keys():
        return Reordered(table.source, table, tuple(own.get(key, -1) for key in others))
    faults = [
        f"{owner.name} lacks {_describe_ids([_describe_id(key, columns) for key in lacking], f' of {other.name}')}"
        for owner, has, other, wanted, columns in (
            (table, own, base, others, join[1]),
            (base, others, table, own, join[0]),
        )
        if not other.is_pool and (lacking := [key for key in wanted if key not in has])
    ]
    if faults:
        raise InputMismatch(f"{'; '.join(faults)}; {ids_advice(join[0])}")
    return Reordered(table.source, table, tuple(own[key] for key in others))


def rows_by_id(table: Table, columns: Sequence[str]) -> Mapping[Key, int]:
    """The index of the row of each id, in the order of the rows."""
    found: dict[Key, int] = {}
    again: dict[Key, str] = {}
    for index, row in enumerate(rows_of(table, columns)):
        key = key_of(row, columns)
        if found.setdefault(key, index) != index:
            again.setdefault(key, row.where)
    if again:
        told = [f"{_describe_id(key, columns)}, again at {where}" for key, where in again.items()]
        raise _RepeatedIds(f"{table.name} repeats {_describe_ids(told)}; {ids_advice(columns)}")
    return found


@frozen
class Order:
    """The order of segments that tables share, that of `base`; None if all rows are joined by position.

    Ids are in the columns `named`, or else in columns of usual names, none of the requested columns of `texts`. If only
    a part of the segments is scored, `kept` has a truth value for each of all. The `resegmenter` divided hypotheses.
    """

    base: Table | None = None
    named: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    kept: Sequence[bool] | None = None
    resegmenter: str = ""

    @classmethod
    def of(cls, tables: Sequence[Table], named: tuple[str, ...], texts: tuple[str, ...]) -> Order:
        """The order of the first table that has ids."""
        if named == (NO_IDS,):
            return cls(None, named, texts)
        base = next((table for table in tables if table.has_columns and (named or row_ids(table, texts))), None)
        if base is not None and named:
            rows_by_id(base, columns_of(base, named))
        return cls(base, named, texts)

    def put(
        self, tables: Sequence[Table], references: Mapping[int, Sequence[str]] | None = None, *, partly: bool = False
    ) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        """The tables in this order, and notes on those that may not belong together.

        Rows of a table with nothing but `references`, in these columns, are grouped by their ids, which a note tells.
        Such a table may lack segments if a part of these is kept (`partly`), or if it is the only one and may lack
        whole documents; segments without references are found where these are read.
        Notes report tables that are joined by position though some have ids, text beside a table whose ids number the
        rows in another order, and different source texts. It is an error if ids differ or have no name in common, or
        if rows can only be joined by position and something shows that their orders differ (`check_parallel`).
        """
        if self.named == (NO_IDS,):
            return tuple(tables), ()
        if self.base is None:
            check_parallel(combinations(tables, 2), self.texts)
            return tuple(tables), tuple(source_notes(tables, self.texts))
        base, placed, by_position, notes = self.base, list(tables), list[Table](), list[str]()
        references = references or {}
        for index, table in enumerate(tables):
            if table is base:
                continue
            if (join := find_join(table, base, self.named, self.texts)) is not None:
                lacking = index in references and (partly or (len(references) == 1 and len(join[0]) > 1))
                try:
                    ordered = reorder_like(table, base, join, partly=lacking)
                except _RepeatedIds:
                    grouped = group_rows(table, join[0], references.get(index, ()))
                    ordered = reorder_like(grouped, base, join, partly=lacking)
                    notes += grouping_notes(grouped, join[0])
                placed[index] = ordered
                if table.is_pool and isinstance(ordered, Reordered):
                    notes.extend(ordered.left_out())
                continue
            by_position.append(table)
            if table.has_columns:
                own, columns = (", ".join(row_ids(side, self.texts)) for side in (table, base))
                if own:
                    raise InputMismatch(
                        f"{table.name} and {base.name} have columns of ids, but none in common ({own}; {columns}): "
                        f"give the columns of the same ids one name, or join rows by position: --id-column {NO_IDS}"
                    )
                lacks = f"{table.name} lacks the ids of {base.name} ({columns})"
                notes.append(f"{table.name} and {base.name} are joined by position: {lacks}")
        moved = next((table for table in placed if isinstance(table, Reordered)), None)
        if moved is not None and by_position:
            name = by_position[0].name
            raise InputMismatch(
                f"{name}: has no ids, and {base.name} and {moved.name} have the same ids in different orders, so it is "
                f"not clear which of them it is parallel to; sort them, or give {name} ids"
            )
        check_parallel(product(by_position, tables), self.texts)
        lines = next((table for table in by_position if not table.has_columns), None)
        if lines is not None and (column := shuffled_numbers(base, row_ids(base, self.texts))):
            notes.append(
                f"line N of {lines.name} is joined to row N of {base.name}, whose column {column!r} has the numbers of "
                "the rows in another order; if they are numbers of lines, sort the rows by them"
            )
        return tuple(placed), (*notes, *source_notes(placed, self.texts))

    def whole_count(self, count: int) -> int:
        """The number of all segments, of which `count` are kept."""
        return count if self.kept is None else len(self.kept)

    def part(self, tables: Iterable[Table]) -> tuple[Table, ...]:
        """The rows that are kept of tables in this order."""
        kept = self.kept
        return tuple(tables) if kept is None else tuple(Part(table.source, table, kept) for table in tables)

    def ids(self, tables: Sequence[Table]) -> Sequence[Key]:
        """The ids of all segments, by which `tables` were joined; empty if rows were joined by position."""
        if (base := self.base) is None:
            return ()
        joins = (find_join(table, base, self.named, self.texts) for table in tables if table is not base)
        columns = columns_of(base, self.named) if self.named else next((join[1] for join in joins if join), ())
        return [*rows_by_id(base, columns)] if columns else ()


def _columns_by_kind(
    table: Table, without: Sequence[str], kinds: Sequence[Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """As `columns_by_name`; those of some kinds by the first name of their kind."""
    names = {name: normalized_names(kind)[0] for kind in kinds for name in normalized_names(kind)}
    found: dict[str, list[str]] = {}
    for name, columns in columns_by_name(table, without).items():
        found.setdefault(names.get(name, name), []).extend(columns)
    return found


def _only_column(table: Table, columns: Sequence[str]) -> str:
    if len(set(columns)) > 1:
        raise InputMismatch(f"{table.name}: {', '.join(columns)}: which one has the ids? add --id-column NAME")
    return column_of(table, columns[0])


def _describe_id(key: Key, columns: Sequence[str]) -> str:
    return " ".join(f"{column} {value[:60]!r}" for column, value in zip(columns, key, strict=True))


def _describe_ids(ids: Sequence[str], whose: str = "") -> str:
    more = f"; and {len(ids) - MAX_LISTED_IDS} more" if len(ids) > MAX_LISTED_IDS else ""
    return f"{len(ids)} {'id' if len(ids) == 1 else 'ids'}{whose} ({'; '.join(ids[:MAX_LISTED_IDS])}{more})"


def check_parallel(pairs: Iterable[tuple[Table, Table]], texts: Sequence[str]) -> None:
    """Refuse tables that are joined by position if a column of both shows that their rows do not belong together.

    Columns of `texts` may differ; a file beside itself is left out.
    """
    for one, other in pairs:
        if one.name == other.name:
            continue
        if languages := language_columns(one, other, texts):
            _check_languages(one, other, *languages)
        own, others = columns_by_name(one, texts), columns_by_name(other, texts)
        shared = [(own[name][0], others[name][0]) for name in own if len(own[name]) == 1 == len(others.get(name, ()))]
        if not shared:
            continue
        found, known = map(_column_hashes, (one, other), zip(*shared, strict=True))
        for column, its in shared:
            hashes, beside = found.get(column), known.get(its)
            if hashes and beside and hashes != beside and hashes[1] == beside[1]:
                raise InputMismatch(
                    f"{one.name} and {other.name} are joined by position, but {column!r} has the same values in "
                    "different orders: join the rows by their ids (--id-column NAME; several columns may be named), "
                    f"put them into one order, or, if the rows are parallel, add --id-column {NO_IDS}"
                )


def source_notes(tables: Sequence[Table], texts: Sequence[str]) -> Iterator[str]:
    """Notes on tables in one order whose columns of source texts, none of `texts`, differ: are they of one test set?"""
    columned = [(table, columns_by_name(table, texts)) for table in tables]
    sources = [(table, by[name][0]) for table, by in columned for name in USUAL_NAMES["source"] if name in by]
    for (one, own), (other, others) in pairwise(sources):
        if one.name == other.name:
            continue
        count, first = 0, ""
        with suppress(InvalidText):  # a row without the column
            for where, _, beside, _ in differing_rows(one, own, other, others):
                count, first = count + 1, first or f"{where} and {beside}"
        if count:
            yield f"{count:,} {'row has' if count == 1 else 'rows have'} different sources, the first at {first}"


def differing_rows(
    one: Table, own: str, other: Table, others: str, read: Callable[[Cell], str] = compared_text
) -> Iterator[tuple[str, str, str, str]]:
    """The rows in which a column of a table and one of another in the same order differ: place and value in each."""
    for row, beside in zip(rows_of(one, [own]), rows_of(other, [others]), strict=False):
        value, wanted = read(row.cells[own]), read(beside.cells[others])
        if value != wanted and None not in (row.number, beside.number):  # a row that a table lacks
            yield row.where, value, beside.where, wanted


def _check_languages(one: Table, other: Table, own: str, others: str) -> None:
    with suppress(InvalidText):  # a row without the column
        for where, lp, beside, wanted in differing_rows(one, own, other, others):
            if lp and wanted:
                raise InputMismatch(
                    f"{where}: column {own!r} is {lp!r}, but {beside}: column {others!r} is "
                    f"{wanted!r}: rows that are joined by position must have one language pair; correct the files, or, "
                    f"if the rows are parallel, add --id-column {NO_IDS}"
                )


def _column_hashes(table: Table, columns: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Hashes of the values of each column, in their order and regardless of it; without columns that some rows lack."""
    ordered, values = [0] * len(columns), [0] * len(columns)
    try:
        for _, cells in table.rows(columns):
            for index, cell in enumerate(cells):
                hashed = hash(compared_text(cell))
                ordered[index] = hash((ordered[index], hashed))
                values[index] += hashed
    except InvalidText:  # a row lacks a column
        apart = ([column] for column in columns if len(columns) > 1)
        return {name: hashes for column in apart for name, hashes in _column_hashes(table, column).items()}
    return dict(zip(columns, zip(ordered, values, strict=True), strict=True))
