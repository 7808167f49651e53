"""Hypotheses, references and labels of each segment, side by side, from one or more files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, compress, islice, zip_longest
from operator import not_
from shlex import quote

from attrs import Factory, evolve, frozen

from meteorlib.core.languages import language_in_name, language_of, target_language
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Labels, Rows
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import (
    BadCell,
    TableRow,
    check_references,
    is_missing,
    label_of,
    rows_of,
    text_of,
    texts_of,
    values_of,
)
from meteorlib.inputs.columns import (
    LANGUAGE_COLUMNS,
    TARGET_COLUMNS,
    OptionalColumn,
    Table,
    cells_in,
    columns_by_name,
    first_column,
    normalized_names,
    row_ids,
    unused_columns,
    without_role,
)
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.join import MAX_LISTED_IDS, Order
from meteorlib.inputs.labels import Keep, check_labels, count_labels, documents_of, label_columns, separating
from meteorlib.inputs.nbest import NbestLists
from meteorlib.inputs.rearranged import Part
from meteorlib.inputs.text_file import RESEGMENT, TextFile, TextTable, is_resegmentable
from meteorlib.text.validation import check_no_words

BATCH_SIZE = 500


@frozen
class Field:
    """A column of one of the tables; rows may lack an optional one."""

    table: int
    column: str
    optional: bool = False


def _language_or_pair(tag: str) -> str | None:
    return language_of(tag) or target_language(tag)


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
    def whole(self) -> Sequence[Table]:
        """The tables with all their rows, where only a part is kept."""
        return [table.table if isinstance(table, Part) else table for table in self.tables]

    @property
    def ids(self) -> Sequence[str]:
        """The id of each segment, parts of several columns joined by ``/``; empty if rows were joined by position."""
        ids = ["/".join(key) for key in self.order.ids(self.whole)]
        return ids if self.order.kept is None else [*compress(ids, self.order.kept)]

    @property
    def texts(self) -> Sequence[TextFile]:
        """The files that are text with one segment per line."""
        return [table.file for table in self.whole if isinstance(table, TextTable)]

    @property
    def columned(self) -> Sequence[Table]:
        """The files that have columns."""
        return [table for table in self.tables if table.has_columns]

    def languages(self, *, of_rows: bool = True) -> Iterator[tuple[str, str]]:
        """Declarations of the language of the texts, in words, each with its code.

        Rows have it in the first column of language pairs, else of languages; the file says it of columns, or their
        names do, or its own.
        """
        if of_rows:
            yield from self._languages_in_rows()
        for field in (*self.hypotheses, *self.references):
            table = self.tables[field.table]
            if code := language_of(table.language):
                yield f"{table.name} ({table.language})", code
            for name in (table.name, without_role(field.column) if table.has_columns else ""):
                if code := language_in_name(name):
                    yield name, code

    def _languages_in_rows(self) -> Iterator[tuple[str, str]]:
        for usual, read in ((LANGUAGE_COLUMNS, target_language), (TARGET_COLUMNS, _language_or_pair)):
            for table in self.columned:
                columns = columns_by_name(table, self.order.texts)
                column = next((columns[name][0] for name in normalized_names(usual) if name in columns), None)
                if column is None:
                    continue
                values: dict[str, None] = {}
                with suppress(BadCell, InvalidText):
                    values = dict.fromkeys(label_of(cell) for _, (cell,) in table.rows([column]))
                shown = "" if usual is LANGUAGE_COLUMNS else f"{without_role(column)} "
                found = [(f"{shown}{value}", code) for value in values if (code := read(value))]
                if found:
                    yield from found
                    return

    def name_of(self, field: Field) -> str:
        """File and column of a field, for messages; the file alone if it is text."""
        table = self.tables[field.table]
        return f"{table.name}, column {without_role(field.column)!r}," if table.has_columns else table.name

    def check(self) -> tuple[int, int | None, int]:
        """Go through all files: count the segments and the references of each (None if it varies), hash the labels."""
        count, numbers, label_hash = 0, set(), 0
        nested = (field for field in self.references if field.column not in self.tables[field.table].columns)
        unseen = dict.fromkeys(nested if self.order.kept is None else ())  # their names may be mistyped
        for rows in self._rows([*self.hypotheses, *self.references, *self.labels]):
            references, _, labels = self._texts_of(rows, self.hypotheses)
            count += 1
            label_hash = hash((label_hash, labels))
            numbers.add(len(references))
            for field in [*unseen]:
                if any(not is_missing(cell) for cell in cells_in(rows[field.table].cells[field.column])):
                    del unseen[field]
        if not count:
            raise InputMismatch(f"nothing to score: {', '.join(table.name for table in self.tables)}: no segments")
        for field in unseen:
            raise InputMismatch(f"{self.name_of(field)} has no reference in any row; correct its name, or leave it out")
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

    def lists(self) -> Iterator[Sequence[str]] | None:
        """The texts to choose from for each segment; None if the hypotheses are no n-best lists."""
        lists = table.texts() if isinstance(table := self.whole[0], NbestLists) else None
        return lists if lists is None or self.order.kept is None else compress(lists, self.order.kept)

    def with_chosen(self, chosen: Iterable[int]) -> ParallelTexts:
        """A copy with the texts of these indices from the n-best lists."""
        (first, *others), kept, indices = self.tables, self.order.kept, iter(chosen)
        every = indices if kept is None else (next(indices) if keep else 0 for keep in kept)
        table = NbestLists(self.whole[0].source, tuple(every))
        return evolve(self, tables=(evolve(first, table=table) if isinstance(first, Part) else table, *others))

    def part(self, choice: ColumnChoice, beside: ParallelTexts | None) -> ParallelTexts:
        """The segments to keep, by labels or columns of the tables, or else those of the system beside these."""
        keep = Keep.of(choice.keep)
        known = None if beside is None else beside.order.kept
        labels = dict(zip(choice.label_names, self.labels, strict=True))
        try:
            fields = {name: [labels[name]] if name in labels else self._fields(name) for name in keep.conditions}
        except (InputMismatch, UnknownName):
            if known is None:
                raise
            kept = known
        else:
            kept = self._kept(keep, fields)
        if beside is not None and known not in (None, kept) and len(kept) == len(known or ()):
            row = 1 + next(index for index, pair in enumerate(zip(kept, known or (), strict=True)) if len({*pair}) > 1)
            raise InputMismatch(
                f"{self.tables[0].name} and {beside.tables[0].name}: row {row} is kept of one of them only; rows of a "
                f"segment must have one {' and '.join(fields)}"
            )
        order = evolve(self.order, kept=kept)
        return evolve(self, tables=order.part(self.whole), order=order)

    def resegmented(self, choice: ColumnChoice) -> ParallelTexts:
        """Parallel texts whose hypotheses are divided into the segments of the references, each document by itself."""
        from meteorlib.inputs.resegmentation import Resegmented, resegmented, resegmenter  # noqa: PLC0415 – seldom needed

        text, *others = self.tables
        if not isinstance(text, TextTable) or not any(field.table for field in self.references):
            raise InputMismatch(
                f"--resegment: {text.name} must be text, in a file without the references: give these as REF (-r)"
            )
        like = evolve(self, tables=(others[0], *others))
        references, _, by = zip(*like._texts([]), strict=True)  # noqa: SLF001 – of this class
        labels: Mapping[str, Sequence[str]] = {**dict(zip(choice.label_names, zip(*by, strict=True), strict=True))}
        for table in like.columned:
            labels = {**label_columns(table, len(references)), **labels}
        segments, notes = resegmented(text.name, [*text.file.lines()], references, documents_of(labels))
        order = self.order if self.order.resegmenter else evolve(self.order, resegmenter=resegmenter())
        tables = (Resegmented(text.source, segments=segments), *others)
        return evolve(self, tables=tables, order=order, order_notes=(*self.order_notes, *notes))

    def _fields(self, name: str) -> Sequence[Field]:
        """The column called `name` of the first table that has one; ``ref`` is that of any reference."""
        if name == "ref" and not any("ref" in map(without_role, table.columns) for table in self.columned):
            return self.references
        table, column = first_column(self.columned, name, "ref", missing=no_label_column(name))
        return [Field(self.tables.index(table), column)]

    def _kept(self, keep: Keep, fields: Mapping[str, Sequence[Field]]) -> Sequence[bool]:
        for name, (field, *_) in fields.items():
            check_labels(name, self.tables[field.table], field.column, self.tables)
        values: dict[str, list[set[str]]] = {name: [] for name in fields}
        for rows in self._rows([*chain.from_iterable(fields.values())]):
            for name, listed in fields.items():
                found = set[str]().union(*(rows[field.table].read(field.column, values_of) for field in listed))
                values[name].append(found - {""} or {""})
        return keep.rows(values)

    def _absent(self, fields: Sequence[Field], what: str) -> InvalidText:
        """The error for segments of which all `fields` are missing: their documents, and what leaves them out."""
        missing: list[bool] = []
        where = ""
        for rows in self._rows(fields):
            missing.append(not any(rows[field.table].read(field.column, texts_of) for field in fields))
            if missing[-1] and not where:
                own = rows[fields[0].table]
                where = (own if own.number is not None else next(row for row in rows if row.number is not None)).where
        labels: dict[str, Sequence[str]] = {}
        for table in reversed(self.columned):  # the first ones, of hypotheses, lack no segment
            labels |= label_columns(table, len(missing))
        documents = documents_of(labels)
        named = [*dict.fromkeys(compress(documents, missing))]
        others = f" and {len(named) - MAX_LISTED_IDS:,} more" if len(named) > MAX_LISTED_IDS else ""
        listed = f"{', '.join(map(repr, named[:MAX_LISTED_IDS]))}{others}"
        several = f"{sum(missing):,} {'segments' if sum(missing) > 1 else 'segment'}"
        told = f"document {listed}" if len(named) == 1 else f"{len(named):,} documents ({listed})"
        if {*named} & {*compress(documents, map(not_, missing))} or not named:
            told = f"{several} of {told}" if named else several
        (column, *more) = [field.column.removeprefix("ref:") for field in fields]
        condition = separating(labels, missing) or f"{'ref' if more else column}!="
        advice = "" if all(missing) else f"; to score the others, add --keep '{condition}'"
        return InvalidText(where, f"no {what} for {told}{advice}")

    def _texts(self, systems: Sequence[int]) -> Iterator[tuple[list[str], list[str], Labels]]:
        hypotheses = [self.hypotheses[system] for system in systems]
        for rows in self._rows([*hypotheses, *self.references, *self.labels]):
            yield self._texts_of(rows, hypotheses)

    def _texts_of(self, rows: Sequence[TableRow], hypotheses: Sequence[Field]) -> tuple[list[str], list[str], Labels]:
        references = [text for field in self.references for text in rows[field.table].read(field.column, texts_of)]
        if not references:
            raise self._absent(self.references, "reference")
        check_references(references, ((rows[field.table], field.column) for field in self.references))
        for field in hypotheses:
            if field.optional and rows[field.table].cells[field.column] is None:
                raise self._absent([field], f"text of {without_role(field.column)!r}")
        texts = [rows[field.table].read(field.column, text_of) for field in hypotheses]
        if len(references) > 2:
            self._check_no_words(rows, references, texts)
        return (
            references,
            texts,
            tuple([rows[field.table].read(field.column, label_of) for field in self.labels]),
        )

    def _check_no_words(self, rows: Sequence[TableRow], references: Sequence[str], hypotheses: Sequence[str]) -> None:
        try:
            for text in hypotheses:
                check_no_words(references, text)
        except InvalidText as error:
            raise InvalidText(rows[self.references[0].table].where, error.reason) from None

    def _rows(self, fields: Sequence[Field]) -> Iterator[Sequence[TableRow]]:
        """The rows of a segment, one of each table."""
        wanted: list[dict[str, str]] = [{} for _ in self.tables]
        for field in fields:
            column = OptionalColumn(field.column) if field.optional else field.column
            wanted[field.table].setdefault(field.column, column)
        streams = [rows_of(table, [*columns.values()]) for table, columns in zip(self.tables, wanted, strict=True)]
        for count, rows in enumerate(zip_longest(*streams)):
            if None in rows:
                raise self._mismatch([count + (row is not None) for row in rows], streams)
            yield rows

    def _mismatch(self, counts: list[int], streams: Sequence[Iterator[TableRow]]) -> InputMismatch:
        totals = [count + sum(1 for _ in stream) for count, stream in zip(counts, streams, strict=True)]
        sizes = ", ".join(
            dict.fromkeys(f"{table.name} has {total}" for table, total in zip(self.tables, totals, strict=True))
        )
        advice = (
            f"{table.name} has {min(totals)} different values of {column}: if the rows with one of them are "
            f"references of one segment, add --group {quote(column)}"
            for table, total in zip(self.tables, totals, strict=True)
            if total > min(totals) > 0
            for column in dict.fromkeys([*row_ids(table, self.order.texts), *unused_columns(table, self.order.texts)])
            if count_labels(table, column) == min(totals)
        )
        groups = (note for table in self.texts for note in table.groups_advice(min(totals)))
        lists = (
            note
            for table, total in zip(self.whole, totals, strict=True)
            if isinstance(table, NbestLists)
            for note in table.advice(next(count for count in totals if count != total))
        )
        more = [RESEGMENT] if not self.tables[0].has_columns and is_resegmentable(totals) else []
        return InputMismatch(
            f"the files must have the same number of segments: {sizes}", *islice(chain(lists, advice, groups, more), 1)
        )


def no_label_column(name: str) -> str:
    """The advice for a column of labels if all files are text."""
    return f"text has no column {name!r}; give a file of labels, one per line: --by {name}=FILE"
