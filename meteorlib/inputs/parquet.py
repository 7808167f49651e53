"""Parquet tables, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from meteorlib.errors import ExtraMissing, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, nested_value
from meteorlib.inputs.columns import path_of
from meteorlib.inputs.table import Row
from meteorlib.resources.store.compression import BLOCK

BATCH_SIZE = 1024
"""Rows that are held at a time."""


@frozen(slots=False)
class Parquet:
    """A Parquet file as a `Table`. A column ``translation.en`` is a field of a struct.

    Attributes:
        source: the bytes.
    """

    source: Source
    nested: bool = True
    notes: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The path."""
        return self.source.name

    @cached_property
    def columns(self) -> Sequence[str]:
        """Column names from the schema.

        Raises:
            ExtraMissing: pyarrow is not installed.
            InvalidText: the file is not Parquet, or is damaged.
        """
        with self.source.stream() as stream:
            opened = self._open(stream)
            try:
                names: list[str] = opened.schema_arrow.names
            except _read_errors() as error:
                raise InvalidText(self.name, f"its schema cannot be read: {error}") from None
        return names

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The values of some columns.

        Raises:
            InvalidText: the file is damaged.
        """
        paths = [path_of(self, column) for column in columns]
        number = 0
        damage = _read_errors()
        with self.source.stream() as stream:
            batches = self._open(stream).iter_batches(BATCH_SIZE, columns=[".".join(path) for path in paths])
            while True:
                try:
                    batch = next(batches, None)
                    if batch is None:
                        return
                    values = {name: batch.column(name).to_pylist() for name in {path[0] for path in paths}}
                except damage as error:
                    raise InvalidText(self.place(number + 1), f"damaged here or later: {error}") from None
                for index in range(len(batch)):
                    number += 1
                    try:
                        yield number, [nested_value(values[path[0]][index], path[1:]) for path in paths]
                    except BadCell as error:
                        raise InvalidText(self.place(number), str(error)) from None

    def place(self, number: int) -> str:
        """File and row."""
        return f"{self.name}: row {number}"

    def _open(self, stream: Any) -> Any:
        damage = _read_errors()
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 – an extra

        try:
            return ParquetFile(stream, buffer_size=BLOCK, page_checksum_verification=True)
        except damage as error:
            raise InvalidText(self.name, f"cannot be read as Parquet: {error}") from None


def _read_errors() -> tuple[type[Exception], ...]:
    """The exceptions that pyarrow raises on damaged files; ValueError for names that are not UTF-8."""
    try:
        import pyarrow as pa  # noqa: PLC0415 – an extra
    except ImportError as error:
        raise ExtraMissing(str(error.name), "parquet") from None
    return pa.ArrowException, OSError, ValueError
