"""The readers by format, which the file's name or the user chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.guess import looks_like
from meteorlib.inputs.table import Table
from meteorlib.registry import resolve

FORMATS = ("text", "csv", "tsv", "jsonl", "parquet", "sgml", "xml")

NON_TEXT_FORMATS = ("parquet", "sgml", "xml")
"""Formats that no text file has."""

_SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".pq": "parquet", ".sgm": "sgml", ".sgml": "sgml", ".xml": "xml",
}  # fmt: skip
_COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_KINDS = "|".join(FORMATS[1:])


@frozen
class Dialect:
    """Options for reading files.

    Attributes:
        form: one of `FORMATS`, or None to decide by the name of the file.
        delimiter: the character between the fields of CSV and TSV; empty for the usual one.
        header: column names, for CSV and TSV without a header row.
    """

    form: str | None = None
    delimiter: str = ""
    header: tuple[str, ...] = ()


def form_of(name: str) -> str | None:
    """The format that the name of a file says it has, if any."""
    path = PurePath(name)
    if path.suffix.lower() in _COMPRESSED_SUFFIXES:
        path = path.with_suffix("")
    return _SUFFIXES.get(path.suffix.lower())


def open_table(
    name: str,
    dialect: Dialect,
    role: str,
    *,
    columns: bool,
    tables: bool = False,
    open_source: Callable[[str], Source] = Source.open,
) -> Table:
    """The file called `name`.

    Args:
        name: its path; ``-`` is standard input.
        dialect: options for reading the file.
        role: contents of the file: ``hyp``, ``ref`` or ``src``.
        columns: whether columns of the file were requested, so that it is a table.
        tables: whether columns of other files were requested, so that the file is a table if its name says so.
        open_source: function that opens the file, which may be open already.

    Raises:
        InputMismatch: the file does not exist, or its format is unknown.
        InvalidText: the file is malformed.
    """
    source = open_source(name)
    form = _form(name, dialect, role, columns=columns, tables=tables)
    if form is None:
        seen = looks_like(source)
        which = f"add --input-format {seen}, if the guess is right" if seen else f"add --input-format {_KINDS}"
        raise InputMismatch(f"{source.name}: its name does not show the format of the table: {which}")
    return table_of(source, form, dialect, role)


def table_of(source: Source, form: str, dialect: Dialect, role: str) -> Table:
    """A source in a format; see `open_table`."""
    read: Callable[..., Table] = resolve(_READERS[form])
    if form == "sgml":
        return read(source, role)
    if form in ("csv", "tsv"):
        return read(source, dialect.delimiter, dialect.header)
    return read(source)


_READERS: Mapping[str, str] = {
    "text": "meteorlib.inputs.text_table:TextTable.of",
    "csv": "meteorlib.inputs.csv_tsv:Delimited.csv",
    "tsv": "meteorlib.inputs.csv_tsv:Delimited.tsv",
    "jsonl": "meteorlib.inputs.jsonl:JsonLines.of",
    "parquet": "meteorlib.inputs.parquet:Parquet",
    "sgml": "meteorlib.inputs.sgml_table:Sgml.read",
    "xml": "meteorlib.inputs.wmt:Wmt",
}
"""Readers by format, imported on demand."""


def _form(name: str, dialect: Dialect, role: str, *, columns: bool, tables: bool) -> str | None:
    if dialect.form == "text":
        return "text"
    if dialect.form and (columns or role == "hyp" or dialect.form in ("sgml", "xml")):
        return dialect.form
    said = form_of(name)
    if columns:
        return said
    return said if said and (tables or dialect.form or said in NON_TEXT_FORMATS) else "text"
