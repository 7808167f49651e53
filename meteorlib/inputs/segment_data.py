"""Data of segments besides their texts: the source texts, labels of words of references, scores of other metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from attrs import Factory, evolve, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, id_of, number_of, parse_cell, parsed_column, plain_id, rows_of, text_of
from meteorlib.inputs.columns import (
    NO_IDS,
    SEGMENT_COLUMNS,
    Cell,
    Table,
    column_of,
    columns_by_name,
    columns_of,
    find_column,
    first_column,
    listed_columns,
    normalized,
    row_ids,
    usual_columns,
    without_role,
)
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.join import Key, Order, find_join, rows_by_id
from meteorlib.inputs.parallel_texts import ParallelTexts
from meteorlib.inputs.text_file import TEXT, TextTable, no_columns

ROLE = "src"
"""Role of a column of source texts."""

_Scores = tuple[str, str, int, list[float]]
"""Scores in a row: its location, the system or ``""`` for all, index of the segment, score of each of these systems."""


def source_texts(
    joined: ParallelTexts | None, name: str | None, column: str | None, dialect: Dialect, count: int
) -> tuple[list[str], Sequence[str]]:
    """The source text of each segment, and notes on rows that are joined by position.

    Args:
        joined: the tables of hypotheses and references, searched for `column` if there is no `name`; None if all files
            are text.
        name: the file; None for a column of those tables. If it has the same ids as they, it is joined by id.
        column: column of a table; None if the file is text with one segment per line, or XML with its source.
        dialect: options for reading a table.
        count: number of segments.
    """
    tables = joined.columned if joined is not None else ()
    notes: Sequence[str] = ()
    if name is None:
        missing = "--source-column: text has no columns; name the file of the sources by --source FILE"
        table, column = first_column(tables, column or ROLE, ROLE, missing=missing)
    else:
        table = open_table(name, dialect, ROLE, columns=column is not None, tables=bool(tables))
        column = _source_column(table, column)
        if joined is not None:
            order = evolve(joined.order, texts=(*joined.order.texts, column))
            (*_, table), found = order.put([*joined.tables, table])
            notes = [note for note in found if note not in joined.order_notes]
    texts = [text for _, text in parsed_column(table, column, text_of)]
    if len(texts) != count:
        told = f"it has {len(texts)}, of {count}"
        raise InputMismatch(f"{table.name}: a source must have a line for each segment; {told}")
    return texts, notes


def _source_column(table: Table, column: str | None) -> str:
    if not table.has_columns:
        if column is not None:
            raise no_columns(table.name)
        return TEXT
    if column is not None:
        return column_of(table, column, ROLE)
    if ROLE in table.columns:
        return ROLE
    raise InputMismatch(
        f"{table.name}: which column contains the sources? add --source-column NAME; its columns: "
        f"{listed_columns(table.columns)}"
    )


@frozen(eq=False)
class WordLabels:
    """Labels of the tokens of each reference, separated by white space like the tokens.

    Attributes:
        name: kind of the labels: ``pos``, ``entity``, …
        columns: for each reference, the table and the column of its labels, with a row for each segment.
    """

    name: str
    columns: Sequence[tuple[Table, str]]

    @classmethod
    def open(cls, given: str, joined: ParallelTexts | None, references: int | None, count: int) -> Self:
        """Open the labels that an option gives.

        Args:
            given: ``NAME=FILE``, with a file for each reference, separated by commas; or the name of a column.
            joined: the tables of hypotheses and references; the column is one of a table of references. None if all are
                text.
            references: number of references of each segment; None if it varies.
            count: number of segments.
        """
        name, equals, files = given.partition("=")
        if not name or (equals and not files):
            raise InputMismatch(f"--word-labels {given}: expected NAME=FILE, or the name of a column")
        if equals:
            columns = [(_open_labels(file, joined), TEXT) for file in files.split(",")]
        else:
            advice = f"give a file with the labels: --word-labels {name}=FILE"
            missing = f"references that are text have no column {name!r}; {advice}"
            columns = [first_column(joined.reference_tables if joined else (), name, missing=missing)]
        if len(columns) != references:
            number = "a varying number of" if references is None else references
            option = f"--word-labels {name}={','.join(['FILE'] * (references or 1))}"
            advice = f"give one for each: {option}" if references else "labels need the same number in all segments"
            raise InputMismatch(f"--word-labels {given}: labels of {len(columns)} of {number} references; {advice}")
        for table, _ in columns:
            if isinstance(table, TextTable) and table.file.count != count:
                raise InputMismatch(
                    f"{table.name}: {table.file.count} lines of labels for {count} segments; give a line per segment"
                )
        return cls(name, columns)

    def of(self, references: Sequence[Sequence[str]]) -> list[list[str]]:
        """The labels of each reference of each segment; there must be as many as tokens."""
        rows = zip(*(parsed_column(table, column, text_of) for table, column in self.columns), strict=True)
        return [
            [
                _checked_labels(place, labels, text, number)
                for number, ((place, labels), text) in enumerate(zip(cells, texts, strict=True), 1)
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
        joined.order.put([*joined.tables, table])
    return table


@frozen
class ScoreTable:
    """Scores of systems by a metric.

    Attributes:
        segments: for each segment, the score of each system; empty if only whole systems have scores.
        systems: score of each system; empty if segments have scores.
        note: note on how rows were joined; empty if there is nothing to say.
    """

    segments: Sequence[Sequence[float]] = ()
    systems: Mapping[str, float] = Factory(dict)
    note: str = ""


def read_scores(name: str, file: str, systems: Sequence[str], count: int, order: Order | None) -> ScoreTable:
    """Read the scores of a metric, higher is better.

    Args:
        name: name of the metric.
        file: table of scores, in one of three forms: a column for each system and a row for each segment; columns of
            systems, segments and scores (called as the metric or ``score``) and a row for each system and segment;
            columns of systems and scores, and a row for each system.
        systems: names of the systems.
        count: number of segments.
        order: order of the segments, which has their ids; without ids, segments are numbered from 1 or 0, and a table
            with a column for each system may also be joined by position.
    """
    table = open_table(file, Dialect())  # not the dialect of the texts
    names = [*map(without_role, table.columns)]
    wide = all(system in names for system in systems)
    system_column = None if wide else find_column(table, "system")
    if system_column is not None:
        score = column_of(table, name if name in names else "score")
        ids = _SegmentIds.of(table, count, order, [system_column, score])
        if ids is None:
            return ScoreTable(systems=_system_scores(table, system_column, score, systems))
        others: dict[str, None] = {}
        rows = _long_rows(table, ids, system_column, score, systems, others)
        return ScoreTable(_of_segments(table, ids, rows, systems, others))
    columns = columns_of(table, systems)
    if (ids := _SegmentIds.of(table, count, order, columns)) is not None:
        return ScoreTable(_of_segments(table, ids, _wide_rows(table, ids, columns), [""], {}))
    if order is not None and order.base is not None:
        needed = ", ".join(order.named or row_ids(order.base, order.texts))
        raise InputMismatch(
            f"{table.name}: has none of the columns that identify the segments of {order.base.name} ({needed}); add "
            f"them, or join everything by position with --id-column {NO_IDS}"
        )
    note = (
        f"{table.name}: has no column of segment ids, such as {SEGMENT_COLUMNS[0]}, so row 1 is taken as the score of "
        "segment 1, and so on; add one if the order may differ"
    )
    scores = [_scores_of(where, cells, columns) for where, cells in rows_of(table, columns)]
    if len(scores) != count:
        detail = f"has {len(scores)} rows of scores for {count} segments; it needs one for each"
        raise InputMismatch(f"{table.name}: {detail}")
    return ScoreTable(scores, note=note)


@frozen
class _SegmentIds:
    """Columns of a table of scores that identify segments, and the index of the segment of each id."""

    columns: Sequence[str]
    places: Mapping[Key, int]

    @classmethod
    def of(cls, table: Table, count: int, order: Order | None, others: Sequence[str]) -> _SegmentIds | None:
        """Find the columns, which are none of `others`; None if there are none."""
        if order is not None and order.base is not None:
            if not {*map(normalized, order.named)} <= {*columns_by_name(table)}:
                return None
            join = find_join(table, order.base, order.named, (*order.texts, *others))
            return None if join is None else cls(join[0], rows_by_id(order.base, join[1]))
        columns = [*usual_columns(table, "segment", others), *row_ids(table, others)][:1]
        if not columns:
            return None
        first = 0 if any(label == "0" for _, label in parsed_column(table, columns[0], id_of)) else 1
        return cls(columns, {(str(first + index),): index for index in range(count)})

    def place(self, where: str, cells: Sequence[Cell]) -> int:
        """The index of the segment whose id is in the first cells."""
        key = tuple(parse_cell(id_of, cell, where, column) for cell, column in zip(cells, self.columns, strict=False))
        if key not in self.places:
            ends = " to ".join(self.describe(index) for index in (0, len(self.places) - 1))
            raise InvalidText(
                f"{where}: column {self}",
                f"the texts have no segment {'/'.join(key)!r}, only {len(self.places):,} from {ends}; correct the id, "
                "or remove the row",
            )
        return self.places[key]

    def describe(self, place: int) -> str:
        """The id of a segment, for messages."""
        return repr("/".join(next(key for key, index in self.places.items() if index == place)))

    def __str__(self) -> str:
        return ", ".join(map(repr, self.columns))


def _scores_of(where: str, cells: Sequence[Cell], columns: Sequence[str]) -> list[float]:
    return [parse_cell(_score_of, cell, where, column) for cell, column in zip(cells, columns, strict=True)]


def _score_of(cell: Cell) -> float:
    """A score, with advice of its own for a missing one."""
    if cell is None or cell == "":
        raise BadCell("a score is missing; every segment needs one for every system")
    return number_of(cell)


def _wide_rows(table: Table, ids: _SegmentIds, columns: Sequence[str]) -> Iterator[_Scores]:
    """The rows of a table with a row for each segment."""
    width = len(ids.columns)
    for where, cells in rows_of(table, [*ids.columns, *columns]):
        yield where, "", ids.place(where, cells), _scores_of(where, cells[width:], columns)


def _long_rows(
    table: Table, ids: _SegmentIds, column: str, score: str, systems: Sequence[str], others: dict[str, None]
) -> Iterator[_Scores]:
    """The rows of a table with a row for each system and segment; the names of other systems go to `others`."""
    names = {plain_id(system): system for system in systems}
    width = len(ids.columns)
    for where, cells in rows_of(table, [*ids.columns, column, score]):
        label = parse_cell(id_of, cells[width], where, column)
        if label in names:
            yield where, names[label], ids.place(where, cells), _scores_of(where, cells[width + 1 :], [score])
        else:
            others[label] = None


def _of_segments(
    table: Table, ids: _SegmentIds, rows: Iterable[_Scores], systems: Sequence[str], others: Mapping[str, object]
) -> list[list[float]]:
    """The scores of each segment, from rows of which there must be one for each; a system without a name is all."""
    found: dict[str, dict[int, tuple[str, list[float]]]] = {system: {} for system in systems}
    for where, system, place, scores in rows:
        if place in found[system]:
            segment = f"segment {ids.describe(place)}{_whose(system)}"
            before = f"has a score already, at {found[system][place][0]}; keep one of the rows"
            raise InvalidText(f"{where}: column {ids}", f"{segment} {before}")
        found[system][place] = where, scores
    for system, own in found.items():
        if system and not own:
            raise _no_system(table, system, others)
        if missing := [place for place in range(len(ids.places)) if place not in own]:
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            first = f"{_whose(system)} for segment {ids.describe(missing[0])}{more}"
            raise InputMismatch(f"{table.name}: no score{first} (column {ids}); add a row for each segment")
    return [[score for own in found.values() for score in own[place][1]] for place in range(len(ids.places))]


def _whose(system: str) -> str:
    return f" of system {system!r}" if system else ""


def _system_scores(table: Table, column: str, score: str, systems: Sequence[str]) -> dict[str, float]:
    """The score of each system, from a table with a row for each system."""
    found: dict[str, float] = {}
    for where, (system, cell) in rows_of(table, [column, score]):
        label = parse_cell(id_of, system, where, column)
        if label in found:
            raise InvalidText(
                f"{where}: column {column!r}",
                f"system {label!r} has a score already; scores of segments need a column of their ids, such as "
                f"{SEGMENT_COLUMNS[0]}; a table with a row for each system has one",
            )
        found[label] = parse_cell(number_of, cell, where, score)
    for system in systems:
        if plain_id(system) not in found:
            raise _no_system(table, system, found)
    return {system: found[plain_id(system)] for system in systems}


def _no_system(table: Table, system: str, others: Mapping[str, object]) -> InputMismatch:
    return InputMismatch(f"{table.name}: no score of system {system!r}; it has {', '.join(others) or 'none'}")
