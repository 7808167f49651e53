"""The tables of scores in the HTML report: METEOR with intervals and differences, and other metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np
from attrs import evolve

from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.results import Run, System, SystemComparison
from meteorlib.display.displayable import cell, value_at
from meteorlib.display.text import digits, harmless, one_line
from meteorlib.reports.html.paragraph import minus
from meteorlib.reports.system_table import COLUMNS, Form, Results, rank_meaning

PARTS = {
    "precision": "Precision", "recall": "Recall", "f_mean": "F mean", "fragmentation": "Fragmentation",
    "crossing": "Crossing", "penalty": "Penalty",
}  # fmt: skip
"""The parts of a score in the first table, with their titles; crossing matches only if they count."""

COUNTS = {"chunks": "Chunks", "words": "Words"}

MAIN = ("score", "ci", "difference", "holm", "rank")
"""The columns of the first table; a second one has the others."""

LAST = "mean"
"""The last column of the second table."""

Row = dict[str, Any]
"""A row of a table as the template reads it; texts are empty if there is nothing to show."""


def marks(count: int) -> list[str]:
    """A short name for each system: A, B, C …; numbers after Z."""
    return [chr(ord("A") + place) if place < 26 else str(place + 1) for place in range(count)]


def labeled(marks: Sequence[str], names: Sequence[str], form: str) -> list[str]:
    """Mark and name of each system in a form such as ``{} ({})``; a name that is its mark, such as A.en, is enough."""
    return [
        name if name.partition(".")[0] == mark else form.format(mark, name)
        for mark, name in zip(marks, names, strict=True)
    ]


def uncompared(systems: Mapping[str, Sequence[Aligned]]) -> SystemComparison:
    """The scores of systems without intervals and tests."""
    runs = {name: tuple(Run.of(run.corpus) for run in listed) for name, listed in systems.items()}
    found = [System(name, fmean(run.scored.score for run in listed), listed) for name, listed in runs.items()]
    (first, *_), *_ = systems.values()
    return SystemComparison(
        systems=tuple(found), baseline=found[0].name, test=None, samples=0, segment_count=len(first)
    )  # fmt: skip


def score_tables(comparison: SystemComparison, words: Sequence[int], marks: Sequence[str]) -> list[Row]:
    """The tables of scores: the columns of `meteorlib score`, with the parts of the score and counts before the mean.

    A column has a title, whether the baseline's badge follows it, and a label, which has its mark instead. A cell has a
    text, another one below it, its emphasis, and the bar of an interval; `words` counts those of each system.
    """
    systems = comparison.systems
    mark = marks[[system.name for system in systems].index(comparison.baseline)]
    names = [name for name, column in COLUMNS.items() if column.shown(comparison) and not column.above]
    parts = {name: title for name, title in PARTS.items() if getattr(systems[0].scored, name) is not None}
    titles = {name: COLUMNS[name].title(name, comparison, "{}") for name in names} | parts
    titles = {name: title for name, title in titles.items() if name != LAST} | COUNTS | {LAST: titles[LAST]}
    rows = []
    for place, (system, count) in enumerate(zip(systems, words, strict=True)):
        scored = system.scored
        cells = {name: _cell(_shown(comparison, system, name)) for name in names}
        cells |= {name: _cell(digits(getattr(scored, name))) for name in parts}
        cells |= {"chunks": _cell(f"{scored.statistics.chunks:,}"), "words": _cell(f"{count:,}")}
        for name, column in COLUMNS.items():
            if column.above and column.shown(comparison):
                cells[column.above]["below"] = _shown(comparison, system, name)
        p = value_at(system, "difference.adjusted_p")
        if p is not None and comparison.significant(p):
            cells["holm"]["emphasis"] = "significant"
        cells["score"]["emphasis"] = "plain"
        if "ci" in cells:
            cells["ci"]["bar"] = _interval_bar(comparison, place)
        rows.append(cells)
    return [
        {
            "columns": [
                {"title": title.format(""), "label": title.format(mark), "badge": "{}" in title, "wide": name == "ci"}
                for name, title in titles.items()
                if (name in MAIN) is is_main
            ],
            "rows": [[row[name] for name in titles if (name in MAIN) is is_main] for row in rows],
        }
        for is_main in (True, False)
    ]


def _cell(text: str) -> Row:
    return {"text": text, "below": "", "emphasis": "", "bar": None}


def _shown(metric: SystemComparison, system: System, name: str) -> str:
    """The cell of a column, with its name if it stands below another one; empty without a difference or an interval."""
    column = COLUMNS[name]
    if value_at(system, column.path) is None and (column.of_difference or name == "ci"):
        return ""
    text = cell(system, column.path, width=metric.digits()).strip("[]").replace(", ", " – ")
    return f"{column.title(name, metric)} {minus(text)}".strip() if column.above else minus(text)


_FORMS: dict[str, Form] = {"LaTeX": "latex", "Markdown": "markdown", "TSV": "tsv"}
"""Names of the formats that the page offers."""


def paper_tables(
    comparison: SystemComparison,
    references: int | None,
    signatures: tuple[str, str],
    preset: str,
    metrics: Sequence[SystemComparison],
) -> dict[str, str]:
    """Texts to copy: the signature, and the table of compared systems as `meteorlib score` prints it."""
    whole, short = signatures
    if not comparison.samples:
        return {"Signature": whole}
    named = [evolve(one, name=one_line(one.name), signature=harmless(one.signature)) for one in metrics]
    results = Results(comparison, whole, metrics=named, references=references, preset=preset, short_signature=short)
    tables = {form: results.written(name) for form, name in _FORMS.items()}
    return {**tables, "Signature": whole}


def notes(
    comparison: SystemComparison, systems: Mapping[str, Sequence[Aligned]], shown_runs: Sequence[int]
) -> list[str]:
    """Notes below the table; `shown_runs` has the index of the run of each system that the rest of the page shows."""
    problems = [
        f"{name if len(runs) == 1 else f'{name}, run {number}'}: {problem}."
        for name, runs in systems.items()
        for number, run in enumerate(runs, 1)
        for problem in run.corpus.problems()
    ]
    return [*_method(comparison), *_runs(systems, shown_runs, compared=comparison.samples > 0), *problems]


def _runs(systems: Mapping[str, Sequence[Aligned]], shown_runs: Sequence[int], *, compared: bool) -> list[str]:
    shown = [
        f"{name}: run {place + 1} of {len(runs)} (METEOR {digits(runs[place].corpus.score().score)})"
        for (name, runs), place in zip(systems.items(), shown_runs, strict=True)
        if len(runs) > 1
    ]
    if not shown:
        return []
    deviations = "s_sel is the standard deviation by choice of the test set, s_opt the one over the runs."
    return [
        f"For several runs, this table has the mean; chunks and words are sums.{f' {deviations}' if compared else ''}",
        f"The rest of the page shows the run with the median score. {'; '.join(shown)}.",
    ]


def _interval_bar(comparison: SystemComparison, place: int) -> Row | None:
    """The interval on a scale from 0 to 100 that covers the intervals of all systems; None if all are points."""
    ends = [(one.interval.low, one.interval.high) for one in comparison.systems if one.interval is not None]
    points = [*chain(*ends), *(one.score for one in comparison.systems)]
    least, most = min(points), max(points)
    if least == most:
        return None

    def at(value: float) -> float:
        return 2 + 96 * (value - least) / (most - least)

    (low, high), point = map(at, ends[place]), at(comparison.systems[place].score)
    return {"low": f"{low:.2f}", "width": f"{max(high - low, 0.5):.2f}", "point": f"{point - 0.5:.2f}"}


def _method(comparison: SystemComparison) -> list[str]:
    if not comparison.samples:
        return []
    intervals = f"Intervals at {100 * comparison.confidence:g} % by bootstrap over the segments"
    if comparison.test is None or len(comparison.systems) < 2:
        return [f"{intervals}, {comparison.samples:,} samples, seed {comparison.seed}."]
    test = "approximate randomization" if comparison.test == "randomization" else "paired bootstrap"
    adjusted = "Holm p, bold where significant, is adjusted for the number of systems compared with the baseline"
    samples = f"{comparison.samples:,} samples, seed {comparison.seed}"
    ranks = rank_meaning(comparison)
    return [f"{intervals}; p values by {test}; {samples}. {adjusted}; below it is p.", f"Rank: {ranks}."]


def metric_rows(metrics: Sequence[SystemComparison], systems: Sequence[Aligned]) -> list[Row]:
    """A row for each metric; `systems` has the shown run of each system."""
    return [
        {
            "name": harmless(metric.title),
            "signature": harmless(metric.signature),
            "lower_is_better": metric.lower_is_better,
            "cells": [
                {
                    "text": _shown(metric, system, "score"),
                    "below": [
                        _shown(metric, system, "ci"),
                        f"Holm p {p}" if (p := _shown(metric, system, "holm")) else "",
                    ],
                }
                for system in metric.systems
            ],
            "correlation": _metric_correlation(metric, systems),
        }
        for metric in metrics
    ]


def metric_data(metrics: Sequence[SystemComparison]) -> list[dict[str, Any]]:
    """Plain data for the page: name, direction, and the segment scores of each system, if all have them."""
    return [
        {
            "name": harmless(metric.title),
            "lowerIsBetter": metric.lower_is_better,
            "percent": metric.percent,
            "segments": [[round(score, 6) for score in each] for each in _metric_segments(metric)] or None,
        }
        for metric in metrics
    ]


def _metric_segments(metric: SystemComparison) -> list[list[float]]:
    found = [system.segments.tolist() for system in metric.systems if system.segments is not None]
    return found if len(found) == len(metric.systems) else []


def _metric_correlation(metric: SystemComparison, systems: Sequence[Aligned]) -> str:
    """Pearson's r over the segments of all systems; errors are negated."""
    theirs = [score for each in _metric_segments(metric) for score in each]
    ours = np.concatenate([system.scores for system in systems])
    if len(theirs) != len(ours) or min(np.std(theirs), np.std(ours)) == 0:
        return "–"
    value = float(np.corrcoef(theirs, ours)[0, 1])
    return f"{-value if metric.lower_is_better else value:.3f}"
