"""Reader of another metric's scores: a column of the judgments, a table, or a test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from warnings import warn

import numpy as np

from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments, format_segment
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored
from meteorlib.errors import InputMismatch, InvalidText, MeteorWarning
from meteorlib.inputs.cells import number_of, parse_cell, rows_of
from meteorlib.inputs.columns import Table, column_of, listed_columns
from meteorlib.inputs.formats import open_table
from meteorlib.inputs.judgment_tables import Asked, IdColumns, JudgmentRow, Segment
from meteorlib.inputs.judgments import metric_scores, system_scores

SAME_SCORE = 1e-12
"""Relative difference up to which scores of one text are equal; programs may print the last digits differently."""

SAME_SYSTEM_SCORE = 1e-3
"""Difference allowed between a system's score and its mean segment score, relative to the largest of them."""


def read_metric(name: str, file: str, column: str, judgments: Sequence[Judgments], asked: Asked) -> Metric:
    """Read the scores of a metric, higher is better.

    Args:
        name: name of the metric.
        file: table that identifies texts by language pair, segment and system, like the judgments; or a test set of
            mt-metrics-eval, which contains scores of metrics.
        column: column of the scores; empty for the one named after the metric or ``score``, or the only one left.
        judgments: judgments of each language pair.
        asked: options by which the judgments were read.

    Raises:
        InputMismatch: a text has no score, or the column is ambiguous.
        InvalidText: a score is missing or not a number, or a text has two different scores.
        UnknownName: the column does not exist.
    """
    if Path(file).is_dir():
        return _of_folder(name, Path(file), judgments)
    table = open_table(file, asked.dialect)
    key = asked.columns.key_of(table)
    chosen = column_of(table, column) if column else _column(table, name, key.columns)
    places = _row_texts(table, key, judgments)
    rows = []
    for where, cells in rows_of(table, [*key.columns, chosen]):
        lp, segment, system = key.of(where, cells)
        score = parse_cell(number_of, cells[-1], where, chosen)
        rows.append(JudgmentRow(where, lp if key.lp else "", segment, system, ratings=(score,)))
    if places:
        return Metric(name, tuple(_by_position(table, rows, judgments, places)))
    return Metric(name, tuple(_by_id(table, name, rows, judgments, partial=bool(asked.lps and key.lp))))


def _row_texts(table: Table, key: IdColumns, judgments: Sequence[Judgments]) -> list[Indices]:
    """Text of each row, by language pair, if rows are joined by position; empty if joined by segment ids.

    Raises:
        InputMismatch: only one of the two tables has a column of segments, or only the judgments have one of systems.
    """
    places = [one.rows for one in judgments if one.rows is not None]
    if places and key.segments:
        raise InputMismatch(
            f"{table.name}: has a column of segments ({listed_columns(key.segments)}) and the judgments "
            "have none; say which column of theirs it is by --segment-column NAME"
        )
    for what, option, lacks in (
        ("segments", "--segment-column", not places and not key.segments),
        ("systems", "--system-column", not key.system and any(text.system for one in judgments for text in one.texts)),
    ):
        if lacks:
            missing = f"{table.name}: no column of {what}, which the judgments have; say {option} NAME"
            raise InputMismatch(f"{missing}; its columns: {listed_columns(table.columns)}")
    for one in judgments if key.segments else ():
        for text in one.texts[:1]:
            key.check_same_ids(table, text.segment)
    return places


def _by_id(
    table: Table, name: str, rows: Sequence[JudgmentRow], judgments: Sequence[Judgments], *, partial: bool
) -> Iterator[Scored]:
    only = judgments[0].name if len(judgments) == 1 else None
    found: dict[tuple[str | None, Segment, str], _Range] = {}
    for row in rows:
        text = (row.lp or only, row.segment, row.system)
        named = f"segment {format_segment(row.segment)} of system {row.system!r}"
        found[text] = _extended_range(found.get(text), row, named)
    for one in judgments:
        texts = [(one.name, text.segment, text.system) for text in one.texts]
        missing = next((text for text, known in zip(one.texts, texts, strict=True) if known not in found), None)
        if missing is not None:
            raise InputMismatch(f"{table.name}: {one.name}: no score of {name} for {missing}")
        yield Scored(np.array([found.pop(text)[0] for text in texts]))
    if found and not partial:
        warn(f"{table.name}: {len(found)} scores belong to texts without judgments", MeteorWarning, stacklevel=3)


def _by_position(
    table: Table, rows: Sequence[JudgmentRow], judgments: Sequence[Judgments], places: Sequence[Indices]
) -> Iterator[Scored]:
    for one, of_rows in zip(judgments, places, strict=True):
        if len(rows) != len(of_rows):
            raise InputMismatch(
                f"{table.name}: has {len(rows)} rows where the judgments have {len(of_rows)}; without a column of "
                "segments (--segment-column) they are joined by position"
            )
        found: dict[int, _Range] = {}
        for row, place in zip(rows, of_rows.tolist(), strict=True):
            if place < 0:
                continue
            text, lp = one.texts[place], row.lp or one.name
            if (lp, row.system) != (one.name, text.system):
                raise InvalidText(
                    row.where,
                    f"is of system {row.system!r} of {lp}, where the same row of the judgments is of system "
                    f"{text.system!r} of {one.name}; without a column of segments rows are joined by position",
                )
            found[place] = _extended_range(found.get(place), row, str(text))
        yield Scored(np.array([found[place][0] for place in range(len(one.texts))]))


_Range = tuple[float, float]
"""Lowest and highest score of a text; the lowest is used, so that the order of rows does not matter."""


def _extended_range(known: _Range | None, row: JudgmentRow, text: str) -> _Range:
    """Range of a text's scores, extended by another row.

    Raises:
        InvalidText: the scores contradict each other.
    """
    (score,) = row.ratings
    low, high = known or (score, score)
    low, high = min(low, score), max(high, score)
    if high - low > SAME_SCORE * max(abs(low), abs(high)):
        raise InvalidText(row.where, f"{text} already has another score")
    return low, high


def has_column(name: str, data: str, asked: Asked) -> bool:
    """Whether the table of judgments has a column of a metric's scores."""
    return not Path(data).is_dir() and name in open_table(data, asked.dialect).columns


def _of_folder(name: str, folder: Path, judgments: Sequence[Judgments]) -> Metric:
    scored = []
    for one in judgments:
        scores = metric_scores(folder, one.name, name)
        try:
            scored.append(Scored(np.array([scores[text.segment, text.system] for text in one.texts])))
        except KeyError:
            text = next(text for text in one.texts if (text.segment, text.system) not in scores)
            raise InputMismatch(f"{folder}: {one.name}: no score of {name} for {text}") from None
        if (system := _inconsistent_system(scores, system_scores(folder, one.name, name))) is not None:
            warn(
                f"{folder}: {one.name}: {name} has a score of system {system!r} that is not the mean of its segments'; "
                "the mean counts here",
                MeteorWarning,
                stacklevel=3,
            )
    return Metric(name, tuple(scored))


def _inconsistent_system(scores: Mapping[tuple[Segment, str], float], systems: Mapping[str, float]) -> str | None:
    """A system whose score is not the mean of its segment scores, up to rounding; None if there is none."""
    for system, whole in systems.items():
        own = [score for (_, name), score in scores.items() if name == system]
        if own and abs(np.mean(own) - whole) > SAME_SYSTEM_SCORE * max(map(abs, [*own, whole])):
            return system
    return None


def _column(table: Table, name: str, key: Sequence[str]) -> str:
    left = [column for column in table.columns if column not in key]
    for column in (name, "score"):
        if column in left:
            return column
    if len(left) == 1:
        return left[0]
    raise InputMismatch(
        f"{table.name}: no column has the scores of {name}; rename one to {name}; its columns: {listed_columns(left)}"
    )
