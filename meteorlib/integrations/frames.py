"""Scoring of tables: pandas, polars, pyarrow, DuckDB, datasets, or dicts of columns.

Each function accepts all of them and returns the same kind; needs ``pip install 'meteorlib[frames]'``. See
`docs/frames.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.core.formula import NUMBERS
from meteorlib.core.statistics import Statistics
from meteorlib.corpus.corpus import Corpus
from meteorlib.integrations.rows import PREFIX, Columns, InvalidRow, check_free, check_known, count_names, numbers_of
from meteorlib.integrations.tables import table_of
from meteorlib.scorer import Scorer

__all__ = ["InvalidRow", "corpus_scores", "score_frame", "score_statistics"]

Frame = TypeVar("Frame")
"""A pandas.DataFrame, polars.DataFrame, pyarrow.Table or RecordBatch, another eager table that narwhals supports, a
dict of lists or arrays, a datasets.Dataset; or a DuckDB relation, for which a pyarrow.Table is returned."""


def score_frame(
    frame: Frame,
    scorer: Scorer | ScorerConfig | str = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    numbers: str | Sequence[str] = ("score",),
    statistics: bool = False,
    prefix: str = PREFIX,
) -> Frame:
    """Score every row.

    Args:
        frame: the table; it is not changed.
        scorer: a scorer, a configuration or the name of a preset.
        references: one or more columns of references; each row has a string or a list of strings.
        hypothesis: the column of hypotheses.
        numbers: numbers of the `ScoreBreakdown` to add as columns, each 0..1; null if undefined.
        statistics: whether to add the counts as columns too; score their sums with `score_statistics`.
        prefix: prefix of the names of new columns.

    Returns:
        A table of the same kind with the same rows, and the new columns after the existing ones.

    Raises:
        InvalidRow: a null, a value that is not text, or text that cannot be scored; the message names column and row.
        UnknownName: an unknown column, number or preset.
        InputMismatch: the table already has a column with a new name.
        TypeError: not a table, or a lazy one other than a DuckDB relation.
    """
    table, scorer = table_of(frame), _scorer(scorer)
    columns = Columns(
        references=references, hypothesis=hypothesis, numbers=numbers, statistics=statistics, prefix=prefix
    )
    check_known("column", columns.texts, table.columns)
    types = columns.added(scorer.config)
    check_free([*types], table.columns)
    corpus = scorer.corpus(keep_segments=False)
    values = columns.score(scorer, {name: table.values(name) for name in columns.texts}, corpus)
    scored: Frame = table.with_columns(values, types)
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

    Returns:
        A table of the same kind with one row per group, in order of first appearance: the columns of `by`, the
        numbers, ``mean`` (of the segment scores, which is not the corpus score), ``segments`` and ``signature``.

    Raises:
        InvalidRow: a null or NaN in a column of `by`, or as for `score_frame`.
        InputMismatch: there are no rows and no groups, or as for `score_frame`.
    """
    table, scorer = table_of(frame), _scorer(scorer)
    columns = Columns(references=references, hypothesis=hypothesis, numbers=numbers, prefix=prefix)
    by = [by] if isinstance(by, str) else list(by or ())
    check_known("column", [*columns.texts, *by], table.columns)
    types: dict[str, type] = columns.added(scorer.config)
    types |= {f"{prefix}mean": float, f"{prefix}segments": int, f"{prefix}signature": str}
    check_free([*types], by)
    groups: dict[tuple[Any, ...], tuple[int, Corpus]] = {} if by else {(): (0, scorer.corpus(keep_segments=False))}
    texts = {name: table.values(name) for name in columns.texts}
    keys = [table.values(name) for name in by]
    for row, scored in enumerate(columns.breakdowns(scorer, texts)):
        key = tuple(values[row] for values in keys)
        if None in key:
            raise InvalidRow(by[key.index(None)], row, "null or NaN; every row needs a group: fill it or drop the row")
        groups.setdefault(key, (row, scorer.corpus(keep_segments=False)))[1].add_breakdown(scored)
    rows = [
        [*numbers_of(corpus.score(), columns.numbers), corpus.mean(), len(corpus), str(scorer.signature)]
        for _, corpus in groups.values()
    ]
    values = {name: [row[index] for row in rows] for index, name in enumerate(types)}
    firsts = [first for first, _ in groups.values()]
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


def _is_count(value: Any) -> bool:
    try:
        return bool(value >= 0 and value == int(value))
    except (TypeError, ValueError, OverflowError):  # null, text, NaN, infinite
        return False


def _scorer(given: Scorer | ScorerConfig | str) -> Scorer:
    return given if isinstance(given, Scorer) else Scorer(given)
