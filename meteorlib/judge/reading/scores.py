"""Scores of another metric: a column beside the judgments, or a table of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from warnings import warn

import numpy as np

from meteorlib.errors import InputMismatch, InvalidText, MeteorWarning
from meteorlib.formats.table import BadCell, Table, column_of, shown
from meteorlib.judge.judgments import Judgments
from meteorlib.judge.metrics import Metric, Scored
from meteorlib.judge.reading.columns import bad, number_of, open_judged, rows_of
from meteorlib.judge.reading.mt_metrics_eval import metric_scores, system_scores
from meteorlib.judge.reading.reading import Asked

MARGIN = 1e-12
"""By so much two scores of one text may differ."""

ROUNDED = 1e-3
"""By so much, of the largest of them, a score of a system may differ from the mean of its segments' scores."""


def read_metric(name: str, file: str, column: str, judgments: Sequence[Judgments], asked: Asked) -> Metric:
    """The scores of a metric, higher is better.

    Args:
        name: what the metric is called.
        file: a table that says for each text its language pair, segment and system, as that of the judgments does; or
            a test set of mt-metrics-eval, which has scores of metrics.
        column: which column has the scores; empty for the one called as the metric or ``score``, or the only one left.
        judgments: the texts.
        asked: how the judgments are read.

    Raises:
        InputMismatch: a text has no score; which column is meant is not clear.
        InvalidText: a score is missing or no number, or a text has two.
        UnknownName: there is no such column.
    """
    if Path(file).is_dir():
        return _of_folder(name, Path(file), judgments)
    table = open_judged(file, asked.dialect)
    key = asked.columns.key_of(table)
    chosen = column_of(table, column) if column else _column(table, name, key.columns)
    only = judgments[0].name if len(judgments) == 1 else None
    found: dict[tuple[str, str, str], float] = {}
    for number, where, cells in rows_of(table, [*key.columns, chosen]):
        try:
            lp, segment, system = key.of(number, cells[:-1])
            score = number_of(cells[-1])
        except BadCell as error:
            raise bad(where, chosen, error) from None
        text = (only if only and not key.lp else lp, segment, system)
        if abs(found.setdefault(text, score) - score) > MARGIN:
            raise InvalidText(where, f"segment {segment!r} of system {system!r} has another score already")
    scored = []
    for one in judgments:
        texts = [(one.name, text.segment, text.system) for text in one.texts]
        missing = next((text for text, known in zip(one.texts, texts, strict=True) if known not in found), None)
        if missing is not None:
            raise InputMismatch(f"{table.name}: {one.name}: no score of {name} for {missing}")
        scored.append(Scored(np.array([found.pop(text) for text in texts])))
    if found and not asked.lps:
        warn(f"{table.name}: {len(found)} scores are of texts that nobody judged", MeteorWarning, stacklevel=2)
    return Metric(name, tuple(scored))


def has_column(name: str, data: str, asked: Asked) -> bool:
    """Whether the judgments have scores of a metric beside them."""
    return not Path(data).is_dir() and name in open_judged(data, asked.dialect).columns


def _of_folder(name: str, folder: Path, judgments: Sequence[Judgments]) -> Metric:
    scored = []
    for one in judgments:
        scores = metric_scores(folder, one.name, name)
        try:
            scored.append(Scored(np.array([scores[text.segment, text.system] for text in one.texts])))
        except KeyError:
            text = next(text for text in one.texts if (text.segment, text.system) not in scores)
            raise InputMismatch(f"{folder}: {one.name}: no score of {name} for {text}") from None
        if (system := _unlike(scores, system_scores(folder, one.name, name))) is not None:
            warn(
                f"{folder}: {one.name}: {name} has a score of system {system!r} that is not the mean of its segments'; "
                "the mean counts here",
                MeteorWarning,
                stacklevel=3,
            )
    return Metric(name, tuple(scored))


def _unlike(scores: Mapping[tuple[str, str], float], systems: Mapping[str, float]) -> str | None:
    """A system whose own score is not the mean of those of its segments, as far as printed scores tell."""
    for system, whole in systems.items():
        own = [score for (_, name), score in scores.items() if name == system]
        if own and abs(np.mean(own) - whole) > ROUNDED * max(map(abs, [*own, whole])):
            return system
    return None


def _column(table: Table, name: str, key: Sequence[str]) -> str:
    left = [column for column in table.columns if column not in key]
    for column in (name, "score"):
        if column in left:
            return column
    if len(left) == 1:
        return left[0]
    columns = ", ".join(map(shown, left))
    raise InputMismatch(f"{table.name}: which column has the scores of {name}? call it so; its columns: {columns}")
