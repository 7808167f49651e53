"""Tabular: base class of results that notebooks show as tables, with attributes as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from meteorlib.core.rows import DIGITS, NONE, Row, digits, probability, signed

Grid = list[list[str]]
"""Cells of a table, column names first."""

ROWS_SHOWN = 20
"""Rows of a long table that a notebook shows."""

P_VALUES = frozenset({"p", "adjusted_p", "williams"})
"""Attributes that are p values."""


class Tabular:
    """Base of result classes; a notebook shows a list of facts, then tables.

    Columns are named by attributes, as they are typed to read the value: ``difference.p``. Numbers are written as in
    the output of the commands.
    """

    __slots__ = ()

    _columns: ClassVar[str] = ""
    """Attributes shown as columns, by path, separated by spaces."""

    _facts: ClassVar[str] = ""
    """Attributes shown in a list above the tables, in the same way."""

    _signed: ClassVar[frozenset[str]] = frozenset()
    """Attributes written with their sign: differences."""

    def _fact_rows(self) -> Iterable[Row]:
        """The list above the tables."""
        return [(path, cell(self, path)) for path in self._facts.split()]

    def _grids(self) -> Iterable[Grid]:
        """The tables; by default one with a single row."""
        return [grid_of([self])] if self._columns else []

    def _in_cell(self, write: Callable[[float], str]) -> str:
        """The result as part of another one's row."""
        return ", ".join(cell(self, path, write=write) for path in self._columns.split())

    def _repr_html_(self) -> str:
        from meteorlib.core.notebook import tables_html  # noqa: PLC0415 – for notebooks only

        return tables_html(self._fact_rows(), self._grids())


def grid_of(
    results: Sequence[Tabular], labels: Mapping[str, Sequence[str]] | None = None, *, width: int = DIGITS
) -> Grid:
    """A table with a row for each result; columns without any value are left out.

    Args:
        results: results of one class, one or more.
        labels: columns to put in front, by heading.
        width: digits after the decimal point.
    """
    columns = [[heading, *texts] for heading, texts in (labels or {}).items()]
    paths = results[0]._columns.split()  # noqa: SLF001 – the base's own
    for path in paths:
        cells = [cell(result, path, width=width) for result in results]
        if set(cells) != {NONE} or len(paths) == 1:
            columns.append([path, *cells])
    return [list(row) for row in zip(*columns, strict=True)]


def records_grid(records: Iterable[Any], heading: str) -> Grid:
    """A table with a row for each named tuple, numbered from 0; none if there are none."""
    listed = list(records)
    if not listed:
        return []
    return [[heading, *listed[0]._fields], *([str(place), *map(str, one)] for place, one in enumerate(listed))]


def numbered(values: Sequence[float], heading: str) -> Grid:
    """A table of numbers with their indices, from 0; of many only the first."""
    rows = [[str(place), digits(value)] for place, value in enumerate(values[:ROWS_SHOWN])]
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
    """The value of an attribute as text.

    Args:
        result: owner of the first attribute.
        path: see `value_at`.
        width: digits after the decimal point.
        scale: factor of numbers that are not p values.
        write: writes numbers; None for the way that fits the attribute.
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
        yield ", ".join(f"{key} {''.join(_written(one, write))}" for key, one in value.items()) or NONE
    elif isinstance(value, tuple):
        several = any(isinstance(one, Tabular) for one in value)
        yield str(len(value)) if several else ", ".join("".join(_written(one, write)) for one in value) or NONE
    else:
        yield str(value)
