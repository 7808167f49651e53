"""Results of a meta-evaluation as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.analysis.significance.results import Interval

Level = Literal["pairs", "ratings", "systems"]
"""What people judged: two texts, one text, or (said or summed up from ratings) a system."""


@frozen
class Difference:
    """What separates a metric from the baseline in one statistic.

    Attributes:
        value: its own less the baseline's.
        interval: of that.
        p: p value of the paired bootstrap.
        williams: one-sided p value of Williams' test that the better one is better; None where it does not apply
            or scipy is not installed.
    """

    value: float
    interval: Interval
    p: float
    williams: float | None = None


@frozen
class Figure:
    """A statistic of a metric.

    Attributes:
        value: of the judgments as they are.
        interval: where it lies when segments are drawn anew.
        difference: what separates it from the baseline's; None for the baseline.
    """

    value: float
    interval: Interval
    difference: Difference | None = None


@frozen
class Agreement:
    """How well a metric agrees with people.

    Attributes:
        metric: its name.
        concordant: pairs that the metric has in the order of the people; None of the mean of language pairs.
        discordant: pairs that it has in the opposite order.
        tied: pairs that it scores alike.
        epsilons: for each accuracy with ties, the largest difference of scores that counts as a tie.
        figures: statistics by name; one that is not defined is not there.
    """

    metric: str
    concordant: int | None
    discordant: int | None
    tied: int | None
    epsilons: Mapping[str, float]
    figures: Mapping[str, Figure]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"figures": {name: asdict(figure) for name, figure in self.figures.items()}}


@frozen
class Table:
    """All metrics on the same judgments.

    Attributes:
        name: the language pair; ``pooled`` for all of them as one (systems are compared within their own),
            ``mean`` for the mean of their figures.
        level: what was judged.
        judged: how many judgments there are.
        texts: of how many texts, or systems.
        segments: of how many segments.
        agreements: the metrics, in the order in which they were given.
    """

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


@frozen
class MetaEvaluation:
    """How well metrics agree with people.

    Attributes:
        tables: for each language pair and level, then pooled and mean where there are several.
        baseline: the metric that the others are compared with.
        samples: how many test sets were resampled.
        seed: of the random numbers; the same seed gives the same results.
        confidence: level of the intervals.
        signatures: by metric; of those that are scored here.
        notes: what is odd about the judgments.
    """

    tables: tuple[Table, ...]
    baseline: str
    samples: int
    seed: int
    confidence: float
    signatures: Mapping[str, str]
    notes: tuple[str, ...]

    def table(self, name: str, level: Level) -> Table:
        """The table of a language pair, ``pooled`` or ``mean``; KeyError where there is none."""
        for table in self.tables:
            if (table.name, table.level) == (name, level):
                return table
        raise KeyError((name, level))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"tables": [table.to_dict() for table in self.tables], "notes": list(self.notes)}
