"""Kinds of tables in memory: pandas, polars, pyarrow, DuckDB, datasets, or dicts of columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ne
from typing import Any

from attrs import frozen

from meteorlib.errors import ExtraMissing, InputMismatch
from meteorlib.text.validation import check_same_order

try:
    import narwhals.stable.v2 as nw
except ImportError as _error:
    raise ExtraMissing(str(_error.name), "frames") from None

Types = Mapping[str, type]
Values = Mapping[str, list[Any]]
"""Names of new columns, in order → their types: float, int or str; names of columns → their values; None is null."""

_NARWHALS = {float: nw.Float64(), int: nw.Int64(), str: nw.String()}
_ARROW = {float: "float64", int: "int64", str: "string"}
_NUMPY = {float: "float64", int: "int64", str: "object"}


def table_of(given: Any) -> NativeTable:
    """Wrap a native table; a DuckDB relation is converted to one of pyarrow, what is no table is refused."""
    module = sys.modules.get("datasets")
    if module is not None and isinstance(given, module.Dataset):
        return _Dataset(given)
    if isinstance(given, Mapping) and not (module is not None and isinstance(given, module.DatasetDict)):
        return _Columns.of(given)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(given, arrow.RecordBatch):
        return _Frame(nw.from_native(arrow.Table.from_batches([given]), eager_only=True), _as_batch)
    try:
        frame = nw.from_native(given)
    except TypeError:
        frame = None
    if isinstance(frame, nw.LazyFrame) and (frame.implementation.is_duckdb() or frame.implementation.is_polars()):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        kind = f"{type(given).__module__.partition('.')[0]}.{type(given).__name__}"
        raise TypeError(
            f"expected a table of pandas, polars, pyarrow, DuckDB or datasets, or a dict of columns, got {kind}; "
            "collect a lazy table first, and choose one of several splits"
        )
    return _Frame(frame)


def _with_nones(values: Iterable[Any]) -> list[Any]:
    listed = [*values]
    if {*map(type, listed)} <= {str}:  # most columns of texts
        return listed
    return [None if _is_missing(value) else value for value in listed]


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA, which do not equal themselves."""
    try:
        return value is None or bool(ne(value, value))
    except TypeError:  # pandas.NA, which is neither equal nor unequal
        return True
    except ValueError:  # an array, which compares element by element
        return False


@frozen
class _Frame:
    """A table supported by narwhals, and the conversion of results to a kind that is not."""

    frame: Any
    convert: Callable[[Any], Any] = lambda native: native

    @property
    def columns(self) -> Sequence[str]:
        return list(self.frame.columns)

    def values(self, name: str) -> list[Any]:
        return _with_nones(self.frame.get_column(name).to_list())

    def select(self, names: Sequence[str], rows: Sequence[int]) -> NativeTable:
        chosen = self.frame.select(nw.col(*names))  # pandas has names that are no text
        if isinstance(rows, range):
            return _Frame(nw.maybe_reset_index(chosen[rows.start : rows.stop : rows.step]), self.convert)
        if chosen.implementation.is_pyarrow():
            chosen = nw.from_native(_without_views(chosen.to_native()))
        return _Frame(nw.maybe_reset_index(chosen[list(rows)]), self.convert)

    def with_columns(self, values: Values, types: Types) -> Any:
        backend = self.frame.implementation
        made = [nw.new_series(name, values[name], _NARWHALS[type_], backend=backend) for name, type_ in types.items()]
        return self.convert(self.frame.with_columns(*made).to_native())

    def new_columns(self, values: Values, types: Types) -> Any:
        schema = {name: _NARWHALS[type_] for name, type_ in types.items()}
        made = nw.from_dict({name: values[name] for name in types}, schema, backend=self.frame.implementation)
        return self.convert(made.to_native())


def _without_views(table: Any) -> Any:
    """An Arrow table whose views of texts are texts, because Arrow cannot choose rows of views."""
    arrow = sys.modules["pyarrow"]
    types = [arrow.large_string() if arrow.types.is_string_view(field.type) else field.type for field in table.schema]
    return table.cast(arrow.schema([field.with_type(type_) for field, type_ in zip(table.schema, types, strict=True)]))


def _as_batch(table: Any) -> Any:
    columns = [column.combine_chunks() for column in table.columns]
    return sys.modules["pyarrow"].RecordBatch.from_arrays(columns, schema=table.schema)


@frozen
class _Columns:
    """A dict of columns: lists, or arrays of numpy or pyarrow. New columns are of the same kind as the first."""

    given: Mapping[str, Any]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> _Columns:
        lengths = {}
        for name, column in given.items():
            if isinstance(column, str | bytes | Mapping) or not hasattr(column, "__getitem__"):
                raise TypeError(f"column {name!r} must be a list or an array, got {type(column).__name__}")
            lengths[name] = len(column)
        for name, length in lengths.items():
            first = next(iter(lengths))
            if length != lengths[first]:
                raise InputMismatch(f"column {first!r} has {lengths[first]} rows but {name!r} has {length}")
        check_same_order(given)
        return cls(given)

    @property
    def columns(self) -> Sequence[str]:
        return list(self.given)

    def values(self, name: str) -> list[Any]:
        column = self.given[name]
        convert = getattr(column, "to_pylist", None) or getattr(column, "tolist", None) or column.__iter__
        return _with_nones(convert())

    def select(self, names: Sequence[str], rows: Sequence[int]) -> NativeTable:
        return _Columns({name: _take_rows(self.given[name], rows) for name in names})

    def with_columns(self, values: Values, types: Types) -> Any:
        return {**self.given, **self.new_columns(values, types)}

    def new_columns(self, values: Values, types: Types) -> Any:
        like = next(iter(self.given.values()), None)
        return {name: _new_column(like, values[name], type_) for name, type_ in types.items()}


def _take_rows(column: Any, rows: Sequence[int]) -> Any:
    if hasattr(column, "to_pylist"):
        arrow = sys.modules["pyarrow"]
        texts = column.cast("large_string") if arrow.types.is_string_view(column.type) else column
        return texts.take(arrow.array(rows, "int64"))
    if hasattr(column, "__array__"):
        return sys.modules["numpy"].asarray(column)[list(rows)]
    return [column[row] for row in rows]


def _new_column(like: Any, values: list[Any], type_: type) -> Any:
    if hasattr(like, "to_pylist"):
        return sys.modules["pyarrow"].array(values, _ARROW[type_])
    if hasattr(like, "__array__"):
        return sys.modules["numpy"].array(values, _NUMPY[type_])
    return values


@frozen
class _Dataset:
    """A Hugging Face `Dataset`."""

    given: Any

    @property
    def columns(self) -> Sequence[str]:
        return list(self.given.column_names)

    def values(self, name: str) -> list[Any]:
        return _with_nones(self.given.select_columns([name]).with_format("arrow")[:][name].to_pylist())

    def select(self, names: Sequence[str], rows: Sequence[int]) -> NativeTable:
        return _Dataset(self.given.select_columns(list(names)).select(rows))

    def with_columns(self, values: Values, types: Types) -> Any:
        dataset = self.given
        for name, type_ in types.items():
            dataset = dataset.add_column(name, values[name], feature=sys.modules["datasets"].Value(_ARROW[type_]))
        return dataset

    def new_columns(self, values: Values, types: Types) -> Any:
        datasets = sys.modules["datasets"]
        features = datasets.Features({name: datasets.Value(_ARROW[type_]) for name, type_ in types.items()})
        return datasets.Dataset.from_dict({name: values[name] for name in types}, features)


NativeTable = _Frame | _Columns | _Dataset
"""A native table.

`values` of a column has None for every kind of missing value: null, NaN, NaT, pandas.NA. `with_columns` and
`new_columns` make native tables of the same kind, with new columns after the existing ones or with only these.
"""
