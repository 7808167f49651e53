"""Bases of result classes: printed as a listing, shown as tables in notebooks, used as a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, overload

from meteorlib.display.text import DIGITS, NONE, Row, digits, listing, probability, signed

if TYPE_CHECKING:
    from meteorlib.display.drawing import Plan

Grid = list[list[str]]
"""Cells of a table, column names first."""

ROWS_SHOWN = 20
"""Rows of a long table that a notebook shows."""

P_VALUES = frozenset({"p", "adjusted_p", "williams"})
"""Attributes that are p values."""


class Displayable:
    """Base of classes that are printed as a listing; notebooks draw a table, and the alignment as a matrix."""

    __slots__ = ()

    def _rows(self) -> Iterable[Row]:
        return ()

    def _plan(self) -> Plan | None:
        """The alignment that is drawn below the rows; None for no drawing."""
        return None

    def __str__(self) -> str:
        plan = self._plan()
        return listing([*self._rows(), *(() if plan is None else plan.rows())])

    def _repr_html_(self) -> str:
        from meteorlib.display.notebook import listing_html  # noqa: PLC0415 – 1.5 ms of every start

        return listing_html([*self._rows()], self._plan())


class AsNumber:
    """Base of classes with a `score`, which numeric operations use; an empty format specification gives `str(self)`.

    The order is that of the scores, also between two of them. Equality is left to the class, which may compare more:
    two results can have the same score and still differ. Then ``<=`` and ``>=`` are true, and ``==`` is not.
    """

    __slots__ = ()

    score: float

    def __float__(self) -> float:
        return self.score

    @overload
    def __round__(self, ndigits: None = None) -> int: ...
    @overload
    def __round__(self, ndigits: SupportsIndex) -> float: ...
    def __round__(self, ndigits: SupportsIndex | None = None) -> float:
        return round(self.score, ndigits)

    def __format__(self, specification: str) -> str:
        return format(self.score, specification) if specification else str(self)

    def __lt__(self, other: AsNumber | float) -> bool:
        return self.score < _number(other)

    def __le__(self, other: AsNumber | float) -> bool:
        return self.score <= _number(other)

    def __gt__(self, other: AsNumber | float) -> bool:
        return self.score > _number(other)

    def __ge__(self, other: AsNumber | float) -> bool:
        return self.score >= _number(other)


def _number(other: AsNumber | float) -> float:
    return other.score if isinstance(other, AsNumber) else other


class Tabular:
    """Base of result classes; a notebook shows a list of facts, then tables, then the settings.

    Columns and facts are named by their attributes, in words (`in_words`). Numbers are written as in the output of the
    commands.
    """

    __slots__ = ()

    _columns: ClassVar[str] = ""  # attributes shown as columns, by path, separated by spaces
    _facts: ClassVar[str] = ""  # those shown in a list above the tables, in the same way
    _settings: ClassVar[str] = ""  # those shown in a list below the tables, the signature last
    _signed: ClassVar[frozenset[str]] = frozenset()  # attributes written with their sign: differences

    def _fact_rows(self) -> Iterable[Row]:
        return self._listed(self._facts)

    def _setting_rows(self) -> Iterable[Row]:
        return self._listed(self._settings)

    def _listed(self, paths: str) -> list[Row]:
        return [(in_words(path), cell(self, path)) for path in paths.split()]

    def _grids(self) -> Iterable[Grid]:
        """The tables; by default one with a single row."""
        return [grid_of([self])] if self._columns else []

    def _in_cell(self, write: Callable[[float], str]) -> str:
        """The result as part of another one's row."""
        return ", ".join(cell(self, path, write=write) for path in self._columns.split())

    def _repr_html_(self) -> str:
        from meteorlib.display.notebook import tables_html  # noqa: PLC0415 – for notebooks only

        return tables_html(self._fact_rows(), self._grids(), self._setting_rows())


def in_words(path: str) -> str:
    """An attribute as a heading: ``difference.interval`` is “difference interval”; p values do without their owner."""
    owner, _, name = path.rpartition(".")
    return (
        (name if name in P_VALUES else owner if name == "value" and owner else path)
        .removeprefix("scored.")
        .replace(".", " ")
        .replace("_", " ")
    )


def grid_of(
    results: Sequence[Tabular], labels: Mapping[str, Sequence[str]] | None = None, *, width: int = DIGITS
) -> Grid:
    """A table with a row for each result, one or more of one class; columns without any value are left out.

    `labels` are columns to put in front, by heading; numbers have `width` digits after the point.
    """
    columns = [[heading, *texts] for heading, texts in (labels or {}).items()]
    paths = results[0]._columns.split()  # noqa: SLF001 – the base's own
    for path in paths:
        cells = [cell(result, path, width=width) for result in results]
        if set(cells) != {NONE} or len(paths) == 1:
            columns.append([in_words(path), *cells])
    return [list(row) for row in zip(*columns, strict=True)]


def records_grid(records: Iterable[Any], heading: str) -> Grid:
    """A table with a row for each named tuple, numbered from 0; none if there are none."""
    listed = list(records)
    rows = [[str(number), *map(str, record)] for number, record in enumerate(listed)]
    return [[heading, *map(in_words, listed[0]._fields)], *rows] if listed else []


def numbered(values: Sequence[float], heading: str) -> Grid:
    """A table of numbers with their indices, from 0; of many only the first."""
    rows = [[str(index), digits(value)] for index, value in enumerate(values[:ROWS_SHOWN])]
    more = len(values) - len(rows)
    return [["index", heading], *rows, *([["…", f"{more} more"]] if more else [])] if rows else []


def value_at(result: object, path: str) -> Any:
    """The value of an attribute, or of one of its own, by their names with dots between; None from the first None."""
    for name in path.split(".") if path else ():
        result = None if result is None else getattr(result, name)
    return result


def cell(
    result: object, path: str, *, width: int = DIGITS, scale: int = 1, write: Callable[[float], str] | None = None
) -> str:
    """The value of an attribute as text; for `path` see `value_at`.

    Numbers have `width` digits after the point, and those that are no p values are multiplied by `scale`; `write` is
    another way to write them.
    """
    parents, _, name = path.rpartition(".")
    owner = value_at(result, parents)
    if owner is None:
        return NONE
    with_sign = isinstance(owner, Tabular) and name in owner._signed  # noqa: SLF001

    def number(value: float) -> str:
        if name in P_VALUES:
            return probability(value)
        if name == "confidence":
            return f"{value:g}"
        return signed(scale * value, width) if with_sign else digits(scale * value, width)

    return "".join(_written(getattr(owner, name), write or number))


def _written(value: Any, write: Callable[[float], str]) -> Iterator[str]:
    if value is None:
        yield NONE
    elif isinstance(value, bool):
        yield "yes" if value else "no"
    elif isinstance(value, float):
        yield write(value)
    elif isinstance(value, Tabular):
        yield value._in_cell(write)  # noqa: SLF001
    elif isinstance(value, Mapping):
        yield ", ".join(f"{key} {''.join(_written(entry, write))}" for key, entry in value.items()) or NONE
    elif isinstance(value, tuple):
        several = any(isinstance(entry, Tabular) for entry in value)
        yield str(len(value)) if several else ", ".join("".join(_written(entry, write)) for entry in value) or NONE
    else:
        yield str(value)
