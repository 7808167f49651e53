"""The files of a `Choice`, opened side by side, and the columns in them that are meant."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from meteorlib.corpus.textfile import TextFile
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.formats.choice import Choice
from meteorlib.formats.joined import Field, Joined
from meteorlib.formats.lines import TEXT, TextTable
from meteorlib.formats.opening import open_table
from meteorlib.formats.table import Ordered, Table, column_of, shown, with_role


def opened(choice: Choice, references: Sequence[str], hypotheses: str) -> Joined:
    """The files side by side; see `Choice.open`."""
    tabular = bool(choice.hypotheses or choice.dialect.delimiter or choice.dialect.header)
    first = open_table(hypotheses, choice.dialect, "hyp", columns=tabular or bool(choice.references and not references))
    tables: list[Table] = [first]
    systems = _fields(first, 0, choice.hypotheses, "hyp")
    texts = [] if references else _fields(first, 0, choice.references, "ref")
    for index, name in enumerate(references, 1):
        table = open_table(name, choice.dialect, "ref", columns=bool(choice.references))
        if isinstance(table, Ordered) and isinstance(first, type(table)):
            table = table.in_order_of(first)
        tables.append(table)
        texts += _fields(table, index, choice.references, "ref")
    labels = [_label(tables, name) for name in choice.labels]
    return Joined(tuple(tables), tuple(systems), tuple(texts), tuple(labels))


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
