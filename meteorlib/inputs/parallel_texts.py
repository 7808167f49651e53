"""Hypotheses, references and labels of each segment, side by side, from one or more files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import islice, product, zip_longest

from attrs import Factory, frozen

from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Labels, Rows
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, TableRow, label_of, rows_of, text_of, texts_of
from meteorlib.inputs.columns import (
    LANGUAGE_COLUMNS,
    NO_IDS,
    SOURCE,
    Table,
    column_of,
    columns_by_name,
    first_column,
    listed_columns,
    normalized,
    with_role,
    without_role,
)
from meteorlib.inputs.formats import ColumnChoice, open_table
from meteorlib.inputs.join import Order, check_parallel, differing_rows, source_notes
from meteorlib.inputs.text_file import TEXT, TextFile, TextTable

BATCH_SIZE = 500


@frozen
class Field:
    """A column of one of the tables; rows may lack an optional one, as a document may lack the second translator."""

    table: int
    column: str
    optional: bool = False


@frozen
class ParallelTexts:
    """Segments, the rows of tables that belong together: a column for each system, and of references and labels."""

    tables: tuple[Table, ...]
    hypotheses: tuple[Field, ...]
    references: tuple[Field, ...]
    labels: tuple[Field, ...] = ()
    order: Order = Factory(Order)
    order_notes: tuple[str, ...] = ()

    @property
    def notes(self) -> Sequence[str]:
        """Notes on oddities that do not prevent reading the files."""
        return [*(note for table in self.tables for note in table.notes), *self.order_notes]

    @property
    def ids(self) -> Sequence[str]:
        """The id of each segment, parts of several columns joined by ``/``; empty if rows were joined by position."""
        return ["/".join(key) for key in self.order.ids(self.tables)]

    @property
    def texts(self) -> Sequence[TextFile]:
        """The files that are text with one segment per line."""
        return [table.file for table in self.tables if isinstance(table, TextTable)]

    @property
    def columned(self) -> Sequence[Table]:
        """The files that have columns."""
        return [table for table in self.tables if table.has_columns]

    def language_pairs(self) -> Sequence[str]:
        """The language pairs in the first column of a usual name (`LANGUAGE_COLUMNS`), each once; empty without one."""
        for table in self.columned:
            columns = columns_by_name(table, self.order.texts)
            for name in map(normalized, LANGUAGE_COLUMNS):
                if name in columns:
                    with suppress(BadCell, InvalidText):
                        return [*dict.fromkeys(label_of(cell) for _, (cell,) in table.rows(columns[name][:1]))]
        return ()

    def name_of(self, field: Field) -> str:
        """File and column of a field, for messages; the file alone if it is text."""
        table = self.tables[field.table]
        return f"{table.name}, column {without_role(field.column)!r}," if table.has_columns else table.name

    def check(self) -> tuple[int, int | None, int]:
        """Go through all files: count the segments and the references of each (None if it varies), hash the labels."""
        count, numbers, label_hash = 0, set(), 0
        for references, _, labels in self._texts(range(len(self.hypotheses))):
            count += 1
            label_hash = hash((label_hash, labels))
            numbers.add(len(references))
        if not count:
            raise InputMismatch(f"nothing to score: {', '.join(table.name for table in self.tables)}: no segments")
        return count, numbers.pop() if len(numbers) == 1 else None, label_hash

    def pairs(self, system: int = 0) -> Iterator[Pair]:
        """The segments of a system."""
        for references, (hypothesis,), _ in self._texts([system]):
            yield Pair(references, hypothesis)

    def batches(self, system: int = 0) -> Iterator[Rows]:
        """The segments of a system in batches, with their labels."""
        rows = self._texts([system])
        while batch := list(islice(rows, BATCH_SIZE)):
            pairs = [Pair(references, hypothesis) for references, (hypothesis,), _ in batch]
            yield Rows(pairs, [labels for _, _, labels in batch] if self.labels else ())

    def _texts(self, systems: Sequence[int]) -> Iterator[tuple[list[str], list[str], Labels]]:
        hypotheses = [self.hypotheses[system] for system in systems]
        for rows in self._rows([*hypotheses, *self.references, *self.labels]):
            present = [
                field
                for field in self.references
                if not field.optional or rows[field.table].cells[field.column] is not None
            ]
            if not present:
                raise InvalidText(rows[self.references[0].table].where, "has no reference")
            yield (
                [text for field in present for text in rows[field.table].read(field.column, texts_of)],
                [rows[field.table].read(field.column, text_of) for field in hypotheses],
                tuple([rows[field.table].read(field.column, label_of) for field in self.labels]),
            )

    def _rows(self, fields: Sequence[Field]) -> Iterator[Sequence[TableRow]]:
        """The rows of a segment, one of each table."""
        wanted: list[dict[str, None]] = [{} for _ in self.tables]
        for field in fields:
            wanted[field.table][field.column] = None
        streams = [rows_of(table, [*columns]) for table, columns in zip(self.tables, wanted, strict=True)]
        for count, rows in enumerate(zip_longest(*streams)):
            if None in rows:
                raise self._mismatch([count + (row is not None) for row in rows], streams)
            yield rows

    def _mismatch(self, counts: list[int], streams: Sequence[Iterator[TableRow]]) -> InputMismatch:
        totals = [count + sum(1 for _ in stream) for count, stream in zip(counts, streams, strict=True)]
        sizes = ", ".join(f"{table.name} has {total}" for table, total in zip(self.tables, totals, strict=True))
        return InputMismatch(f"the files must have the same number of segments: {sizes}")


def open_files(
    choice: ColumnChoice,
    references: Sequence[str],
    hypotheses: str,
    beside: ParallelTexts | None = None,
    open_source: Callable[[str], Source] = Source.open,
) -> ParallelTexts:
    """Open the files of a choice side by side; see `meteorlib.inputs.systems.Inputs.systems`.

    If the files of another system, `beside` these, have ids, these get the same order of segments.
    """
    tabular = bool(choice.hypotheses or choice.dialect.delimiter or choice.dialect.header)
    columns, named = tabular or bool(choice.references and not references), choice.names_columns
    open_file = partial(open_table, dialect=choice.dialect, tables=named, open_source=open_source)
    first = open_file(hypotheses, role="hyp", columns=columns)
    tables: list[Table] = [first]
    systems = [Field(0, column) for column in text_columns(first, "hyp", choice.hypotheses)]
    of_texts = [(0, first)] if not references else []
    for index, name in enumerate(references, 1):
        table = open_file(name, role="ref", columns=bool(choice.references))
        tables.append(table)
        of_texts.append((index, table))
    texts = [
        Field(index, column, optional=not choice.references)
        for index, table in of_texts
        for column in text_columns(table, "ref", choice.references if table.has_columns or not index else ())
    ]
    labels = [_label(tables, name, open_source) for name in choice.labels]
    text = next((table for table in tables[: 1 + len(references)] if not table.has_columns), None)
    if text and choice.ids not in ((), (NO_IDS,)):
        raise InputMismatch(
            f"--id-column: {text.name} is text, one segment per line, and has no ids; leave the option out"
        )
    used = choice.hypotheses + choice.references
    order = beside.order if beside and beside.order.base else Order.of(tables, choice.ids, used)
    placed, notes = order.put(tables)
    if beside and order is not beside.order and choice.ids != (NO_IDS,):
        check_parallel(product(placed, beside.tables), used)
    if beside:
        notes = (*notes, *source_notes([beside.tables[0], placed[0]], used))
    for name, label in zip(choice.labels, labels, strict=True):
        _check_labels(placed, name, label)
    return ParallelTexts(placed, tuple(systems), tuple(texts), tuple(labels), order, notes)


def _check_labels(tables: Sequence[Table], name: str, label: Field) -> None:
    table = tables[label.table]
    for other in tables if table.has_columns else ():
        with suppress(UnknownName, BadCell):  # which the reader of labels reports
            if other is table or not other.has_columns:
                continue
            for where, own, beside, wanted in differing_rows(
                table, label.column, other, column_of(other, name), label_of
            ):
                raise InputMismatch(
                    f"{where}: column {label.column!r} is {own!r}, but {wanted!r} at {beside}: rows of a segment must "
                    "have one label; correct or remove a column"
                )


_CONTENTS = {"hyp": ("hypotheses", "hyp"), "ref": ("references", "ref"), SOURCE: ("sources", "source")}
"""Role of a column → what it holds, and the option that names it."""


def text_columns(table: Table, role: str, names: Sequence[str]) -> Sequence[str]:
    """The columns of texts with a role: those with these names, or else those to which the file gives the role."""
    if not table.has_columns:
        if names:
            raise InputMismatch(f"{table.name}: is read as text, one segment per line, which has no columns")
        return [TEXT]
    if columns := [column_of(table, name, role) for name in names] or with_role(table, role):
        return columns
    contents, option = _CONTENTS[role]
    raise InputMismatch(
        f"{table.name}: which column holds the {contents}? say --{option}-column NAME; its columns: "
        f"{listed_columns(table.columns)}"
    )


def _label(tables: list[Table], name: str, open_source: Callable[[str], Source]) -> Field:
    """The column called `name` of the first table that has one; or a file, which joins the tables."""
    label, equals, file = name.partition("=")
    columned = [table for table in tables if table.has_columns]
    if columned or not (label and equals):
        missing = f"text has no column {name!r}; give a file of labels, one per line: --by {name}=FILE"
        with suppress(UnknownName) if label and equals else nullcontext():
            table, column = first_column(columned, name, missing=missing)
            return Field(tables.index(table), column)
    tables.append(TextTable(open_source(file)))
    return Field(len(tables) - 1, TEXT)
