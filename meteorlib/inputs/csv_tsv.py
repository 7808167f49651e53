"""CSV and TSV tables, with column names in the first row."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import Row
from meteorlib.inputs.text_file import LineTable
from meteorlib.text.validation import LONGEST_TEXT, too_long_message


@frozen(slots=False)
class Delimited(LineTable):
    """A CSV or TSV file.

    Attributes:
        delimiter: the character between fields.
        header: column names, for files without a header row.
        quoted: whether fields may be quoted, as in CSV (RFC 4180: quotes in quoted fields are doubled, line breaks are
            allowed). Otherwise a quote is an ordinary character, as in TSV.
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
            if any(len(one) > 1 and one[0] == one[-1] == '"' and '""' in one[1:-1] for one in fields):
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
