"""Formats of input files, a row each: names, suffixes, first bytes, reader and its options; the choice of columns."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from shlex import quote

from attrs import field, frozen

from meteorlib.errors import InputMismatch, MeteorError
from meteorlib.inputs.byte_source import PARQUET, STANDARD_INPUT, Source
from meteorlib.inputs.columns import SOURCE, Table, check_once
from meteorlib.inputs.text_file import TextFile
from meteorlib.registry import resolve
from meteorlib.text.validation import several_in_text

MAX_LINES = 20

_HEAD = 1 << 16

_COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_NAME = r'(?:"[^"]*"|\w[\w.:-]*)'
_HEADER = rf"{_NAME}(?:([,;]){_NAME})+"


@frozen
class Dialect:
    """Options for reading files.

    Attributes:
        form: one of `FORMATS`, or None to decide by the name of the file.
        delimiter: the character between the fields of CSV and TSV; empty for the usual one.
        header: column names, for CSV and TSV without a header row.
        split: the part of Karpathy's JSON to read; empty for the only one.
    """

    form: str | None = None
    delimiter: str = ""
    header: tuple[str, ...] = ()
    split: str = ""


@frozen
class Format:
    """A format of input files; `title` is its name in messages.

    The reader makes a `Table` of a `Source` and `options`, attributes of `Dialect` or ``role``, the contents of the
    file. `magic` is a pattern of the first bytes, for a format that no text file has; otherwise `is_like` looks at the
    first lines. Columns that have roles say what they hold, such as ``hyp:NAME``, so that none has to be named. If the
    format is one of files with a `role`, others are read as their names say.
    """

    title: str
    reader: str
    suffixes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    magic: bytes = b""
    is_like: Callable[[Sequence[str]], bool] = lambda _: False
    has_roles: bool = False
    role: str = ""

    @property
    def is_never_text(self) -> bool:
        """Whether a file with its suffix is read as such even if no column is named."""
        return bool(self.magic) or self.has_roles

    def fits(self, head: bytes, lines: Sequence[str]) -> bool:
        """Whether a file with these first bytes and lines seems to have this format."""
        return bool(re.match(self.magic, head, re.IGNORECASE)) if self.magic else self.is_like(lines)


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _have_tabs(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and "\t" in lines[0] and len({line.count("\t") for line in lines}) == 1


def _are_fields(lines: Sequence[str]) -> bool:
    """Whether the first line is of names alone, and the others have as many fields."""
    header = re.fullmatch(_HEADER, lines[0].strip())
    if not header or len(lines) < 2:
        return False
    import csv  # noqa: PLC0415 – 0.5 ms of every start

    try:
        records = list(csv.reader((f"{line}\n" for line in lines), delimiter=header[1]))
    except csv.Error:
        return False
    complete = records[:-1] if len(records) > 2 else records  # a quote may be open in the last one
    return len(complete) > 1 and len({len(record) for record in complete}) == 1


_FIELDS = ("delimiter", "header")

FORMATS: dict[str, Format] = {
    "text": Format("text", "meteorlib.inputs.text_file:TextTable"),
    "groups": Format("groups of lines", "meteorlib.inputs.text_file:GroupedText", role="ref"),
    "nbest": Format(
        "n-best lists",
        "meteorlib.inputs.nbest:NbestLists",
        (".nbest",),
        magic=rb"\s*\d+[ \t]*\|\|\|[ \t]",
        has_roles=True,
        role="hyp",
    ),
    "csv": Format("CSV", "meteorlib.inputs.table_files:Delimited.csv", (".csv",), _FIELDS, is_like=_are_fields),
    "tsv": Format("TSV", "meteorlib.inputs.table_files:Delimited.tsv", (".tsv", ".tab"), _FIELDS, is_like=_have_tabs),
    "jsonl": Format(
        "JSONL",
        "meteorlib.inputs.table_files:JsonLines",
        (".jsonl", ".ndjson"),
        is_like=lambda lines: all(map(_is_object, lines)),
    ),
    "json": Format("JSON", "meteorlib.inputs.json_file:Json.or_lines", (".json",), ("role", "split"), has_roles=True),
    "parquet": Format("Parquet", "meteorlib.inputs.table_files:Parquet", (".parquet", ".pq"), magic=PARQUET),
    "sgml": Format(
        "SGML",
        "meteorlib.inputs.markup:sgml",
        (".sgm", ".sgml"),
        ("role",),
        rb"\s*(?:<!DOCTYPE[^>]*>\s*)?<(?:tstset|refset|srcset|mteval)\b",
        has_roles=True,
    ),
    "xml": Format(
        "XML",
        "meteorlib.inputs.markup:xml",
        (".xml",),
        ("role",),
        rb"\s*<(?:\?xml|dataset\b)",
        has_roles=True,
    ),
}
"""Formats by name, the value of ``--input-format``. The last that fits is guessed: JSON may have tabs and commas."""


def file_and_form(given: str) -> tuple[str, str | None]:
    """The file and the format of ``FILE:FORMAT``, unless a file has this whole name."""
    name, _, form = given.rpartition(":")
    return (name, form) if name and form in FORMATS and not Path(given).exists() else (given, None)


def named(given: str, said: str, more: str = "", *, bare: bool = True) -> tuple[str, str]:
    """The parts of ``NAME=FILE``; the file is empty for a `bare` name. `said` and `more` are for the error."""
    name, equals, file = given.partition("=")
    if not name.strip() or (not file if equals else not bare):
        raise InputMismatch(f"{said}: expected NAME=FILE{more}")
    return name, file


def name_and_file(given: str) -> tuple[str, str]:
    """The name and the file of a system, ``NAME=FILE``; the name is empty if there is none, or a file has it all."""
    if "=" not in given or Path(file_and_form(given)[0]).exists():
        return "", given
    name, file = named(given, f"{given}: no such file; to name a system")
    path = file_and_form(file)[0]
    if path != STANDARD_INPUT and not Path(path).exists():
        raise InputMismatch(f"{given}: no such file, nor {path}, if {name!r} is the name of the system")
    return name, file


def distinct_names(what: str, given: Sequence[tuple[str, str]]) -> None:
    """Refuse a name that is given twice; `given` are the names, and what each was given as."""
    names = [name for name, _ in given]
    for place, (name, said) in enumerate(given):
        if name in names[:place]:
            raise InputMismatch(f"{said}: there already is a {what} {name!r}; give it another name")


def form_of(given: str) -> str | None:
    """The format that the name of a file, or what is given with it, says it has, if any."""
    name, form = file_and_form(given)
    if form is not None:
        return form
    path = PurePath(name)
    if path.suffix.lower() in _COMPRESSED_SUFFIXES:
        path = path.with_suffix("")
    return next((form for form, row in FORMATS.items() if path.suffix.lower() in row.suffixes), None)


def _first_lines(source: Source) -> tuple[bytes, Sequence[str]]:
    """The beginning of a file, and its first `MAX_LINES` lines."""
    head = source.beginning(_HEAD).removeprefix(BOM_UTF8)
    text = head.decode(errors="replace")
    lines = text.split("\n")
    del lines[-1:]  # empty, or cut off
    return head, lines[:MAX_LINES] or [text]


def _several_references(text: TextFile) -> Iterator[str]:
    """A note if first lines of a text seem to have several references; tabs count if most lines have some."""
    _, lines = _first_lines(text.source)
    found = [(number, several) for number, line in enumerate(lines, 1) if (several := several_in_text(line))]
    if found and ("tab" not in found[0][1] or len(found) * 2 > len(lines)):
        what, _, form = found[0][1].removesuffix(")").rpartition(" (")
        yield f"line {found[0][0]} of {text.name} seems to be {what}; to read them, add --ref-column 'text:{form}'"


def looks_like(source: Source) -> str | None:
    """The format that a file seems to have from its beginning, for advice; None for plain text."""
    head, lines = _first_lines(source)
    return next((form for form in reversed(FORMATS) if FORMATS[form].fits(head, lines)), None)


def open_table(
    given: str,
    dialect: Dialect,
    role: str = "hyp",
    *,
    columns: bool = True,
    tables: bool = False,
    open_source: Callable[[str], Source] = Source.open,
) -> Table:
    """A file as a table, whose `role` is ``hyp``, ``ref`` or ``src``; `given` is its name, ``-``, or ``FILE:FORMAT``.

    If its `columns` were requested, it is no plain text; nor if those of other files were (`tables`) and its name says
    so. `open_source` opens the file, which may be open already.
    """
    name, told = file_and_form(given)
    source = open_source(name)
    form = told or _form(name, dialect, role, columns=columns, tables=tables)
    if form is None:
        seen = looks_like(source)
        tabular = [name for name, row in FORMATS.items() if name != "text" and not row.role]
        which = f"{seen}, if the guess is right" if seen else "|".join(tabular)
        raise InputMismatch(
            f"{source.name}: its name does not show the format of the table: add --input-format {which}"
        )
    if form == "text" != (told or dialect.form):
        check_text(source, f"--{'source' if role == SOURCE else role}-column NAME")
    return table_of(source, form, dialect, role)


def table_of(source: Source, form: str, dialect: Dialect, role: str) -> Table:
    """The table of a source in a format; see `open_table`."""
    read: Callable[..., Table] = resolve(FORMATS[form].reader)
    return read(source, *(role if name == "role" else getattr(dialect, name) for name in FORMATS[form].options))


def _form(name: str, dialect: Dialect, role: str, *, columns: bool, tables: bool) -> str | None:
    form = dialect.form if dialect.form and FORMATS[dialect.form].role in ("", role) else None
    if form == "text":
        return "text"
    if form and (columns or role == "hyp" or FORMATS[form].has_roles or FORMATS[form].role):
        return form
    said = form_of(name)
    if columns:
        return said
    return said if said and (tables or form or FORMATS[said].is_never_text) else "text"


def mistaken_format(given: str, role: str, text: TextFile) -> Iterator[str]:
    """A note if a file of a role that is read as text looks like a table, with the options to read it as such.

    A file of a format that no text has is an error.
    """
    check_text(text.source, f"--{role}-column NAME")
    said = form_of(given)
    form = said or looks_like(text.source)
    if form is None and role == "ref":
        yield from _several_references(text)
    if form is None or form == "text":
        return
    options = [*([] if said else [f"--input-format {form}"]), f"--{role}-column NAME"]
    columns: Sequence[str] = ()
    with suppress(MeteorError):
        columns = table_of(text.source, form, Dialect(form), "hyp").columns
    listed = f" (columns: {', '.join(columns)})" if columns else ""
    looks = f"{text.name} looks like {FORMATS[form].title}{listed}"
    yield f"{looks} and is read as text, one segment per line; to read it as such, add {' '.join(options)}"


def check_text(source: Source, column: str = "") -> None:
    """Refuse a file that is surely no text with one segment per line; `column` is the option that names a column."""
    head = source.beginning(_HEAD).removeprefix(BOM_UTF8)
    if head[:1].isupper() and not head[1:2].isupper():  # as most texts begin, and no other format
        return
    from meteorlib.inputs.markup import EXTRACT, foreign_format  # noqa: PLC0415 – few texts begin otherwise

    form = next((form for form, row in FORMATS.items() if row.magic and row.fits(head, ())), None)
    if form is None and head.lstrip().startswith((b"[", b"{")):
        from meteorlib.inputs.json_file import is_json  # noqa: PLC0415 – few texts begin so

        form = "json" if is_json(source) else None
    if (title := foreign_format(head)) is not None:
        raise InputMismatch(f"{source.name}: is {title}; {EXTRACT}")
    if form is not None:
        one_side = FORMATS[form].has_roles and source.is_file
        way = f"name it {quote(source.name)}:{form}" if one_side else f"add --input-format {form}"
        column = "" if FORMATS[form].has_roles else f" {column}"
        raise InputMismatch(f"{source.name}: is {FORMATS[form].title}, not text: {way}{column.rstrip()}")


@frozen
class ColumnChoice:
    """The columns and the dialect that the user asked for.

    Attributes:
        hypotheses: columns of hypotheses, one per system.
        references: columns of references.
        labels: groupings of the segments: a column, or ``NAME=FILE`` for a file with one label per line.
        ids: the columns that join the rows of several files; empty for columns of usual names that the files share,
            `columns.NO_IDS` for rows that are joined by position.
        groups: the columns whose values several rows share, each with one of the references of a segment.
        dialect: options for reading the files.
        keep: conditions on the segments to score, as `labels.Keep` reads them; empty for all.
        resegment: whether to divide the text of hypotheses into the segments of the references.
    """

    hypotheses: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    dialect: Dialect = field(factory=Dialect)
    keep: tuple[str, ...] = ()
    resegment: bool = False

    def __attrs_post_init__(self) -> None:
        check_once("column of references", self.references)

    def is_plain(self, files: Sequence[str]) -> bool:
        """Whether all files are text with one segment per line, and nothing is grouped or left out."""
        told = self.labels or self.ids or self.groups or self.keep or self.dialect.split or self.resegment
        if self.names_columns or told:
            return False
        forms = [file_and_form(file)[1] or self.dialect.form for file in files]
        named = (form_of(file) for file, form in zip(files, forms, strict=True) if form is None)
        return {*forms} <= {None, "text"} and not any(FORMATS[form].is_never_text for form in named if form)

    @property
    def names_columns(self) -> bool:
        """Whether columns were asked for, so that some file is a table."""
        return bool(self.hypotheses or self.references or self.dialect.delimiter or self.dialect.header)

    @property
    def label_names(self) -> tuple[str, ...]:
        """Names of the labels: the columns, and the names before files."""
        return tuple(named(label, f"--by {label}")[0] for label in self.labels)

    @property
    def label_files(self) -> tuple[str, ...]:
        """Files of the labels that are no columns."""
        return tuple(file for label in self.labels if (file := named(label, f"--by {label}")[1]))
