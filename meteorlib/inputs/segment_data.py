"""Data of segments besides their texts: the source texts, labels of words of references, scores of other metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from attrs import Factory, evolve, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, TableRow, id_of, number_of, parsed_column, plain_id, rows_of, text_of
from meteorlib.inputs.columns import (
    NO_IDS,
    SEGMENT_COLUMNS,
    SOURCE,
    Cell,
    Table,
    column_of,
    columns_by_name,
    columns_of,
    find_column,
    first_column,
    id_like_columns,
    normalized,
    row_ids,
    score_column,
    usual_columns,
    without_role,
)
from meteorlib.inputs.formats import Dialect, named, open_table
from meteorlib.inputs.join import Order, find_join, rows_by_id
from meteorlib.inputs.parallel_files import text_columns
from meteorlib.inputs.parallel_texts import ParallelTexts
from meteorlib.inputs.rearranged import Key
from meteorlib.inputs.text_file import TEXT, TextTable


def source_texts(
    joined: ParallelTexts | None, name: str | None, column: str | None, dialect: Dialect, count: int
) -> tuple[list[str], Sequence[str]]:
    """The source text of each of `count` segments, and notes on rows that are joined by position.

    They are in the file called `name`, or else in a column of the tables of hypotheses and references (`joined`), if
    not all of these are text. Without a `column` the file is text, or XML with its source.
    """
    tables = joined.columned if joined is not None else ()
    notes: Sequence[str] = ()
    if name is None:
        missing = "--source-column: text has no columns; name the file of the sources by --source FILE"
        table, column = first_column(tables, column or SOURCE, SOURCE, missing=missing)
    else:
        table = open_table(name, dialect, SOURCE, columns=column is not None, tables=bool(tables))
        (column,) = text_columns(table, SOURCE, [] if column is None else [column])
        if joined is not None:
            order = evolve(joined.order, texts=(*joined.order.texts, column))
            (*_, table), found = order.put([*joined.whole, table])
            (table,) = order.part([table])
            notes = [note for note in found if note not in joined.order_notes]
    texts = [text for _, text in parsed_column(table, column, text_of)]
    if len(texts) != count:
        told = f"it has {len(texts)}, of {count}"
        raise InputMismatch(f"{table.name}: a source must have a line for each segment; {told}")
    return texts, notes


@frozen(eq=False)
class WordLabels:
    """Labels of one kind (``pos``, ``entity``, …) of the tokens of each reference, separated like these by white space.

    Each reference has a column of a table, with a row for each segment.
    """

    name: str
    columns: Sequence[tuple[Table, str]]

    @classmethod
    def open(cls, given: str, joined: ParallelTexts | None, references: int | None, count: int) -> Self:
        """Open the labels that an option gives for `count` segments; the number of references is None if it varies.

        The option is ``NAME=FILE``, with a file for each reference, separated by commas, or a column of references.
        """
        name, files = named(given, f"--word-labels {given}", ", or the name of a column")
        if files:
            columns = [(_open_labels(file, joined), TEXT) for file in files.split(",")]
        else:
            advice = f"give a file with the labels: --word-labels {name}=FILE"
            missing = f"references that are text have no column {name!r}; {advice}"
            indices = sorted({field.table for field in joined.references}) if joined else ()
            tables = [joined.tables[index] for index in indices] if joined else []
            columns = [first_column([table for table in tables if table.has_columns], name, missing=missing)]
        if len(columns) != references:
            number = "a varying number of" if references is None else references
            option = f"--word-labels {name}={','.join(['FILE'] * (references or 1))}"
            advice = f"give one for each: {option}" if references else "labels need the same number in all segments"
            raise InputMismatch(f"--word-labels {given}: labels of {len(columns)} of {number} references; {advice}")
        order = joined.order if joined else Order()
        for index, (table, column) in enumerate(columns):
            if not isinstance(table, TextTable):
                continue
            if table.file.count != (whole := order.whole_count(count)):
                raise InputMismatch(
                    f"{table.name}: {table.file.count} lines of labels for {whole} segments; give a line per segment"
                )
            columns[index] = order.part([table])[0], column
        return cls(name, columns)

    def of(self, references: Sequence[Sequence[str]]) -> list[list[str]]:
        """The labels of each reference of each segment; there must be as many as tokens."""
        rows = zip(*(parsed_column(table, column, text_of) for table, column in self.columns), strict=True)
        return [
            [
                _checked_labels(where, labels, text, number)
                for number, ((where, labels), text) in enumerate(zip(cells, texts, strict=True), 1)
            ]
            for cells, texts in zip(rows, references, strict=True)
        ]


def _checked_labels(place: str, labels: str, text: str, number: int) -> str:
    found, wanted = len(labels.split()), len(text.split())
    if found != wanted:
        raise InputMismatch(
            f"{place}: {found} labels for {wanted} tokens of reference {number}, {text[:60]!r}; give each token "
            "between spaces one label, without spaces in it"
        )
    return labels


def _open_labels(file: str, joined: ParallelTexts | None) -> Table:
    """A file of labels, which must be parallel to all tables."""
    table = TextTable(Source.open(file))
    if joined is not None:
        joined.order.put([*joined.whole, table])
    return table


@frozen
class ScoreTable:
    """Scores of systems by a metric: of each segment those of all systems, or, if it is empty, of whole systems."""

    segments: Sequence[Sequence[float]] = ()
    systems: Mapping[str, float] = Factory(dict)
    note: str = ""


def read_scores(name: str, file: str, systems: Sequence[str], count: int, order: Order | None) -> ScoreTable:
    """Read the scores of a metric, higher is better, from a table in one of three forms.

    They are a column for each system and a row for each of `count` segments; columns of systems, segments and scores
    (called as the metric or ``score``) and a row for each system and segment; columns of systems and scores, and a row
    for each system. Segments have the ids of `order`; if it has none, they are numbered from 1 or 0, and a table with a
    column for each system may also be joined by position. If only a part of the segments is kept, so are their scores.
    """
    table = open_table(file, Dialect())  # not the dialect of the texts
    order = order or Order()
    whole = order.whole_count(count)
    names = [*map(without_role, table.columns)]
    wide = all(system in names for system in systems)
    system_column = None if wide else find_column(table, "system")
    if system_column is not None:
        roles = [system_column, *id_like_columns(table.columns), *order.named]
        score = score_column(table, name, roles) or column_of(table, "score")
        ids = SegmentIds.of(table, whole, order, [system_column, score])
        if ids is None and whole != count:
            reason = "scores of whole systems, where a part of the segments is kept; give scores of segments"
            raise InputMismatch(f"{table.name}: has {reason}, with a column of their ids, such as {SEGMENT_COLUMNS[0]}")
        if ids is None:
            return ScoreTable(systems=_system_scores(table, system_column, score, systems))
        return ScoreTable(_of_segments(table, ids, [score], order.kept, systems, system_column))
    columns = columns_of(table, systems)
    if (ids := SegmentIds.of(table, whole, order, columns)) is not None:
        return ScoreTable(_of_segments(table, ids, columns, order.kept))
    if order.base is not None:
        needed = ", ".join(order.named or row_ids(order.base, order.texts))
        raise InputMismatch(
            f"{table.name}: has none of the columns that identify the segments of {order.base.name} ({needed}); add "
            f"them, or join everything by position with --id-column {NO_IDS}"
        )
    note = (
        f"{table.name}: has no column of segment ids, such as {SEGMENT_COLUMNS[0]}, so row 1 is taken as the score of "
        "segment 1, and so on; add one if the order may differ"
    )
    (table,) = order.part([table])
    scores = [[row.read(column, _score_of) for column in columns] for row in rows_of(table, columns)]
    if len(scores) != count:
        detail = f"has {len(scores)} rows of scores for {count} segments; it needs one for each"
        raise InputMismatch(f"{table.name}: {detail}")
    return ScoreTable(scores, note=note)


@frozen
class SegmentIds:
    """Columns that identify the segment of a row, of which a table may have any number; the index of each known one."""

    columns: Sequence[str]
    indices: Mapping[Key, int]

    @classmethod
    def of(cls, table: Table, count: int, order: Order, others: Sequence[str]) -> SegmentIds | None:
        """Find the columns, which are none of `others`; None if there are none."""
        if order.base is not None:
            if not {*map(normalized, order.named)} <= {*columns_by_name(table)}:
                return None
            join = find_join(table, order.base, order.named, (*order.texts, *others))
            return None if join is None else cls(join[0], rows_by_id(order.base, join[1]))
        columns = [*usual_columns(table, "segment", others), *row_ids(table, others)][:1]
        if not columns:
            return None
        first = 0 if any(label == "0" for _, label in parsed_column(table, columns[0], id_of)) else 1
        return cls(columns, {(str(first + index),): index for index in range(count)})

    def index(self, row: TableRow) -> int:
        """The index of the segment of a row."""
        key = tuple(row.read(column, id_of) for column in self.columns)
        if key not in self.indices:
            ends = " to ".join(self.describe(index) for index in (0, len(self.indices) - 1))
            raise InvalidText(
                f"{row.where}: column {self}",
                f"the texts have no segment {'/'.join(key)!r}, only {len(self.indices):,} from {ends}; correct the id, "
                "or remove the row",
            )
        return self.indices[key]

    def describe(self, index: int) -> str:
        """The id of a segment, for messages."""
        return repr("/".join(next(key for key, other in self.indices.items() if other == index)))

    def __str__(self) -> str:
        return ", ".join(map(repr, self.columns))


def _score_of(cell: Cell) -> float:
    """A score, with advice of its own for a missing one."""
    if cell is None or cell == "":
        raise BadCell("a score is missing; every segment needs one for every system")
    return number_of(cell)


def _of_segments(
    table: Table,
    ids: SegmentIds,
    columns: Sequence[str],
    kept: Sequence[bool] | None,
    systems: Sequence[str] = ("",),
    system_column: str = "",
) -> list[list[float]]:
    """The scores of each segment that is kept, from rows of which there must be one for each, or for each system."""
    needed = [index for index in range(len(ids.indices)) if kept is None or kept[index]]
    names = {plain_id(system): system for system in systems}
    found: dict[str, dict[int, tuple[str, list[float]]]] = {system: {} for system in systems}
    others: dict[str, None] = {}
    for row in rows_of(table, [*ids.columns, *filter(None, [system_column]), *columns]):
        label = row.read(system_column, id_of) if system_column else ""
        if label not in names:
            others[label] = None
            continue
        own, index = found[names[label]], ids.index(row)
        if kept is not None and not kept[index]:
            continue
        scores = [row.read(column, _score_of) for column in columns]
        if index in own:
            segment = f"segment {ids.describe(index)}{_whose(names[label])}"
            before = f"has a score already, at {own[index][0]}; keep one of the rows"
            raise InvalidText(f"{row.where}: column {ids}", f"{segment} {before}")
        own[index] = row.where, scores
    for system, own in found.items():
        if system and not own:
            raise _no_system(table, system, others)
        if missing := [index for index in needed if index not in own]:
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            first = f"{_whose(system)} for segment {ids.describe(missing[0])}{more}"
            raise InputMismatch(f"{table.name}: no score{first} (column {ids}); add a row for each segment")
    return [[score for own in found.values() for score in own[index][1]] for index in needed]


def _whose(system: str) -> str:
    return f" of system {system!r}" if system else ""


def _system_scores(table: Table, column: str, score: str, systems: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in rows_of(table, [column, score]):
        label = row.read(column, id_of)
        if label in found:
            raise InvalidText(
                f"{row.where}: column {column!r}",
                f"system {label!r} has a score already; scores of segments need a column of their ids, such as "
                f"{SEGMENT_COLUMNS[0]}; a table with a row for each system has one",
            )
        found[label] = row.read(score, number_of)
    for system in systems:
        if plain_id(system) not in found:
            raise _no_system(table, system, found)
    return {system: found[plain_id(system)] for system in systems}


def _no_system(table: Table, system: str, others: Mapping[str, object]) -> InputMismatch:
    return InputMismatch(f"{table.name}: no score of system {system!r}; it has {', '.join(others) or 'none'}")
