"""Files of rows with named columns: CSV and TSV, JSONL with an object on each line, Parquet read batch by batch."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from attrs import frozen

from meteorlib.errors import ExtraMissing, InputMismatch, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, nested_value
from meteorlib.inputs.columns import Row, Table, path_of
from meteorlib.inputs.text_file import LineTable
from meteorlib.resources.store.compression import BLOCK
from meteorlib.text.validation import LONGEST_TEXT, too_long_message


@frozen(slots=False)
class Delimited(LineTable):
    """A CSV or TSV file; a `header` has the column names of a file without a header row.

    Fields may be `quoted`, as in CSV (RFC 4180: quotes in them are doubled, line breaks are allowed). Otherwise
    a quote is an ordinary character, as in TSV.
    """

    delimiter: str
    header: tuple[str, ...]
    quoted: bool

    @classmethod
    def csv(cls, source: Source, delimiter: str, header: tuple[str, ...]) -> Delimited:
        """CSV; without a delimiter the comma."""
        return cls(source, delimiter or ",", header, quoted=True)

    @classmethod
    def tsv(cls, source: Source, delimiter: str, header: tuple[str, ...]) -> Delimited:
        """TSV."""
        return cls(source, delimiter or "\t", header, quoted=False)

    @cached_property
    def columns(self) -> Sequence[str]:
        """Column names from the header."""
        if self.header:
            return self.header
        _, columns = next(self._records(), (0, []))
        if not columns:
            raise InputMismatch(f"{self.name}: is empty; its first line should name the columns")
        for other in "\t;,|":
            if len(columns) == 1 and other in columns[0]:
                named = "tab" if other == "\t" else other
                advice = f"are the fields separated by something else? then add --delimiter '{named}'"
                raise InputMismatch(f"{self.name}: its first line is one field, {columns[0][:60]!r}; {advice}")
        return columns

    @cached_property
    def notes(self) -> Sequence[str]:
        """Byte order marks inside the file, and fields of TSV that look quoted."""
        return (*self.file.mark_advice(), *self._quotes())

    def _quotes(self) -> Iterator[str]:
        if self.quoted:
            return
        for line, fields in self._records():
            if any(len(text) > 1 and text[0] == text[-1] == '"' and '""' in text[1:-1] for text in fields):
                quotes = f"{self.place(line)} has a field in quotes, which are taken as text, as TSV has none"
                yield f"{quotes}; if they are CSV's: --input-format csv --delimiter tab"
                return

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The fields of some columns; a row with more or fewer fields than columns is an `InvalidText`."""
        names = list(self.columns)
        indices = [names.index(column) for column in columns]
        records = self._records()
        if not self.header:
            next(records, None)
        for line, fields in records:
            if len(fields) != len(names):
                fault = f"{len(fields)} field{'s' if len(fields) > 1 else ''}" if fields else "an empty line"
                raise InvalidText(self.place(line), f"{fault}, but {len(names)} columns")
            yield line, [fields[index] for index in indices]

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """The line on which each record begins, and its fields."""
        if not self.quoted:
            for line, text in enumerate(self.file.lines(), 1):
                yield line, text.split(self.delimiter)
            return
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_TEXT))
        reader = csv.reader((f"{line}\n" for line in self.file.lines()), delimiter=self.delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                fields = next(reader, None)
            except csv.Error as error:
                reason = _error_reason(str(error), self.delimiter, reader.line_num - line)
                raise InvalidText(self.place(line), reason) from None
            if fields is None:
                return
            yield line, fields


def _error_reason(reason: str, delimiter: str, lines: int) -> str:
    """The reason of a `csv.Error` in a record that goes on for `lines` more lines."""
    is_large = "field larger" in reason
    if is_large and not lines:
        return f"a field of {too_long_message(LONGEST_TEXT)}"
    if is_large or "unexpected end" in reason:
        within = f" within {LONGEST_TEXT:,} characters" if is_large else ""
        rule = "a quote in a field is written twice, and the field is quoted"
        return f"a quote is opened here and not closed{within}; {rule}"
    if "new-line" in reason:
        return "a carriage return (CR) outside quotes that ends no line"
    if "expected after" in reason:
        return f"text after a closing quote, where {delimiter!r} or a line end is due; a quote in a field is doubled"
    return reason


BATCH_SIZE = 1024

KINDS: Mapping[type[Any], str] = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a truth value",
    type(None): "null",
}


@frozen(slots=False)
class JsonLines(LineTable):
    """A JSONL file, whose columns are the fields of the objects; ``a.b`` is field b of a nested object."""

    nested = True

    @cached_property
    def columns(self) -> Sequence[str]:
        """The fields of all objects, those of the first one first; an object may lack some of them."""
        found: dict[str, None] = {}
        for number, line in enumerate(self.file.lines(), 1):
            try:
                fields = json.loads(line).keys()  # quicker than an `_object`, which says what is wrong
            except (ValueError, RecursionError, AttributeError):
                fields = self._object(line, number).keys()
            if not fields <= found.keys():
                found.update(dict.fromkeys(fields))
        if not found:
            raise InputMismatch(f"{self.name}: is empty")
        return list(found)

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The values of some fields; a line that is not an object, or lacks one of them, is an `InvalidText`."""
        paths = [path_of(self, column) for column in columns]
        for number, line in enumerate(self.file.lines(), 1):
            found = self._object(line, number)
            try:
                yield number, [nested_value(found, path, column) for path, column in zip(paths, columns, strict=True)]
            except BadCell as error:
                raise InvalidText(self.place(number), str(error)) from None

    def _object(self, line: str, number: int) -> dict[str, Any]:
        place = self.place(number)
        if not line.strip():
            raise InvalidText(place, "an empty line; each line must be an object")
        try:
            found = DECODER.decode(line)
        except RecursionError:
            raise InvalidText(place, "nested too deep") from None
        except json.JSONDecodeError as error:
            hint = ""
            if number == 1 and line.lstrip().startswith(("[", "{")):
                hint = "; JSONL has a whole object on each line (--input-format json reads a file of one value)"
            raise InvalidText(place, f"not valid JSON: {error.msg} at character {error.pos + 1}{hint}") from None
        except ValueError as error:
            raise InvalidText(place, str(error)) from None
        if not isinstance(found, dict):
            hint = "; --input-format json reads a file of one value" if isinstance(found, list) else ""
            raise InvalidText(place, f"expected an object, got {KINDS[type(found)]}{hint}")
        return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the field {twice!r} occurs twice in an object")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_object)


@frozen(slots=False)
class Parquet(Table):
    """A Parquet file. A column ``translation.en`` is a field of a struct."""

    nested = True

    @cached_property
    def columns(self) -> Sequence[str]:
        """Column names from the schema."""
        with self.source.stream() as stream:
            opened = open_parquet(self.name, stream)
            with parquet_damage(self.name, "its schema cannot be read"):
                names: list[str] = opened.schema_arrow.names
        return names

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The values of some columns; a damaged file is an `InvalidText`."""
        paths = [path_of(self, column) for column in columns]
        number = 0
        with self.source.stream() as stream:
            opened, leaves = open_parquet(self.name, stream), [".".join(path) for path in paths]
            names = {path[0] for path in paths}
            for batch, values in parquet_batches(opened, BATCH_SIZE, leaves, names, lambda row: self.place(row + 1)):
                for index in range(len(batch)):
                    number += 1
                    try:
                        yield (
                            number,
                            [
                                nested_value(values[path[0]][index], path[1:], column)
                                for path, column in zip(paths, columns, strict=True)
                            ],
                        )
                    except BadCell as error:
                        raise InvalidText(self.place(number), str(error)) from None

    def place(self, number: int) -> str:
        """File and row."""
        return f"{self.name}: row {number}"


@contextmanager
def parquet_damage(where: str, problem: str) -> Iterator[None]:
    """Make an `InvalidText` of the errors that pyarrow raises on damaged files; ValueError is for text not in UTF-8."""
    try:
        import pyarrow as pa  # noqa: PLC0415 – an extra
    except ImportError as error:
        raise ExtraMissing(str(error.name), "parquet") from None
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InvalidText(where, f"{problem}: {error}") from None


def open_parquet(name: str, source: Any) -> Any:
    """A `ParquetFile` of pyarrow, out of a path or a stream; if it is none, an `InvalidText` with its name."""
    with parquet_damage(name, "cannot be read as Parquet"):
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 – an extra

        return ParquetFile(source, buffer_size=BLOCK, page_checksum_verification=True)


def parquet_batches(
    opened: Any, size: int, columns: Sequence[str], read: Iterable[str], place: Callable[[int], str]
) -> Iterator[tuple[Any, dict[str, list[Any]]]]:
    """Batches of `size` rows, each with the values of the columns to read; `place` names the rows before damage."""
    batches, rows = opened.iter_batches(size, columns=columns), 0
    while True:
        with parquet_damage(place(rows), "damaged here or later"):
            batch = next(batches, None)
            if batch is None:
                return
            values = {name: batch.column(name).to_pylist() for name in read}
        rows += len(batch)
        yield batch, values
