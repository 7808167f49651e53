"""Scores of systems by METEOR and other metrics, their groups, intervals and tests, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any, Literal, Self

from attrs import asdict, evolve, frozen

from meteorlib.core.breakdown import ScoreBreakdown, reduce_breakdowns
from meteorlib.core.rows import DIGITS
from meteorlib.core.tabular import Grid, Tabular, grid_of
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.groups import Groups
from meteorlib.errors import UnknownName
from meteorlib.scorer import Scorer

Test = Literal["bootstrap", "randomization"]
"""A paired test: by bootstrap resampling (Koehn 2004) or by approximate randomization (Noreen 1989)."""

Compared = Literal["corpus", "mean"]
"""Score to compare: the corpus score, or the mean of the segment scores."""


@frozen
class Interval(Tabular):
    """Confidence interval from bootstrap resampling.

    Attributes:
        low: lower end.
        high: upper end.
        mean: mean over all resampled test sets.
    """

    _columns = "low high mean"

    low: float
    high: float
    mean: float

    @property
    def half_width(self) -> float:
        """Half of the width of the interval, which sacrebleu prints after ±."""
        return 0.5 * (self.high - self.low)

    def _in_cell(self, write: Callable[[float], str]) -> str:
        return f"[{write(self.low)}, {write(self.high)}]"


@frozen
class Run(Tabular):
    """One output of a system.

    Attributes:
        scored: breakdown of the corpus score.
        mean_segment_score: mean of the segment scores.
        empty_hypotheses: number of segments whose hypothesis has no words.
        empty_references: number of segments whose selected reference has no words.
    """

    _columns = (
        "scored.score scored.precision scored.recall scored.penalty mean_segment_score empty_hypotheses "
        "empty_references"
    )

    scored: ScoreBreakdown
    mean_segment_score: float
    empty_hypotheses: int
    empty_references: int

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """The scores of a corpus."""
        return cls(corpus.score(), corpus.mean(), corpus.empty_hypotheses, corpus.empty_references)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return self.scored.to_dict() | {
            "mean_segment_score": self.mean_segment_score,
            "empty_hypotheses": self.empty_hypotheses,
            "empty_references": self.empty_references,
        }


@frozen
class Changes(Tabular):
    """Distribution of segment score changes from the baseline to a system (METEOR's mt-diff).

    Attributes:
        bands: number of segments in each of twenty bands of score differences: [-1, -0.9), …, [-0.1, 0), (0, 0.1], …,
            (0.9, 1].
        unchanged: number of segments with equal scores.
    """

    _columns = "worse unchanged better bands"

    bands: tuple[int, ...]
    unchanged: int

    @property
    def worse(self) -> int:
        """Number of segments with a lower score than the baseline."""
        return sum(self.bands[: len(self.bands) // 2])

    @property
    def better(self) -> int:
        """Number of segments with a higher score than the baseline."""
        return sum(self.bands[len(self.bands) // 2 :])


@frozen
class Difference(Tabular):
    """Difference between a system and the baseline.

    Attributes:
        value: score of the system minus that of the baseline.
        interval: confidence interval of the difference.
        p: p value of the paired test, not adjusted; None without a test.
        adjusted_p: p value adjusted for the number of systems compared with the baseline (Holm 1979).
        changes: distribution of the changes of segment scores, averaged over runs.
    """

    _columns = "value interval p adjusted_p changes.better changes.worse changes.unchanged"
    _signed = frozenset({"value", "interval"})

    value: float
    interval: Interval
    p: float | None
    adjusted_p: float | None
    changes: Changes

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"changes": {**asdict(self.changes), "bands": list(self.changes.bands)}}


@frozen
class System(Tabular):
    """Results of one system in a comparison.

    Attributes:
        name: name of the system.
        scored: breakdown of the corpus score; with several runs, numbers are averaged and counts are summed.
        mean_segment_score: mean of the segment scores, averaged over the runs.
        runs: outputs of the system, one or more.
        score: the compared score: that of `scored`, or `mean_segment_score`.
        interval: confidence interval of the score; None without bootstrap samples.
        s_sel: standard deviation of the score over bootstrap samples, averaged over the runs (Clark et al. 2011); None
            without samples.
        s_opt: standard deviation of the score over the runs; None for a single run.
        difference: difference from the baseline; None for the baseline itself.
        rank: 1 plus the number of systems in better clusters; None without a test. Systems with the same rank form a
            cluster: each is significantly better than every system of the clusters below, by the unadjusted p values
            of `SystemComparison.pairs`. Systems within a cluster may also differ significantly.
    """

    _columns = (
        "name score interval difference.value difference.interval difference.p difference.adjusted_p rank "
        "mean_segment_score runs s_sel s_opt"
    )

    name: str
    scored: ScoreBreakdown
    mean_segment_score: float
    runs: tuple[Run, ...]
    score: float
    interval: Interval | None
    s_sel: float | None
    s_opt: float | None
    difference: Difference | None
    rank: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "name": self.name,
            "score": self.score,
            "interval": None if self.interval is None else asdict(self.interval),
            "s_sel": self.s_sel,
            "s_opt": self.s_opt,
            "difference": None if self.difference is None else self.difference.to_dict(),
            "rank": self.rank,
            "corpus": self.scored.to_dict() | {"mean_segment_score": self.mean_segment_score},
            "runs": [run.to_dict() for run in self.runs],
        }


@frozen
class Pair(Tabular):
    """Paired test of two systems; differences have the direction of `Difference`.

    Attributes:
        system: the system that was given later; of a pair with the baseline, the one that is not the baseline.
        other: the baseline, or the system that was given earlier.
        difference: the score of `system` minus the score of `other`.
        p: p value of the paired test, not adjusted.
        interval: confidence interval of the difference.
    """

    _columns = "system other difference interval p"
    _signed = frozenset({"difference", "interval"})

    system: str
    other: str
    difference: float
    p: float
    interval: Interval


@frozen
class SystemComparison(Tabular):
    """Comparison of systems scored by one METEOR variant on one test set.

    Attributes:
        systems: in the order in which they were given.
        baseline: name of the system that the others are compared with.
        compared: the compared score, ``corpus`` or ``mean``.
        test: the paired test; None for none.
        samples: number of bootstrap samples, and of shuffles; 0: there are no intervals and no tests.
        seed: random seed; the same seed gives the same results.
        confidence: confidence level of the intervals; see `significant`.
        pairs: tests of every two systems; empty without a test.
        segment_count: number of segments of each output.
        signature: signature of the scorer.
    """

    _facts = "segment_count compared baseline test samples seed confidence signature"

    systems: tuple[System, ...]
    baseline: str
    compared: Compared
    test: Test | None
    samples: int
    seed: int
    confidence: float
    pairs: tuple[Pair, ...]
    segment_count: int
    signature: str

    @classmethod
    def without_intervals(cls, name: str, corpus: Corpus) -> Self:
        """The results of a single system, for which the scores of its segments need not be kept."""
        run = Run.of(corpus)
        score = run.scored.score
        system = System(name, run.scored, run.mean_segment_score, (run,), score, None, None, None, None, None)
        return cls((system,), name, "corpus", None, 0, 0, 0.0, (), corpus.segment_count, str(corpus.signature))

    def __getitem__(self, name: str) -> System:
        """Return the system called `name`.

        Raises:
            UnknownName: there is no such system.
        """
        for system in self.systems:
            if system.name == name:
                return system
        raise UnknownName("system", name, [system.name for system in self.systems])

    def significant(self, p: float) -> bool:
        """Whether a p value is significant at the confidence level."""
        return significant(p, self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "systems": [system.to_dict() for system in self.systems],
            "baseline": self.baseline,
            "compared": self.compared,
            "test": self.test,
            "samples": self.samples or None,
            "seed": self.seed if self.samples else None,
            "confidence": self.confidence if self.samples else None,
            "pairs": [asdict(pair) for pair in self.pairs],
            "segment_count": self.segment_count,
            "signature": self.signature,
        }

    def _grids(self) -> list[Grid]:
        return [grid_of(self.systems), grid_of(self.pairs) if self.pairs else []]


@frozen
class MetricSystem(Tabular):
    """Score of a system by another metric, in the metric's own unit.

    Attributes:
        score: score of the test set, averaged over the runs.
        interval: confidence interval; None if there are no scores of segments.
        difference: score minus that of the baseline; None for the baseline.
        p: p value of the difference, not adjusted; None for the baseline, and without a test.
        adjusted_p: p value adjusted for the number of systems compared with the baseline (Holm 1979).
        segments: score of each segment, averaged over the runs; None if there are none.
    """

    _columns = "score interval difference p adjusted_p"
    _signed = frozenset({"difference"})

    score: float
    interval: Interval | None
    difference: float | None
    p: float | None
    adjusted_p: float | None
    segments: tuple[float, ...] | None


@frozen
class MetricComparison(Tabular):
    """Comparison of systems by another metric; see `ScoredMetric` for its name, signature and unit.

    Attributes:
        systems: scores by the name of the system.
        pairs: tests of every two systems; empty without a test or without scores of segments.
    """

    _facts = "name signature lower_is_better"

    name: str
    signature: str
    lower_is_better: bool
    percent: bool
    systems: Mapping[str, MetricSystem]
    pairs: tuple[Pair, ...] = ()

    def to_dict(self, *, segments: bool) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        data = asdict(self) | {"pairs": [asdict(pair) for pair in self.pairs]}
        for system in data["systems"].values():
            if segments and system["segments"] is not None:
                system["segments"] = list(system["segments"])
            else:
                del system["segments"]
        return data

    def _grids(self) -> list[Grid]:
        width = DIGITS - 2 if self.percent else DIGITS
        return [grid_of([*self.systems.values()], {"system": [*self.systems]}, width=width)]


def significant(p: float, confidence: float) -> bool:
    """Whether a p value is below 1 - `confidence`."""
    return p < round(1 - confidence, 12)


@frozen
class Group:
    """The segments that share a label, scored as a corpus.

    Attributes:
        by: the column that the label is from: ``document``, ``domain``, …
        label: the label; empty if the segments have none.
        scored: the formula applied to their summed statistics.
        mean_segment_score: the mean of their scores.
    """

    by: str
    label: str
    scored: ScoreBreakdown
    mean_segment_score: float

    @property
    def segment_count(self) -> int:
        """Number of segments in the group."""
        return self.scored.segment_count or 0


def groups_of(groups: Groups, scorer: Scorer) -> Sequence[Group]:
    """The score of each group, in order."""
    return [Group(by, label, *_scored(totals, scorer)) for by, label, totals in groups]


def mean_groups(runs: Sequence[Sequence[Group]]) -> Sequence[Group]:
    """The groups of a system with several runs: each number is the mean over the runs, the counts are their sum."""
    if len(runs) == 1:
        return runs[0]
    return [
        evolve(
            some[0],
            scored=reduce_breakdowns([group.scored for group in some], "mean"),
            mean_segment_score=fsum(group.mean_segment_score for group in some) / len(some),
        )
        for some in zip(*runs, strict=True)
    ]


def _scored(totals: Totals, scorer: Scorer) -> tuple[ScoreBreakdown, float]:
    scored = scorer.breakdown(totals.statistics, optimal=not totals.inexact)
    mean = totals.exact_sum / (totals.segment_count << SCORE_BITS)
    return evolve(scored, segment_count=totals.segment_count), mean
