"""Tables: their interface, the usual names of columns by role, and columns found by role or by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from attrs import frozen

from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.byte_source import Source

PREFIXES = ("hyp", "ref")
"""Beginnings of column names that say what a column holds, as in ``ref:A``."""

SOURCE = "src"

NO_IDS = "none"
"""Value of ``--id-column`` that joins rows by position."""

_SEGMENTS = ("segment_id", "segment", "seg_id", "segid", "seg", "sentence_id", "sent_id", "sid")
_IMAGES = ("image_id", "image")
_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "docid")
_SETS = ("set", "set_id", "setid")

SEGMENT_COLUMNS = (*_SEGMENTS, *_IMAGES)
"""Usual names of columns that identify a segment, or a segment within a document."""

ROW_COLUMNS = ("id", *SEGMENT_COLUMNS, "sample_id", "uid", "guid")
"""Usual names of columns that identify a row; in a table with several rows for a segment not always the segment."""

DOCUMENT_COLUMNS = (*_DOCUMENTS, *_SETS, "collection")

LANGUAGE_COLUMNS = ("lp", "language_pair", "langs", "lang_pair")

TARGET_COLUMNS = (
    "tgt_lang", "trg_lang", "target_lang", "tgt_language", "trg_language", "target_language", "hyp_lang", "ref_lang",
    "lang", "language", "locale", "target_locale",
)  # fmt: skip
"""Usual names of columns of the language of hypotheses and references."""

GROUP_COLUMNS = (*DOCUMENT_COLUMNS, *LANGUAGE_COLUMNS)
"""Usual names of columns that identify a row only in combination with one of `ROW_COLUMNS`."""

KINDS = (_SEGMENTS, _IMAGES, _DOCUMENTS, _SETS, LANGUAGE_COLUMNS)
"""Usual names that mean the same."""

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

ROLES_WITHOUT_OPTION = ("better", "worse", "count")
"""Roles whose columns no option names."""

_IGNORED_IN_NAMES = r"[\s_\-\ufeff]+"

NO_REFERENCE = "no reference: null, missing or empty; fill one in or remove the row"

Cell = Any
"""Value of a cell: a string, or None if it is missing; in some formats also a list or a number."""


def cells_in(cell: Cell) -> list[Cell]:
    """The items of a cell that is a list, in the form of any kind of table; else the cell itself."""
    if hasattr(cell, "tolist"):  # an array of numpy, as pandas reads lists from Parquet
        cell = cell.tolist()
    return [*cell] if isinstance(cell, list | tuple) else [cell]


class OptionalColumn(str):
    """The name of a column in which a row may lack the field: its cell is None then, instead of an `InvalidText`."""

    __slots__ = ()


Row = tuple[Any, Sequence[Cell]]
"""The number of a row, or any other key by which `Table.place` finds it, and its cells."""


@frozen(slots=False)
class Table:
    """A file of rows, which can be read repeatedly in constant memory: the base of the readers of all formats."""

    source: Source
    nested: ClassVar[bool] = False
    """Whether a column may hold objects, of which ``column.field`` is a column, too."""
    has_columns: ClassVar[bool] = True
    """Whether it is no text with one segment per line, whose one column has no role of its own."""

    @property
    def name(self) -> str:
        """The path."""
        return self.source.name

    @property
    def columns(self) -> Sequence[str]:
        """The names of its columns; such as ``hyp:NAME`` and ``ref:NAME`` where the file says what they hold."""
        raise NotImplementedError

    @property
    def notes(self) -> Sequence[str]:
        """Oddities that do not prevent reading the file."""
        return ()

    @property
    def key(self) -> str:
        """The column of ids of a dictionary, which other tables may call by any name; empty for other files."""
        return ""

    @property
    def is_pool(self) -> bool:
        """Whether it has a whole data set, of which other files may have a part."""
        return False

    def unnamed_texts(self, role: str) -> Sequence[str]:  # noqa: ARG002 – most formats know none
        """Columns with the texts of a role that need not be named, though their names do not say the role."""
        return ()

    @property
    def language(self) -> str:
        """The language that the file itself says that hypotheses and references have, such as ``de``; or empty."""
        return ""

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The cells of some columns."""
        raise NotImplementedError

    def place(self, number: Any) -> str:
        """File and line, or row, for messages."""
        return f"{self.name}:{number}"


def normalized(name: str) -> str:
    """The name of a column without the differences between programs: case, ``_``, ``-``, white space, U+FEFF."""
    return re.sub(_IGNORED_IN_NAMES, "", name).casefold()


def normalized_names(names: Sequence[str]) -> Sequence[str]:
    """Names, `normalized`, each once."""
    return list(dict.fromkeys(map(normalized, names)))


def without_role(column: str) -> str:
    """The name of a column without the prefix that says its role."""
    role, colon, name = column.partition(":")
    return name if colon and role in PREFIXES else column


def with_role(table: Table, role: str) -> Sequence[str]:
    """The columns to which the file itself gives this role; the one of source texts has no name besides."""
    named = [
        column for column in table.columns if (column == role if role == SOURCE else column.startswith(f"{role}:"))
    ]
    return named or table.unnamed_texts(role)


_FORM = r"(?s)(.+):(list|text|separator=.+)"


def split_form(name: str) -> tuple[str, str]:
    """The name of a column and the form of its texts, said after a colon, as in ``refs:list``; empty if none is."""
    found = re.fullmatch(_FORM, name)
    return (found[1], found[2]) if found else (name, "")


def check_once(what: str, names: Sequence[str]) -> None:
    """Refuse a name that is given twice, where the second would count as another."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputMismatch(f"{what} {name!r} is given twice; name it once")


def listed_columns(columns: Iterable[str]) -> str:
    """Names of columns for a message."""
    return ", ".join(map(without_role, columns))


def column_of(table: Table, name: str, role: str = "") -> str:
    """The column called `name` or ``role:name``, or of another role, or else the only one with a similar name.

    So a reference is found as a system, and a system as a reference. Names are similar if they are equal `normalized`.
    """
    for known in (f"{role}:{name}", name, *(f"{other}:{name}" for other in PREFIXES if role in PREFIXES)):
        count = table.columns.count(known)
        if count > 1:
            raise InputMismatch(f"{table.name}: {count} columns are called {known!r}; rename them")
        if count:
            return known
    if table.nested and "." in name and table.columns.count(name.partition(".")[0]) == 1:
        return name
    base, form = split_form(name)
    if form:
        return f"{column_of(table, base, role)}:{form}"
    alike = [column for column in table.columns if name and normalized(column) == normalized(name)]
    if len(alike) == 1:
        return alike[0]
    raise UnknownName(f"column of {table.name}", name, [without_role(column) for column in table.columns])


def columns_of(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns with these names, as `column_of`."""
    return tuple(column_of(table, name) for name in names)


def first_column(tables: Sequence[Table], name: str, role: str = "", *, missing: str) -> tuple[Table, str]:
    """The first table with such a column, and the column; without any table, `missing` is the error."""
    if not tables:
        raise InputMismatch(missing)
    for table in tables:
        with suppress(UnknownName):
            return table, column_of(table, name, role)
    return tables[0], column_of(tables[0], name, role)  # says that there is none


def usual_columns(table: Table, role: str, without: Sequence[str] = ()) -> list[str]:
    """Columns with usual names of a role, in the order of the table, except those with another role (`without`)."""
    usual = {*map(normalized, USUAL_NAMES[role])}.difference(normalized(split_form(name)[0]) for name in without)
    return [column for column in table.columns if normalized(column) in usual]


def find_column(table: Table, role: str, name: str = "", without: Sequence[str] = ()) -> str | None:
    """The column called `name`, or else the one with a usual name of a role; None if there is none."""
    if name:
        return column_of(table, name)
    found = usual_columns(table, role, without)
    if len(found) > 1:
        remedy = f"say --{role}-column NAME" if role not in ROLES_WITHOUT_OPTION else "rename the others"
        raise InputMismatch(f"{table.name}: {listed_columns(found)}: which is meant? {remedy}")
    return found[0] if found else None


def required_column(table: Table, role: str, name: str = "") -> str:
    """Like `find_column`, but raises `InputMismatch` if there is none."""
    if (found := find_column(table, role, name)) is not None:
        return found
    missing = f"no column for --{role}-column; name it" if role not in ROLES_WITHOUT_OPTION else f"no column {role!r}"
    raise InputMismatch(f"{table.name}: {missing}; its columns: {listed_columns(table.columns)}")


def score_column(table: Table, name: str, others: Iterable[str]) -> str | None:
    """The column of scores: called `name` or ``score``, or else the only one but for `others`; None if none is."""
    left = columns_by_name(table, [*others])
    for wanted in (name, "score"):
        if alike := left.get(normalized(wanted), ()):
            return wanted if wanted in alike else alike[0]
    return next(iter(left.values()))[0] if len(left) == 1 else None


def unused_columns(table: Table, used: Iterable[str]) -> list[str]:
    """Columns of a table that are not used, except source texts."""
    known = {path_of(table, split_form(column)[0])[0] for column in used}
    sources = usual_columns(table, "source")
    return [column for column in table.columns if column not in known and column not in sources]


def path_of(table: Table, column: str) -> list[str]:
    """The names that lead to a column of a nested table, one after the other: ``translation.en`` is a field of one."""
    return [column] if column in table.columns else column.split(".")


def columns_by_name(table: Table, without: Sequence[str] = ()) -> Mapping[str, Sequence[str]]:
    """The columns of a table by their normalized names, except some; text has none."""
    left_out = {normalized(split_form(name)[0]) for name in without}
    found: dict[str, list[str]] = {}
    for column in table.columns if table.has_columns else ():
        if (name := normalized(column)) not in left_out:
            found.setdefault(name, []).append(column)
    return found


def row_ids(table: Table, texts: Sequence[str]) -> Sequence[str]:
    """The columns of usual names that identify rows; none of `texts`."""
    columns = columns_by_name(table, texts)
    return [columns[name][0] for name in normalized_names(ROW_COLUMNS) if name in columns]


def id_like_columns(columns: Iterable[str]) -> list[str]:
    """The columns whose names look like those of ids: the usual names, and any that end with ``id`` as a word."""
    usual = {*map(normalized, (*ROW_COLUMNS, *GROUP_COLUMNS))}
    ending = re.compile(r"(^|[\W_])(id|ID|Id)$|[a-z]I[dD]$")
    return [name for name in columns if normalized(name) in usual or ending.search(name)]


def language_columns(table: Table, other: Table, texts: Sequence[str]) -> tuple[str, str] | None:
    """The columns of language pairs of two tables: those with the same name, or else the only ones; None if unclear."""
    by_name = [columns_by_name(side, texts) for side in (table, other)]
    own, others = ([name for name in normalized_names(LANGUAGE_COLUMNS) if name in columns] for columns in by_name)
    if shared := [name for name in own if name in others][:1]:
        own = others = shared
    return (by_name[0][own[0]][0], by_name[1][others[0]][0]) if len(own) == len(others) == 1 else None
