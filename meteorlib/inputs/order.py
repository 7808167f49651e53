"""The shared order of segments in several tables, matched by id or else by position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.ids import (
    NO_IDS,
    Join,
    Key,
    Reordered,
    find_join,
    named_columns,
    reorder_like,
    row_ids,
    rows_by_id,
    shuffled_numbers,
)
from meteorlib.inputs.position_check import check_parallel, source_notes
from meteorlib.inputs.table import Table
from meteorlib.inputs.text_table import TextTable


@frozen
class Order:
    """The order of segments that tables share.

    Attributes:
        base: the table that defines the order; None if all rows are joined by position.
        named: the requested id columns; empty for columns of usual names.
        texts: the requested text columns, which are not ids.
    """

    base: Table | None = None
    named: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, tables: Sequence[Table], named: tuple[str, ...], texts: tuple[str, ...]) -> Order:
        """The order of the first table that has ids.

        Raises:
            UnknownName: it has no such column.
            InputMismatch: an id occurs twice in a column that was asked for.
            InvalidText: a row has no such id.
        """
        if named == (NO_IDS,):
            return cls(None, named, texts)
        columned = [table for table in tables if not isinstance(table, TextTable)]
        base = next((table for table in columned if named or row_ids(table, texts)), None)
        if base is not None and named:
            rows_by_id(base, named_columns(base, named))
        return cls(base, named, texts)

    def put(self, tables: Sequence[Table]) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        """The tables in this order, and notes on those that may not belong together.

        Notes report tables that are joined by position though some have ids, text beside a table whose ids number the
        rows in another order, and different source texts.

        Raises:
            UnknownName: a table has no such column.
            InputMismatch: tables have different ids, or columns of ids with no name in common; rows of some can only be
                joined by position, and the tables with ids have different orders, or another column shows that rows do
                (`check_parallel`).
            InvalidText: a row has no id.
        """
        if self.named == (NO_IDS,):
            return tuple(tables), ()
        if self.base is None:
            check_parallel(combinations(tables, 2), self.texts)
            return tuple(tables), tuple(source_notes(tables, self.texts))
        base, placed, by_position, notes = self.base, list(tables), list[Table](), list[str]()
        for index, table in enumerate(tables):
            if table is base:
                continue
            join = self._join(table, base)
            if join is not None:
                placed[index] = reorder_like(table, base, join)
                continue
            by_position.append(table)
            if not isinstance(table, TextTable):
                own, columns = (", ".join(row_ids(one, self.texts)) for one in (table, base))
                if own:
                    raise InputMismatch(
                        f"{table.name} and {base.name} have columns of ids, but none in common ({own}; {columns}): "
                        f"give the columns of the same ids one name, or join rows by position: --id-column {NO_IDS}"
                    )
                notes.append(
                    f"{table.name} and {base.name} are joined by position: {table.name} lacks the ids of {base.name} "
                    f"({columns})"
                )
        moved = next((table for table in placed if isinstance(table, Reordered)), None)
        if moved is not None and by_position:
            name = by_position[0].name
            raise InputMismatch(
                f"{name}: has no ids, and {base.name} and {moved.name} have the same ids in different orders, so it is "
                f"not clear which of them it is parallel to; sort them, or give {name} ids"
            )
        check_parallel(product(by_position, tables), self.texts)
        lines = next((table for table in by_position if isinstance(table, TextTable)), None)
        if lines is not None and (column := shuffled_numbers(base, row_ids(base, self.texts))):
            notes.append(
                f"line N of {lines.name} is joined to row N of {base.name}, whose column {column!r} has the numbers of "
                "the rows in another order; if they are numbers of lines, sort the rows by them"
            )
        return tuple(placed), (*notes, *source_notes(placed, self.texts))

    def ids(self, tables: Sequence[Table]) -> Sequence[Key]:
        """The ids of the segments, by which `tables` were joined; empty if rows were joined by position."""
        if self.base is None:
            return ()
        base = self.base
        joins = filter(None, (self._join(table, base) for table in tables if table is not base))
        columns = named_columns(base, self.named) if self.named else next((join.others for join in joins), ())
        return [*rows_by_id(base, columns)] if columns else ()

    def _join(self, table: Table, base: Table) -> Join | None:
        return None if isinstance(table, TextTable) else find_join(table, base, self.named, self.texts)
