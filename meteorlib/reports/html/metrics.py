"""Other metrics in the HTML report: a table beside METEOR's scores, and their segment scores for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

from meteorlib.analysis.significance.other_metrics import MetricComparison, MetricSystem
from meteorlib.core.rows import probability
from meteorlib.core.safe_text import harmless
from meteorlib.reports.html.aligned import Aligned


@frozen
class MetricCell:
    """Score of a system by another metric; texts are empty if there is nothing to show.

    Attributes:
        score: score of the test set.
        interval: its confidence interval.
        p: p value of the difference from the baseline, adjusted for the number of systems (Holm).
    """

    score: str
    interval: str
    p: str


@frozen
class MetricRow:
    """A metric in the table.

    Attributes:
        name: name of the metric.
        signature: its signature; empty if unknown.
        lower_is_better: whether the metric counts errors.
        cells: a cell for each system.
        correlation: Pearson's r between its segment scores and METEOR's; a dash if there are none, or if it is
            undefined.
    """

    name: str
    signature: str
    lower_is_better: bool
    cells: Sequence[MetricCell]
    correlation: str


def metric_rows(metrics: Sequence[MetricComparison], systems: Sequence[Aligned]) -> list[MetricRow]:
    """A row for each metric; `systems` has the shown run of each system."""
    return [
        MetricRow(
            harmless(metric.name),
            harmless(metric.signature),
            metric.lower_is_better,
            [_cell(system, metric.percent) for system in metric.systems.values()],
            _correlation(metric, systems),
        )
        for metric in metrics
    ]


def metric_data(metrics: Sequence[MetricComparison]) -> list[dict[str, Any]]:
    """Plain data for the page: name, direction, and the segment scores of each system, if all have them."""
    return [
        {
            "name": harmless(metric.name),
            "lowerIsBetter": metric.lower_is_better,
            "segments": [[round(score, 6) for score in each] for each in _segments(metric)] or None,
        }
        for metric in metrics
    ]


def _segments(metric: MetricComparison) -> list[tuple[float, ...]]:
    found = [system.segments for system in metric.systems.values() if system.segments is not None]
    return found if len(found) == len(metric.systems) else []


def _cell(system: MetricSystem, percent: bool) -> MetricCell:
    digits = 2 if percent else 4
    ends = system.interval
    return MetricCell(
        f"{system.score:.{digits}f}",
        "" if ends is None else f"{ends.low:.{digits}f} – {ends.high:.{digits}f}",
        "" if system.adjusted_p is None else probability(system.adjusted_p),
    )


def _correlation(metric: MetricComparison, systems: Sequence[Aligned]) -> str:
    """Pearson's r over the segments of all systems; errors are negated."""
    theirs = [score for each in _segments(metric) for score in each]
    ours = np.concatenate([system.scores for system in systems])
    if len(theirs) != len(ours) or min(np.std(theirs), np.std(ours)) == 0:
        return "–"
    value = float(np.corrcoef(theirs, ours)[0, 1])
    return f"{-value if metric.lower_is_better else value:.3f}"
