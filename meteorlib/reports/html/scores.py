"""The tables of scores in the HTML report: METEOR with intervals and differences, and other metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from attrs import evolve

from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.results import System, SystemComparison, mean_breakdown
from meteorlib.core.signature import Signature
from meteorlib.display.displayable import value_at
from meteorlib.display.text import DIGITS, digits, harmless, one_line, probability, signed
from meteorlib.reports.html.paragraph import metric_digits, metric_name, minus
from meteorlib.reports.system_table import Results, full_signature, rank_meaning

Row = dict[str, Any]
"""A row of a table as the template reads it; texts are empty if there is nothing to show."""


def marks(count: int) -> list[str]:
    """A short name for each system: A, B, C …; numbers after Z."""
    return [chr(ord("A") + place) if place < 26 else str(place + 1) for place in range(count)]


def baseline_place(comparison: SystemComparison | None) -> int:
    """Index of the system that the others are compared with."""
    return 0 if comparison is None else [one.name for one in comparison.systems].index(comparison.baseline)


def score_rows(systems: Mapping[str, Sequence[Aligned]], comparison: SystemComparison | None) -> list[Row]:
    """A row for each system, given its runs: the mean of their scores, the sums of their counts."""
    return [
        {
            "name": name,
            "scored": mean_breakdown([run.corpus.score() for run in runs]),
            "mean": fmean(run.corpus.mean() for run in runs),
            "words": sum(len(run.hypothesis.flat) for run in runs),
            "runs": len(runs),
            **({} if comparison is None else _compared(comparison, place)),
        }
        for place, (name, runs) in enumerate(systems.items())
    ]


def paper_tables(
    comparison: SystemComparison | None,
    references: int | None,
    signature: Signature,
    metrics: Sequence[SystemComparison],
) -> dict[str, str]:
    """The table of compared systems to copy, as `meteorlib score` prints it in each format; none for no comparison."""
    if comparison is None:
        return {}
    named = [evolve(one, name=one_line(one.name), signature=harmless(one.signature)) for one in metrics]
    text = harmless(full_signature(str(signature), references))
    results = Results(comparison, text, metrics=named, references=references, preset=harmless(signature.preset))
    return {"LaTeX": results.written("latex"), "Markdown": results.written("markdown"), "TSV": results.written("tsv")}


def notes(
    systems: Mapping[str, Sequence[Aligned]], shown_runs: Sequence[int], comparison: SystemComparison | None
) -> list[str]:
    """Notes below the table; `shown_runs` has the index of the run of each system that the rest of the page shows."""
    named = [
        (name if len(runs) == 1 else f"{name}, run {number}", run.corpus)
        for name, runs in systems.items()
        for number, run in enumerate(runs, 1)
    ]
    return [
        *_method(comparison),
        *_runs(systems, shown_runs, compared=comparison is not None),
        *(f"{name}: {problem}." for name, corpus in named for problem in corpus.problems()),
    ]


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


def _compared(comparison: SystemComparison, place: int) -> Row:
    """Cells of a comparison; ``deviation`` has s_sel and s_opt, ``adjusted_p`` Holm's p."""
    system = comparison.systems[place]
    difference = system.difference
    low, high = _ends(system)
    p, adjusted = (None, None) if difference is None else (difference.p, difference.adjusted_p)
    ends = () if difference is None else (value_at(difference, f"interval.{end}") for end in ("low", "high"))
    return {
        "interval": f"{digits(low)} – {digits(high)}",
        "bar": _interval_bar(comparison, place),
        "deviation": (digits(system.s_sel), digits(system.s_opt)),
        "rank": "" if system.rank is None else str(system.rank),
        "difference": "" if difference is None else _signed(difference.value),
        "difference_interval": " – ".join(map(_signed, ends)),
        "p": "" if difference is None else probability(p),
        "adjusted_p": "" if difference is None else probability(adjusted),
        "significant": adjusted is not None and comparison.significant(adjusted),
    }


def _ends(system: System) -> tuple[float, float]:
    """Ends of the interval; the score if there is none."""
    ends = system.interval
    return (system.score, system.score) if ends is None else (ends.low, ends.high)


def _signed(value: float) -> str:
    return minus(signed(value, DIGITS))


def _interval_bar(comparison: SystemComparison, place: int) -> Row | None:
    """The interval on a scale from 0 to 100 that covers the intervals of all systems; None if all are points."""
    ends = [end for one in comparison.systems for end in (*_ends(one), one.score)]
    least, most = min(ends), max(ends)
    if least == most:
        return None

    def at(value: float) -> float:
        return 2 + 96 * (value - least) / (most - least)

    system = comparison.systems[place]
    low, high = map(at, _ends(system))
    return {"low": f"{low:.2f}", "width": f"{max(high - low, 0.5):.2f}", "point": f"{at(system.score) - 0.5:.2f}"}


def _method(comparison: SystemComparison | None) -> list[str]:
    if comparison is None:
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
            "name": metric_name(metric),
            "signature": harmless(metric.signature),
            "lower_is_better": metric.lower_is_better,
            "cells": [_metric_cell(system, metric_digits(metric)) for system in metric.systems],
            "correlation": _metric_correlation(metric, systems),
        }
        for metric in metrics
    ]


def metric_data(metrics: Sequence[SystemComparison]) -> list[dict[str, Any]]:
    """Plain data for the page: name, direction, and the segment scores of each system, if all have them."""
    return [
        {
            "name": metric_name(metric),
            "lowerIsBetter": metric.lower_is_better,
            "segments": [[round(score, 6) for score in each] for each in _metric_segments(metric)] or None,
        }
        for metric in metrics
    ]


def _metric_segments(metric: SystemComparison) -> list[list[float]]:
    found = [system.segments.tolist() for system in metric.systems if system.segments is not None]
    return found if len(found) == len(metric.systems) else []


def _metric_cell(system: System, digits: int) -> Row:
    ends, p = system.interval, value_at(system, "difference.adjusted_p")
    return {
        "score": f"{system.score:.{digits}f}",
        "interval": "" if ends is None else f"{ends.low:.{digits}f} – {ends.high:.{digits}f}",
        "p": "" if p is None else probability(p),
    }


def _metric_correlation(metric: SystemComparison, systems: Sequence[Aligned]) -> str:
    """Pearson's r over the segments of all systems; errors are negated."""
    theirs = [score for each in _metric_segments(metric) for score in each]
    ours = np.concatenate([system.scores for system in systems])
    if len(theirs) != len(ours) or min(np.std(theirs), np.std(ours)) == 0:
        return "–"
    value = float(np.corrcoef(theirs, ours)[0, 1])
    return f"{-value if metric.lower_is_better else value:.3f}"
