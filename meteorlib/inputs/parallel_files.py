"""Files of hypotheses, references and labels, opened and joined as parallel texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import product

from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import (
    NO_IDS,
    SOURCE,
    Table,
    column_of,
    columns_of,
    first_column,
    listed_columns,
    split_form,
    with_role,
    without_role,
)
from meteorlib.inputs.formats import ColumnChoice, named, open_table
from meteorlib.inputs.join import Order, check_parallel, source_notes
from meteorlib.inputs.labels import check_labels
from meteorlib.inputs.parallel_texts import Field, ParallelTexts, no_label_column
from meteorlib.inputs.rearranged import check_rows_are_segments, group_rows, grouping_notes
from meteorlib.inputs.text_file import TEXT, TextTable


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
    described = bool(choice.dialect.delimiter or choice.dialect.header)  # of the references, if only these are a table
    tabular = bool(choice.hypotheses or (described and not (choice.references and references)))
    columns, named = tabular or bool(choice.references and not references), choice.names_columns
    open_file = partial(open_table, dialect=choice.dialect, tables=named, open_source=open_source)
    first = open_file(hypotheses, role="hyp", columns=columns)
    tables: list[Table] = [first]
    of_texts = [(0, first)] if not references else []
    of_lines = [name for name in choice.references if split_form(name)[0] == TEXT != name]
    for index, name in enumerate(references, 1):
        table = open_file(name, role="ref", columns=not set(choice.references) <= {*of_lines})
        tables.append(table)
        of_texts.append((index, table))
    systems = _systems(tables, choice.hypotheses)
    texts = [
        Field(index, column, optional=True)
        for index, table in of_texts
        for column in text_columns(table, "ref", choice.references if table.has_columns or not index else of_lines)
    ]
    if (split := choice.dialect.split) and not any("split" in table.columns for table in tables):
        raise InputMismatch(f"--split {split}: no file has splits, as Karpathy's dataset_*.json has; leave it out")
    labels = [_label(tables, name, open_source) for name in choice.labels]
    text = next((table for table in tables[: 1 + len(references)] if not table.has_columns), None)
    if text and choice.ids not in ((), (NO_IDS,)):
        raise InputMismatch(
            f"--id-column: {text.name} is text, one segment per line, and has no ids; leave the option out"
        )
    if choice.hypotheses and not choice.references:
        texts = _without_systems(tables, texts, systems)
    if beside:  # references were scored as systems with the first file
        systems = [field for field in systems if not field.table] or systems
    used, ids, grouped = choice.hypotheses + choice.references, choice.ids, list[str]()
    if choice.groups:
        shared = _group(tables, choice.groups, texts, grouped)
        ids = ids or shared
    elif not references and ids != (NO_IDS,) and first.has_columns:
        hyps, refs, by = ([field.column for field in fields if not field.table] for fields in (systems, texts, labels))
        check_rows_are_segments(first, hyps, refs, by)
    order = beside.order if beside and beside.order.base else Order.of(tables, ids, used)
    own = {index: [field.column for field in texts if field.table == index] for index in range(1, len(tables))}
    placed, notes = order.put(tables, {} if any(field.table for field in systems) else own, partly=bool(choice.keep))
    notes = (*grouped, *notes)
    if beside and order is not beside.order and choice.ids != (NO_IDS,):
        check_parallel(product(placed, beside.whole), used)
    if beside:
        notes = (*notes, *source_notes([beside.whole[0], placed[0]], used))
    for name, label in zip(choice.labels, labels, strict=True):
        check_labels(name, placed[label.table], label.column, placed)
    joined = ParallelTexts(placed, tuple(systems), tuple(texts), tuple(labels), order, notes)
    joined = joined.resegmented(choice) if choice.resegment else joined
    return joined.part(choice, beside) if choice.keep else joined


def _systems(tables: Sequence[Table], names: Sequence[str]) -> list[Field]:
    """The columns of hypotheses in the first table; and references of the others that are scored as systems."""
    first, *others = tables
    if not names or not first.has_columns:
        roles = with_role(first, "hyp")
        return [Field(0, column, optional=column in roles) for column in text_columns(first, "hyp", names)]
    columned = [first, *(table for table in others if table.has_columns)]
    found = [first_column(columned, name, "hyp", missing="") for name in names]
    if all(table is not first for table, _ in found):
        found = [*((first, column) for column in with_role(first, "hyp")), *found]
    return [
        Field(tables.index(table), column, optional=column in [*with_role(table, "hyp"), *with_role(table, "ref")])
        for table, column in found
    ]


def _without_systems(tables: Sequence[Table], references: Sequence[Field], systems: Sequence[Field]) -> list[Field]:
    """The references that are not scored as systems; there must be one."""

    def is_system(reference: Field) -> bool:
        place = tables[reference.table].name, without_role(reference.column)
        return any(
            place == (tables[field.table].name, without_role(field.column))
            and (field.table != reference.table or field.column == reference.column)
            for field in systems
        )

    left = [reference for reference in references if not is_system(reference)]
    if not left:
        names = ", ".join(without_role(reference.column) for reference in references)
        raise InputMismatch(
            f"{tables[references[0].table].name}: {names}: is scored as a system (--hyp-column), and no reference is "
            "left; give another one"
        )
    return left


def _group(
    tables: list[Table], names: tuple[str, ...], references: Sequence[Field], notes: list[str]
) -> tuple[str, ...]:
    """Group the rows of each table that has columns with these names; if all have them, they are the ids."""
    columned = {index: table for index, table in enumerate(tables) if table.has_columns}
    if not columned:
        raise InputMismatch(
            f"--group: {tables[0].name} is text and has no columns; for groups of references with empty lines between "
            "them, add --input-format groups"
        )
    first_column([*columned.values()], names[0], missing="")  # one must have it
    having = 0
    for index, table in columned.items():
        with suppress(UnknownName):
            columns = columns_of(table, names)
            having += 1
            own = [field.column for field in references if field.table == index]
            tables[index] = group_rows(table, columns, own, asked=True)
            notes += grouping_notes(tables[index], columns)
    return names if having == len(columned) else ()


_CONTENTS = {"hyp": ("hypotheses", "hyp"), "ref": ("references", "ref"), SOURCE: ("sources", "source")}
"""Role of a column → what it holds, and the option that names it."""


def text_columns(table: Table, role: str, names: Sequence[str]) -> Sequence[str]:
    """The columns of texts with a role: those with these names, or else those to which the file gives the role."""
    if not table.has_columns:
        if any(split_form(name)[0] != TEXT or name == TEXT for name in names):
            raise InputMismatch(f"{table.name}: is read as text, one segment per line, which has no columns")
        return names or [TEXT]
    if columns := [column_of(table, name, role) for name in names] or with_role(table, role):
        return columns
    contents, option = _CONTENTS[role]
    raise InputMismatch(
        f"{table.name}: which column holds the {contents}? say --{option}-column NAME; its columns: "
        f"{listed_columns(table.columns)}"
    )


def _label(tables: list[Table], name: str, open_source: Callable[[str], Source]) -> Field:
    """The column called `name` of the first table that has one; or a file, which joins the tables."""
    _, file = named(name, f"--by {name}")
    columned = [table for table in tables if table.has_columns]
    if columned or not file:
        with suppress(UnknownName) if file else nullcontext():
            table, column = first_column(columned, name, missing=no_label_column(name))
            return Field(tables.index(table), column)
    tables.append(TextTable(open_source(file)))
    return Field(len(tables) - 1, TEXT)
