"""Columns of judgment tables: their usual names, and parsers for their cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import PurePath
from typing import Any, TypeVar

from attrs import frozen

from meteorlib.analysis.meta_evaluation.judgments import Segment
from meteorlib.core.numerals import to_float
from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.ids import DOCUMENT_COLUMNS, LANGUAGE_COLUMNS, SEGMENT_COLUMNS, plain_id
from meteorlib.inputs.table import BadCell, Cell, Table, column_of, path_of, text_of, texts_of, without_role

_T = TypeVar("_T")

USUAL_NAMES: Mapping[str, tuple[str, ...]] = {
    "lp": LANGUAGE_COLUMNS,
    "segment": SEGMENT_COLUMNS,
    "document": DOCUMENT_COLUMNS,
    "system": ("system", "sys", "system_id"),
    "hyp": ("hypothesis", "hyp", "mt", "translation", "output", "caption"),
    "ref": ("references", "reference", "refs", "ref", "post_edit_reference", "target"),
    "better": ("better",),
    "worse": ("worse",),
    "count": ("count", "counts", "n", "times"),
    "source": ("source", "src"),
    "human": ("human", "human_z", "human_score", "rating", "ratings", "z", "da", "da_z_mean", "mqm", "hter", "stars"),
}
"""Usual names of columns by role."""


SMALLEST, LARGEST = 1e-100, 1e100
"""Range of magnitudes, other than 0, whose squares and sums do not overflow or underflow in double precision."""

RANGE = f"numbers that are 0, or from {SMALLEST:g} to {LARGEST:g} in magnitude"

MAX_COUNT = 1_000_000_000
"""Largest count of a judgment; sums of such counts are exact in double precision."""


@frozen
class Columns:
    """Names of columns; empty for the usual ones.

    Attributes:
        lp: column of the language pair.
        segments: columns that together identify the segment.
        system: column of the system.
        hypothesis: column of the judged text.
        references: columns of references.
        human: column of the rating.
    """

    lp: str = ""
    segments: tuple[str, ...] = ()
    system: str = ""
    hypothesis: str = ""
    references: tuple[str, ...] = ()
    human: str = ""

    def key_of(self, table: Table, *, of_texts: bool = True) -> IdColumns:
        """Find the columns that identify the text of a row, or only its segment.

        Raises:
            UnknownName: a named column does not exist.
            InputMismatch: several columns have usual names of the same role.
        """
        others = (self.lp, self.system, self.hypothesis, *self.references, self.human)
        lp = find_column(table, "lp", self.lp)
        system = find_column(table, "system", self.system) if of_texts else None
        segments = [column_of(table, name) for name in self.segments]
        if not segments and (found := find_column(table, "segment", taken=others)):
            segments = [*usual_columns(table, "document", taken=others), found]
        return IdColumns(lp, tuple(segments), system, _plain_name(table.name))


def find_column(table: Table, role: str, name: str = "", taken: Sequence[str] = ()) -> str | None:
    """Find the column with a role; None if there is none.

    Args:
        table: table to search.
        role: key of `USUAL_NAMES`.
        name: name of the column; empty to find it by its usual names, ignoring case.
        taken: columns with another role.

    Raises:
        UnknownName: there is no column called `name`.
        InputMismatch: several columns have usual names of the role.
    """
    if name:
        return column_of(table, name)
    found = usual_columns(table, role, taken)
    if len(found) > 1:
        remedy = f"say --{role}-column NAME" if role not in _ROLES_WITHOUT_OPTION else "rename the others"
        raise InputMismatch(f"{table.name}: {', '.join(map(without_role, found))}: which is meant? {remedy}")
    return found[0] if found else None


def usual_columns(table: Table, role: str, taken: Sequence[str]) -> list[str]:
    """Columns with usual names of a role, except those with another role (`taken`)."""
    return [column for column in table.columns if column.casefold() in USUAL_NAMES[role] and column not in taken]


def required_column(table: Table, role: str, name: str = "") -> str:
    """Like `find_column`, but raises `InputMismatch` if there is none."""
    found = find_column(table, role, name)
    if found is None:
        columns = ", ".join(map(without_role, table.columns))
        missing = (
            f"no column for --{role}-column; name it" if role not in _ROLES_WITHOUT_OPTION else f"no column {role!r}"
        )
        raise InputMismatch(f"{table.name}: {missing}; its columns: {columns}")
    return found


_ROLES_WITHOUT_OPTION = ("better", "worse", "count")
"""Roles whose columns cannot be named by an option."""


def unused_columns(table: Table, used: Iterable[str]) -> list[str]:
    """Columns of a table that are not used, except source texts."""
    known = {path_of(table, column)[0] for column in used}
    return [
        column for column in table.columns if column not in known and column.casefold() not in USUAL_NAMES["source"]
    ]


@frozen
class IdColumns:
    """Columns that identify the text of a row; None or empty where a table lacks one."""

    lp: str | None
    segments: tuple[str, ...]
    system: str | None
    table: str

    @property
    def columns(self) -> list[str]:
        """Names of these columns."""
        return [name for name in (self.lp, *self.segments, self.system) if name]

    def check_same_ids(self, table: Table, segment: Segment) -> None:
        """Check that segments are identified by as many columns as in the table of texts.

        Args:
            table: table of these columns.
            segment: a segment of the table of texts.

        Raises:
            InputMismatch: the numbers of columns differ.
        """
        if len(segment) != len(self.segments):
            raise InputMismatch(
                f"{table.name}: segments are identified by {', '.join(map(without_role, self.segments))}, but by "
                f"{len(segment)} {'column' if len(segment) == 1 else 'columns'} in the judged texts; name columns that "
                "both have: --segment-column NAME (repeatable)"
            )

    def of(self, where: str, cells: Sequence[Cell]) -> tuple[str, Segment, str]:
        """Language pair, segment and system of a row; without such columns the name of the table, `()` and ``""``.

        Args:
            where: location of the row.
            cells: cells of the row, those of `columns` first.

        Raises:
            InvalidText: a cell is a list or an object, or is empty (only the system may be).
        """
        kinds = [id_of] * (bool(self.lp) + len(self.segments)) + [plain_id] * bool(self.system)
        ids = [
            parse_cell(kind, cell, where, column)
            for kind, cell, column in zip(kinds, cells, self.columns, strict=False)
        ]
        lp = ids.pop(0) if self.lp else self.table
        system = ids.pop() if self.system else ""
        return lp, tuple(ids), system


def open_judgment_table(name: str, dialect: Dialect) -> Table:
    """Open a table of judgments.

    Raises:
        InputMismatch: the file does not exist, or its format is unknown.
        InvalidText: the file is malformed.
    """
    return open_table(name, dialect, "hyp", columns=True)


def rows_of(table: Table, columns: Sequence[str]) -> Iterator[tuple[str, Sequence[Cell]]]:
    """Location and cells of each row of a table."""
    for line, cells in table.rows(columns):
        yield table.place(line), cells


def id_of(cell: Cell) -> str:
    """Parse the id of a language pair, segment or system.

    Raises:
        BadCell: the cell is empty, a list or an object.
    """
    if not (found := plain_id(cell)):
        raise BadCell(
            f"expected an id, got {'null' if cell is None else 'an empty cell'}; fill it in or remove the row"
        )
    return found


def numbers_of(cell: Cell) -> list[float]:
    """Parse a number or a list of numbers.

    Raises:
        BadCell: the cell is missing, empty, or not a number.
    """
    if isinstance(cell, list):
        if not cell:
            raise BadCell("an empty list instead of a rating")
        return [number_of(one) for one in cell]
    return [number_of(cell)]


def computable(number: Any) -> Any:
    """Whether statistics can be computed with a number, or with each of an array: it is finite and in `RANGE`."""
    size = abs(number)
    return (size == 0) | (size >= SMALLEST) & (size <= LARGEST)


def number_of(cell: Any) -> float:
    """Parse a score or a rating.

    Raises:
        BadCell: the cell is missing, not a finite number, or out of range.
    """
    found = _finite(cell)
    if not computable(found):
        raise BadCell(f"expected {RANGE}, got {found:g}; rescale the column, or write what is nearly 0 as 0")
    return found


def _finite(cell: Any) -> float:
    if cell is None or cell == "":
        raise BadCell("a number is missing; leave out rows without one")
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        raise BadCell(f"expected a number, got {type(cell).__name__}")
    try:
        found = to_float(cell) if isinstance(cell, str) else float(cell)
    except (ValueError, OverflowError):
        raise BadCell(f"expected a number, got {str(cell)[:40]!r}") from None
    if not isfinite(found):
        raise BadCell(f"expected a number, got {cell}")
    return found


def count_of(cell: Cell) -> int:
    """Parse the number of times that a judgment was made.

    Raises:
        BadCell: the cell is not a whole number from 1 to `MAX_COUNT`.
    """
    count = _finite(cell)
    if not 1 <= count <= MAX_COUNT or not count.is_integer():
        raise BadCell(f"expected a whole number from 1 to {MAX_COUNT:,}, got {count:g}")
    return int(count)


def pair_of(hypothesis: Cell, references: Sequence[Cell]) -> Pair:
    """Parse the hypothesis and the references of a row.

    Raises:
        BadCell: a cell is missing or not text.
    """
    return Pair(tuple(text for cell in references for text in texts_of(cell)), text_of(hypothesis))


def parse_cell(kind: Callable[[Cell], _T], cell: Cell, where: str, column: str) -> _T:
    """Parse a cell by one of the functions above, naming its row and column in errors.

    Raises:
        InvalidText: the cell cannot be parsed.
    """
    try:
        return kind(cell)
    except BadCell as error:
        raise InvalidText(where, f"column {without_role(column)!r}: {error}") from None


def _plain_name(name: str) -> str:
    """Name of a file without its suffixes."""
    return PurePath(name).name.partition(".")[0] or name
