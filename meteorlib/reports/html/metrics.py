"""Other metrics in the HTML report: a table beside METEOR's scores, and their segment scores for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from attrs import frozen

from meteorlib.analysis.results import MetricComparison, MetricSystem
from meteorlib.core.rows import DIGITS, probability, signed
from meteorlib.core.safe_text import harmless
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.systems.paper import METRICS


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


@frozen
class MetricDifference:
    """Difference of two systems by another metric.

    Attributes:
        name: name of the metric.
        texts: the difference as the page shows it, first minus second and second minus first.
        sign: 1 if the metric prefers the first system, -1 if the second, 0 if the difference rounds to 0.
        lower_is_better: whether the metric counts errors.
        p: p value of the difference; None if it was not tested.
    """

    name: str
    texts: tuple[str, str]
    sign: int
    lower_is_better: bool
    p: float | None

    @classmethod
    def of(cls, metric: MetricComparison, first: int, second: int) -> Self:
        """The difference of two systems by index."""
        (one, other), digits = ([*metric.systems][first], [*metric.systems][second]), _digits(metric.percent)
        value = metric.systems[one].score - metric.systems[other].score
        texts = tuple(signed(each, digits).replace("-", "−") for each in (value, -value))
        better = 0 if texts[0] == texts[1] else -1 if (value < 0) != metric.lower_is_better else 1
        p = next((pair.p for pair in metric.pairs if {pair.system, pair.other} == {one, other}), None)
        return cls(metric_name(metric), (texts[0], texts[1]), better, metric.lower_is_better, p)

    def to_list(self) -> list[str]:
        """Plain data for the page: name, both texts, p value."""
        return [self.name, *self.texts, "" if self.p is None else probability(self.p)]


def metric_name(metric: MetricComparison) -> str:
    """Name of a metric as papers write it."""
    return harmless(METRICS.get(metric.name, metric.name))


def _digits(percent: bool) -> int:
    return DIGITS - 2 if percent else DIGITS


def metric_rows(metrics: Sequence[MetricComparison], systems: Sequence[Aligned]) -> list[MetricRow]:
    """A row for each metric; `systems` has the shown run of each system."""
    return [
        MetricRow(
            metric_name(metric),
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
            "name": metric_name(metric),
            "lowerIsBetter": metric.lower_is_better,
            "segments": [[round(score, 6) for score in each] for each in _segments(metric)] or None,
        }
        for metric in metrics
    ]


def _segments(metric: MetricComparison) -> list[tuple[float, ...]]:
    found = [system.segments for system in metric.systems.values() if system.segments is not None]
    return found if len(found) == len(metric.systems) else []


def _cell(system: MetricSystem, percent: bool) -> MetricCell:
    digits = _digits(percent)
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
