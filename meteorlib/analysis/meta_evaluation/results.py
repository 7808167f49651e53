"""Results of a meta-evaluation as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.analysis.results import Interval
from meteorlib.display.displayable import Grid, Tabular, grid_of

Level = Literal["pairs", "ratings", "systems"]
"""Kind of judgments: pairs of texts, ratings of texts, or systems (rated directly or by their texts)."""


@frozen
class Difference(Tabular):
    """Difference between a metric and the baseline in one statistic.

    Attributes:
        value: statistic of the metric minus that of the baseline.
        interval: confidence interval of the difference.
        p: p value of the paired bootstrap test.
        williams: one-sided p value of Williams' test that the better metric is better; None if the test does not apply
            or scipy is not installed.
    """

    _columns = "value interval p williams"
    _signed = frozenset({"value", "interval"})

    value: float
    interval: Interval
    p: float
    williams: float | None = None


@frozen
class Figure(Tabular):
    """Statistic of a metric, with its confidence interval.

    Attributes:
        value: value on the original test set.
        interval: confidence interval from bootstrap resampling of segments.
        difference: difference from the baseline; None for the baseline.
    """

    _columns = "value interval difference.value difference.interval difference.p difference.williams"

    value: float
    interval: Interval
    difference: Difference | None = None


@frozen
class Agreement(Tabular):
    """Agreement of one metric with human judgments.

    Attributes:
        metric: name of the metric.
        concordant: number of pairs that the metric orders as people do; None in the mean over language pairs.
        discordant: number of pairs that the metric orders the other way.
        tied: number of pairs to which the metric gives equal scores.
        epsilons: largest score difference that counts as a tie, for each accuracy with ties.
        figures: statistics by name; undefined ones are missing.
    """

    _facts = "metric concordant discordant tied epsilons"

    metric: str
    concordant: int | None
    discordant: int | None
    tied: int | None
    epsilons: Mapping[str, float]
    figures: Mapping[str, Figure]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"figures": {name: asdict(figure) for name, figure in self.figures.items()}}

    def _grids(self) -> list[Grid]:
        return [grid_of([*self.figures.values()], {"statistic": [*self.figures]})] if self.figures else []


@frozen
class Table(Tabular):
    """Agreement of all metrics on the same judgments.

    Attributes:
        name: name of the language pair; ``pooled`` for all of them pooled (systems are compared within their language
            pair), ``mean`` for the mean of their figures.
        level: kind of judgments.
        judged: number of judgments.
        texts: number of judged texts or systems.
        segments: number of segments.
        agreements: agreement of each metric, in the order given.
    """

    _facts = "name level judged texts segments"

    name: str
    level: Level
    judged: int
    texts: int
    segments: int
    agreements: tuple[Agreement, ...]

    def __getitem__(self, metric: str) -> Agreement:
        return next(one for one in self.agreements if one.metric == metric)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"agreements": [one.to_dict() for one in self.agreements]}

    def _grids(self) -> list[Grid]:
        return _grids_of([self])


@frozen
class MetaEvaluation(Tabular):
    """Results of a meta-evaluation.

    Attributes:
        tables: tables by language pair and level, then pooled and mean tables if there are several language pairs.
        baseline: name of the metric that the others are compared with.
        samples: number of bootstrap samples.
        seed: random seed; the same seed gives the same results.
        confidence: confidence level of the intervals.
        signatures: signatures of the metrics that were computed here, by name.
        notes: notes on irregularities in the judgments.
    """

    _facts = "baseline samples seed confidence signatures notes"

    tables: tuple[Table, ...]
    baseline: str
    samples: int
    seed: int
    confidence: float
    signatures: Mapping[str, str]
    notes: tuple[str, ...]

    def table(self, name: str, level: Level) -> Table:
        """Table of a language pair, ``pooled`` or ``mean``; KeyError if there is none."""
        for table in self.tables:
            if (table.name, table.level) == (name, level):
                return table
        raise KeyError((name, level))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"tables": [table.to_dict() for table in self.tables], "notes": list(self.notes)}

    def _grids(self) -> list[Grid]:
        return _grids_of(self.tables)


def _grids_of(tables: Sequence[Table]) -> list[Grid]:
    """The statistics of all metrics in one table, if there are any."""
    found = [
        (table, key, one)
        for table in tables
        for key in dict.fromkeys(key for one in table.agreements for key in one.figures)
        for one in table.agreements
        if key in one.figures
    ]
    labels: dict[str, list[str]] = {
        "statistic": [key for _, key, _ in found],
        "metric": [one.metric for *_, one in found],
    }
    if len(tables) > 1:
        labels = {"name": [table.name for table, *_ in found], "level": [table.level for table, *_ in found], **labels}
    return [grid_of([one.figures[key] for _, key, one in found], labels)] if found else []
