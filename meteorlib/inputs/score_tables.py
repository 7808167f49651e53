"""Tables with scores of another metric for compared systems, joined to the segments by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import Factory, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, id_of, number_of, parse_cell, plain_id, rows_of
from meteorlib.inputs.columns import (
    NO_IDS,
    SEGMENT_COLUMNS,
    column_of,
    columns_by_name,
    columns_of,
    find_column,
    normalized,
    row_ids,
    usual_columns,
    without_role,
)
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.join import Key, Order, find_join, rows_by_id
from meteorlib.inputs.table import Cell, Table

BY_POSITION = f"join everything by position with --id-column {NO_IDS}"


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

    Raises:
        InputMismatch: a system or a segment has no score, or rows cannot be joined to the segments.
        InvalidText: a score is not a number, is repeated, or is that of an unknown segment.
        UnknownName: a system or the metric has no column.
    """
    table = open_table(file, Dialect(), "hyp", columns=True)  # not the dialect of the texts
    names = [*map(without_role, table.columns)]
    known = order if order is not None and order.base is not None else None
    wide = all(system in names for system in systems)
    system_column = None if wide else find_column(table, "system")
    if system_column is not None:
        score = column_of(table, name if name in names else "score")
        rows = SegmentRows.of(table, count, known, [system_column, score])
        if rows is None:
            return ScoreTable(systems=_system_scores(table, system_column, score, systems))
        return ScoreTable(_long_scores(table, rows, system_column, score, systems))
    columns = columns_of(table, systems)
    rows = SegmentRows.of(table, count, known, columns)
    if rows is not None:
        return ScoreTable(_wide_scores(table, rows, columns))
    if known is not None:
        raise _no_join(table, known)
    note = (
        f"{table.name}: has no column of segment ids, such as {SEGMENT_COLUMNS[0]}, so row 1 is taken as the score of "
        "segment 1, and so on; add one if the order may differ"
    )
    return ScoreTable(_by_position(table, columns, count), note=note)


@frozen
class SegmentRows:
    """Columns of a table that identify segments, and the index of the segment of each id.

    Attributes:
        columns: the columns.
        places: index of the segment of each id.
    """

    columns: Sequence[str]
    places: Mapping[Key, int]

    @classmethod
    def of(cls, table: Table, count: int, order: Order | None, others: Sequence[str]) -> SegmentRows | None:
        """Find the columns; None if there are none.

        Args:
            table: table of scores.
            count: number of segments.
            order: order of the segments with their ids; None if they have none.
            others: columns of the table that are no ids.

        Raises:
            InputMismatch: an id occurs twice in the texts.
        """
        if order is not None and order.base is not None:
            if not {*map(normalized, order.named)} <= {*columns_by_name(table)}:
                return None
            join = find_join(table, order.base, order.named, (*order.texts, *others))
            return None if join is None else cls(join.own, rows_by_id(order.base, join.others))
        segments = usual_columns(table, "segment", others)
        columns = [segments[0]] if segments else row_ids(table, others)[:1]
        if not columns:
            return None
        first = 0 if any(_key(where, cells, columns) == ("0",) for where, cells in rows_of(table, columns)) else 1
        return cls(columns, {(str(first + index),): index for index in range(count)})

    def place(self, where: str, cells: Sequence[Cell]) -> int:
        """The index of the segment whose id is in these cells.

        Raises:
            InvalidText: there is no such segment.
        """
        key = _key(where, cells, self.columns)
        if key not in self.places:
            ends = [self.describe(index) for index in (0, len(self.places) - 1)]
            raise InvalidText(
                f"{where}: column {', '.join(map(repr, self.columns))}",
                f"the texts have no segment {'/'.join(key)!r}, only {len(self.places):,} from {ends[0]} to {ends[1]}; "
                "correct the id, or remove the row",
            )
        return self.places[key]

    def describe(self, place: int) -> str:
        """The id of a segment, for messages."""
        return repr("/".join(next(key for key, index in self.places.items() if index == place)))


def _key(where: str, cells: Sequence[Cell], columns: Sequence[str]) -> Key:
    return tuple(parse_cell(id_of, cell, where, column) for cell, column in zip(cells, columns, strict=True))


def _score_of(cell: Cell) -> float:
    """Parse a score, with advice of its own for a missing one."""
    if cell is None or cell == "":
        raise BadCell("a score is missing; every segment needs one for every system")
    return number_of(cell)


def _by_position(table: Table, columns: Sequence[str], count: int) -> list[list[float]]:
    rows = [
        [parse_cell(_score_of, cell, where, column) for cell, column in zip(cells, columns, strict=True)]
        for where, cells in rows_of(table, columns)
    ]
    if len(rows) != count:
        raise InputMismatch(f"{table.name}: has {len(rows)} rows of scores for {count} segments; it needs one for each")
    return rows


def _wide_scores(table: Table, rows: SegmentRows, columns: Sequence[str]) -> list[list[float]]:
    """Scores of each segment for all systems, from a table with a row for each segment."""
    found: dict[int, tuple[str, list[float]]] = {}
    width = len(rows.columns)
    for where, cells in rows_of(table, [*rows.columns, *columns]):
        place = rows.place(where, cells[:width])
        if place in found:
            raise _repeated(where, rows, place, found[place][0], "")
        scores = [parse_cell(_score_of, cell, where, name) for cell, name in zip(cells[width:], columns, strict=True)]
        found[place] = (where, scores)
    _check_complete(table, rows, found, "")
    return [found[place][1] for place in range(len(rows.places))]


def _long_scores(
    table: Table, rows: SegmentRows, system_column: str, score: str, systems: Sequence[str]
) -> list[list[float]]:
    """Scores of each segment for all systems, from a table with a row for each system and segment."""
    found: dict[str, dict[int, tuple[str, float]]] = {system: {} for system in systems}
    others: dict[str, None] = {}
    names = {plain_id(system): system for system in systems}
    width = len(rows.columns)
    for where, cells in rows_of(table, [*rows.columns, system_column, score]):
        label = parse_cell(id_of, cells[width], where, system_column)
        if label not in names:
            others[label] = None
            continue
        system = names[label]
        place = rows.place(where, cells[:width])
        if place in found[system]:
            raise _repeated(where, rows, place, found[system][place][0], f" of system {system!r}")
        found[system][place] = (where, parse_cell(_score_of, cells[width + 1], where, score))
    for system, scores in found.items():
        if not scores:
            raise _no_system(table, system, others)
        _check_complete(table, rows, scores, f" of system {system!r}")
    return [[found[system][place][1] for system in systems] for place in range(len(rows.places))]


def _system_scores(table: Table, system_column: str, score: str, systems: Sequence[str]) -> dict[str, float]:
    """The score of each system, from a table with a row for each system."""
    found: dict[str, float] = {}
    for where, (system, cell) in rows_of(table, [system_column, score]):
        label = parse_cell(id_of, system, where, system_column)
        if label in found:
            raise InvalidText(
                f"{where}: column {system_column!r}",
                f"system {label!r} has a score already; scores of segments need a column of their ids, such as "
                f"{SEGMENT_COLUMNS[0]}; a table with a row for each system has one",
            )
        found[label] = parse_cell(number_of, cell, where, score)
    for system in systems:
        if plain_id(system) not in found:
            raise _no_system(table, system, found)
    return {system: found[plain_id(system)] for system in systems}


def _check_complete(table: Table, rows: SegmentRows, found: Mapping[int, object], whose: str) -> None:
    missing = [place for place in range(len(rows.places)) if place not in found]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise InputMismatch(
            f"{table.name}: no score{whose} for segment {rows.describe(missing[0])}{more} (column "
            f"{', '.join(map(repr, rows.columns))}); add a row for each segment"
        )


def _repeated(where: str, rows: SegmentRows, place: int, before: str, whose: str) -> InvalidText:
    return InvalidText(
        f"{where}: column {', '.join(map(repr, rows.columns))}",
        f"segment {rows.describe(place)}{whose} has a score already, at {before}; keep one of the rows",
    )


def _no_system(table: Table, system: str, others: Mapping[str, object]) -> InputMismatch:
    return InputMismatch(f"{table.name}: no score of system {system!r}; it has {', '.join(others) or 'none'}")


def _no_join(table: Table, order: Order) -> InputMismatch:
    assert order.base is not None  # noqa: S101 – for the type checker
    ids = ", ".join(order.named or row_ids(order.base, order.texts))
    return InputMismatch(
        f"{table.name}: has none of the columns that identify the segments of {order.base.name} ({ids}); add them, or "
        f"{BY_POSITION}"
    )
