"""Choice: which columns of which files hold hypotheses, references and labels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from attrs import field, frozen

from meteorlib.corpus.textfile import TextFile
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.formats.joined import Field, Joined
from meteorlib.formats.lines import TEXT, TextTable
from meteorlib.formats.opening import OWN_WORD, Dialect, form_of, open_table
from meteorlib.formats.table import Ordered, Table, column_of, shown, with_role


@frozen
class Choice:
    """What was asked for.

    Attributes:
        hypotheses: columns of hypotheses, one a system.
        references: columns of references.
        labels: what segments are grouped by: a column, or ``NAME=FILE`` for a file of labels, one a line.
        dialect: how files are to be read.
    """

    hypotheses: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    dialect: Dialect = field(factory=Dialect)

    def is_plain(self, files: Sequence[str]) -> bool:
        """Whether all files are text, a segment a line, and nothing is grouped."""
        if self.hypotheses or self.references or self.labels or self.dialect.delimiter or self.dialect.header:
            return False
        if self.dialect.form is not None:
            return self.dialect.form == "text"
        return all(form_of(name) not in OWN_WORD for name in files)

    def open(self, references: Sequence[str], hypotheses: str) -> Joined:
        """The files side by side.

        Args:
            references: files; none where the references are columns of `hypotheses`.
            hypotheses: a file, which may hold several systems.

        Raises:
            InputMismatch: a file is not there, or it is not clear which columns are meant.
            InvalidText: a file is not what it should be.
            UnknownName: there is no such column.
        """
        tabular = bool(self.hypotheses or self.dialect.delimiter or self.dialect.header)
        first = open_table(hypotheses, self.dialect, "hyp", columns=tabular or bool(self.references and not references))
        tables: list[Table] = [first]
        systems = _fields(first, 0, self.hypotheses, "hyp")
        texts = [] if references else _fields(first, 0, self.references, "ref")
        for index, name in enumerate(references, 1):
            table = open_table(name, self.dialect, "ref", columns=bool(self.references))
            if isinstance(table, Ordered) and isinstance(first, type(table)):
                table = table.in_order_of(first)
            tables.append(table)
            texts += _fields(table, index, self.references, "ref")
        labels = [_label(tables, name) for name in self.labels]
        return Joined(tuple(tables), tuple(systems), tuple(texts), tuple(labels))

    @property
    def label_names(self) -> tuple[str, ...]:
        """What the labels are called: the columns, and the names before files."""
        return tuple(name.partition("=")[0] for name in self.labels)


_ASKED = {"hyp": "hypotheses", "ref": "references"}


def _fields(table: Table, index: int, names: Sequence[str], role: str) -> list[Field]:
    if isinstance(table, TextTable):
        if names and not index:
            raise InputMismatch(f"{table.name}: is read as text, a segment a line, which has no columns")
        return [Field(index, TEXT)]
    if names:
        return [Field(index, column_of(table, name, role)) for name in names]
    if own := with_role(table, role):
        return [Field(index, column, optional=role == "ref") for column in own]
    columns = ", ".join(map(shown, table.columns))
    raise InputMismatch(
        f"{table.name}: which column holds the {_ASKED[role]}? say --{role}-column NAME; its columns: {columns}"
    )


def _label(tables: list[Table], name: str) -> Field:
    """The column called `name` of the first table that has one; or a file, which joins the tables."""
    columned = [index for index, table in enumerate(tables) if not isinstance(table, TextTable)]
    for index in columned:
        with suppress(UnknownName):
            return Field(index, column_of(tables[index], name))
    label, equals, file = name.partition("=")
    if equals and label:
        tables.append(TextTable(TextFile.open(file)))
        return Field(len(tables) - 1, TEXT)
    if columned:
        column_of(tables[columned[0]], name)  # says that there is none
    raise InputMismatch(f"text has no column {name!r}; give a file of labels, one a line: --by {name}=FILE")
