"""Scoring of tables: pandas, polars, pyarrow, DuckDB, datasets, or dicts of columns.

Each function accepts all of them and returns the same kind; needs ``pip install 'meteorlib[frames]'``. See
`docs/frames.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar, Unpack

from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.formula import NUMBERS
from meteorlib.core.statistics import Statistics
from meteorlib.errors import InputMismatch
from meteorlib.inputs.cells import id_of, values_of
from meteorlib.inputs.columns import cells_in, split_form
from meteorlib.inputs.labels import Keep
from meteorlib.inputs.rearranged import (
    ROWS_LOOKED_AT,
    check_joinable,
    grouping_advice,
    grouping_columns,
    is_plain,
    joined_cells,
    other_value,
    rows_by_key,
)
from meteorlib.integrations.native_tables import NativeTable, table_of
from meteorlib.integrations.rows import (
    PREFIX,
    Added,
    Columns,
    InvalidRow,
    check_free,
    check_known,
    count_names,
    names_of,
    numbers_of,
    parsed,
)
from meteorlib.scorer import Scorer

__all__ = ["InvalidRow", "corpus_scores", "score_frame", "score_statistics"]

Frame = TypeVar("Frame")
"""A table of pandas, polars or pyarrow, another that narwhals supports, a dict of columns, or a datasets.Dataset.

For a relation of DuckDB a pyarrow.Table is returned, for a polars.LazyFrame a DataFrame.
"""


def score_frame(
    frame: Frame,
    scorer: Scorer | ScorerConfig | str = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    keep: str | Sequence[str] = (),
    group: str | Sequence[str] | None = None,
    **added: Unpack[Added],
) -> Frame:
    """Score every row, or every group of rows with the references of a segment.

    Args:
        frame: the table; it is not changed.
        scorer: a scorer, a configuration or the name of a preset.
        references: one or more columns of references; each row has a string, a list of strings, or null for none.
        hypothesis: the column of hypotheses.
        keep: conditions on the rows to score, such as ``domain=news`` or ``domain!=news``, one or several.
        group: the columns of ids by which rows are one segment, with a reference each; ``()`` if each row is a segment,
            although rows with one id have one hypothesis and different references.
        added: the new columns: ``numbers``, one or several of the `ScoreBreakdown`, each 0..1, null if undefined
            (default: ``score``); ``statistics=True`` to add the counts, too, whose sums `score_statistics` scores;
            ``prefix`` of the names (default: ``meteor_``).

    Returns:
        A table of the same kind with the same rows, or those that are kept, and the new columns after the others; with
        `group`, a row per segment, with the columns of `group` and the hypothesis.

    Raises:
        InvalidRow: a row without hypothesis or references, a value that is not text, text that cannot be scored, or
            different hypotheses in a group; the message names column and row.
        UnknownName: an unknown column, number or preset.
        InputMismatch: the table already has a column with a new name, or seems to need `group`.
        TypeError: not a table, or a lazy one other than a relation of DuckDB or a LazyFrame of polars.
    """
    table, scorer = _kept_rows(table_of(frame), keep), _scorer(scorer)
    columns = Columns(references=references, hypothesis=hypothesis, **added)
    ids = names_of(group or ())
    check_known("column", [*columns.texts, *ids], table.columns)
    types = columns.added(scorer.config)
    kept = [*dict.fromkeys([*ids, hypothesis])] if ids else table.columns
    check_free([*types], kept)
    corpus = scorer.corpus(keep_segments=False)
    texts, firsts = _segments(table, columns, group)
    values = columns.score(scorer, texts, corpus)
    scored: Frame = (table.select(kept, firsts) if ids else table).with_columns(values, types)
    return scored


def corpus_scores(
    frame: Frame,
    scorer: Scorer | ScorerConfig | str = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    by: str | Sequence[str] | None = None,
    numbers: str | Sequence[str] = NUMBERS,
    prefix: str = PREFIX,
    keep: str | Sequence[str] = (),
    group: str | Sequence[str] | None = None,
) -> Frame:
    """Compute corpus scores of groups of rows: the score of the summed statistics of each group.

    Args:
        frame: the table.
        scorer: see `score_frame`.
        references: see `score_frame`.
        hypothesis: see `score_frame`.
        by: the columns to group by, such as ``["system", "language"]``; None makes one group of all rows.
        numbers: see `score_frame`.
        prefix: see `score_frame`.
        keep: see `score_frame`.
        group: see `score_frame`.

    Returns:
        A table of the same kind with one row per group, in order of first appearance: the columns of `by`, the
        numbers, ``mean`` (of the segment scores, which is not the corpus score), ``segments`` and ``signature``.

    Raises:
        InvalidRow: a null or NaN in a column of `by`, or as for `score_frame`.
        InputMismatch: there are no rows and no groups, or as for `score_frame`.
    """
    table, scorer = _kept_rows(table_of(frame), keep), _scorer(scorer)
    columns = Columns(references=references, hypothesis=hypothesis, numbers=numbers, prefix=prefix)
    by = names_of(by or ())
    check_known("column", [*columns.texts, *by, *names_of(group or ())], table.columns)
    types: dict[str, type] = columns.added(scorer.config)
    types |= {f"{prefix}mean": float, f"{prefix}segments": int, f"{prefix}signature": str}
    check_free([*types], by)
    texts, rows_of_segments = _segments(table, columns, group, by)
    keys = [table.values(name) for name in by]
    groups: dict[tuple[Any, ...], list[int]] = {} if by else {(): []}
    for segment, row in enumerate(rows_of_segments):
        key = tuple(values[row] for values in keys)
        if None in key:
            raise InvalidRow(by[key.index(None)], row, "null or NaN; every row needs a group: fill it or drop the row")
        groups.setdefault(key, []).append(segment)
    rows = []
    for segments in groups.values():
        corpus = scorer.corpus(keep_segments=False)
        cells = {name: [column[segment] for segment in segments] for name, column in texts.items()} if by else texts
        corpus.add_totals(columns.totals(scorer, cells, numbers=segments))
        rows.append([*numbers_of(corpus.score(), columns.numbers), corpus.mean(), len(corpus), str(scorer.signature)])
    values = {name: [row[index] for row in rows] for index, name in enumerate(types)}
    firsts = [rows_of_segments[segments[0]] for segments in groups.values() if segments]
    added: Frame = table.select(by, firsts).with_columns(values, types) if by else table.new_columns(values, types)
    return added


def score_statistics(
    frame: Frame,
    scorer: Scorer | ScorerConfig | str = DEFAULT_PRESET,
    *,
    numbers: str | Sequence[str] = ("score",),
    prefix: str = PREFIX,
) -> Frame:
    """Score rows of statistics: those of `score_frame`, or their sums from the table's own group-by.

    Args:
        frame: a table with the columns that ``score_frame(…, statistics=True)`` adds.
        scorer: the same METEOR.
        numbers: see `score_frame`.
        prefix: see `score_frame`.

    Raises:
        InvalidRow: a null, or a value that is not a count.
    """
    table, scorer = table_of(frame), _scorer(scorer)
    columns = Columns(references="", hypothesis="", numbers=numbers, prefix=prefix)
    names = count_names(scorer.config, prefix)
    check_known("column", names, table.columns)
    types = columns.added(scorer.config)
    check_free([*types], table.columns)
    rows: list[list[float | None]] = []
    for row, counts in enumerate(zip(*(table.values(name) for name in names), strict=True)):
        for name, count in zip(names, counts, strict=True):
            if not _is_count(count):
                raise InvalidRow(name, row, f"expected a count, got {count!r}")
        statistics = Statistics.from_counts([*map(int, counts)], len(scorer.parameters.weights))
        rows.append(numbers_of(scorer.breakdown(statistics), columns.numbers))
    scored: Frame = table.with_columns({name: [row[index] for row in rows] for index, name in enumerate(types)}, types)
    return scored


def _kept_rows(table: NativeTable, given: str | Sequence[str]) -> NativeTable:
    """The rows of a table that are kept, all if nothing is said."""
    keep = Keep.of(given)
    if not keep.conditions:
        return table
    check_known("column", [*keep.conditions], table.columns)
    kept = keep.rows({name: map(values_of, table.values(name)) for name in keep.conditions})
    return table.select(table.columns, [row for row, keep in enumerate(kept) if keep])


def _segments(
    table: NativeTable, columns: Columns, group: str | Sequence[str] | None, by: Sequence[str] = ()
) -> tuple[dict[str, list[Any]], Sequence[int]]:
    """The cells of each segment, by column of texts, and the index of its first row."""
    texts = {name: table.values(name) for name in columns.texts}
    hypothesis = columns.texts[0]
    count = len(texts[hypothesis])
    if not group:
        if group is None:
            _check_rows_are_segments(table, columns, by, count)
        return texts, range(count)
    names = names_of(group)
    ids = enumerate(zip(*map(table.values, names), strict=True))
    keys = [parsed(lambda cells: tuple(map(id_of, cells)), cells, ", ".join(names), row) for row, cells in ids]
    segments = [*rows_by_key(keys).values()]
    for name in (hypothesis, *by):
        values = texts.get(name) or table.values(name)
        for rows in segments:
            if other := other_value([values[row] for row in rows]):
                reason = f"another value than in row {rows[0]}, of the same segment; only references may differ"
                raise InvalidRow(name, rows[other], reason)
    for name, form in map(split_form, columns.references):
        for row, cell in enumerate(texts[name]):
            parsed(partial(check_joinable, form=form), cell, name, row)
    firsts = [rows[0] for rows in segments]
    joined: dict[str, list[Any]] = {
        name: [joined_cells(cells[row] for row in rows) for rows in segments] for name, cells in texts.items()
    }
    return {**joined, hypothesis: [texts[hypothesis][row] for row in firsts]}, firsts


def _check_rows_are_segments(table: NativeTable, columns: Columns, by: Sequence[str], count: int) -> None:
    names = [name for name in table.columns if isinstance(name, str)]  # pandas has others
    first = table.select(names, range(min(count, 1)))
    kept = [name for name in names if name in columns.texts or any(map(is_plain, first.values(name)))]
    beginning = table.select(kept, range(min(count, ROWS_LOOKED_AT)))  # images and the like would take time
    cells = [[*map(cells_in if name in columns.texts else str, beginning.values(name))] for name in kept]
    rows = [dict(zip(kept, row, strict=True)) for row in zip(*cells, strict=True)]
    if groups := grouping_columns(rows, columns.texts[:1], columns.texts[1:], by):
        shown = groups[0] if len(groups) == 1 else [*groups]
        raise InputMismatch(grouping_advice(groups, f"group={shown!r}", "group=()"))


def _is_count(value: Any) -> bool:
    try:
        return bool(value >= 0 and value == int(value))
    except (TypeError, ValueError, OverflowError):  # null, text, NaN, infinite
        return False


def _scorer(given: Scorer | ScorerConfig | str) -> Scorer:
    return given if isinstance(given, Scorer) else Scorer(given)
