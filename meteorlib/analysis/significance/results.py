"""Results of a comparison of systems as plain data."""

from __future__ import annotations

from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.errors import UnknownName

Test = Literal["bootstrap", "randomization"]
"""A paired test: by bootstrap resampling (Koehn 2004) or by approximate randomization (Noreen 1989)."""

Compared = Literal["corpus", "mean"]
"""Which score is compared: that of the corpus, or the mean of the segments' scores."""


@frozen
class Interval:
    """Where a number lies in the resampled test sets.

    Attributes:
        low: its lower end.
        high: its upper end.
        mean: the mean of the number over all resampled test sets.
    """

    low: float
    high: float
    mean: float

    @property
    def half_width(self) -> float:
        """Half of its width, which sacrebleu prints behind ±."""
        return 0.5 * (self.high - self.low)


@frozen
class Run:
    """One output of a system.

    Attributes:
        scored: the corpus score with its parts.
        mean_segment_score: the mean of the segments' scores.
        empty_hypotheses: how many segments had no word in the hypothesis.
        empty_references: how many had no word in the reference that counted.
    """

    scored: ScoreBreakdown
    mean_segment_score: float
    empty_hypotheses: int
    empty_references: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return self.scored.to_dict() | {
            "mean_segment_score": self.mean_segment_score,
            "empty_hypotheses": self.empty_hypotheses,
            "empty_references": self.empty_references,
        }


@frozen
class Changes:
    """How many segments change by how much from the baseline to a system (METEOR's mt-diff).

    Attributes:
        bands: twenty numbers of segments, by the difference of their scores: from -1 up to, not with, -0.9, …, from
            -0.1 up to, not with, 0; above 0 up to 0.1, …, above 0.9 up to 1.
        unchanged: how many have the same score.
    """

    bands: tuple[int, ...]
    unchanged: int

    @property
    def worse(self) -> int:
        """How many segments have a lower score than the baseline's."""
        return sum(self.bands[: len(self.bands) // 2])

    @property
    def better(self) -> int:
        """How many have a higher one."""
        return sum(self.bands[len(self.bands) // 2 :])


@frozen
class Difference:
    """What separates a system from the baseline.

    Attributes:
        value: its score minus the baseline's.
        interval: of the difference.
        p: p value of the paired test, not adjusted; None without a test.
        adjusted_p: the p value adjusted for the number of systems that are compared with the baseline (Holm 1979).
        changes: how many segments change by how much; of several runs the means of their scores.
    """

    value: float
    interval: Interval
    p: float | None
    adjusted_p: float | None
    changes: Changes

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self) | {"changes": {**asdict(self.changes), "bands": list(self.changes.bands)}}


@frozen
class System:
    """A system among others.

    Attributes:
        name: its name.
        scored: the corpus score with its parts; of several runs each number is their mean, the counts are their sum.
        mean_segment_score: the mean of the segments' scores; of several runs their mean.
        runs: its outputs, one or more.
        score: the score that is compared: that of `scored`, or `mean_segment_score`.
        interval: of the score.
        s_sel: standard deviation of the score by the choice of the test set: that of the bootstrap, its mean over the
            runs (Clark et al. 2011).
        s_opt: standard deviation of the score over the runs; None for a single one.
        difference: what separates it from the baseline; None for the baseline itself.
        rank: 1 and the number of systems in better clusters; None without a test. Systems that share a rank are a
            cluster: each of them is significantly better than every system of the clusters below, by the p values of
            `SystemComparison.pairs`, which are not adjusted. Systems of one cluster may differ significantly, too.
    """

    name: str
    scored: ScoreBreakdown
    mean_segment_score: float
    runs: tuple[Run, ...]
    score: float
    interval: Interval
    s_sel: float
    s_opt: float | None
    difference: Difference | None
    rank: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "name": self.name,
            "score": self.score,
            "interval": asdict(self.interval),
            "s_sel": self.s_sel,
            "s_opt": self.s_opt,
            "difference": None if self.difference is None else self.difference.to_dict(),
            "rank": self.rank,
            "corpus": self.scored.to_dict() | {"mean_segment_score": self.mean_segment_score},
            "runs": [run.to_dict() for run in self.runs],
        }


@frozen
class Pair:
    """Two systems that were tested against each other, in the direction of `Difference`.

    Attributes:
        system: the system that was given later; of a pair with the baseline, the one that is not the baseline.
        other: the baseline, or the system that was given earlier.
        difference: the score of `system` minus the score of `other`.
        p: p value of the paired test, not adjusted.
    """

    system: str
    other: str
    difference: float
    p: float


@frozen
class SystemComparison:
    """Systems scored by one METEOR on one test set.

    Attributes:
        systems: in the order in which they were given.
        baseline: the name of the one that the others are compared with.
        compared: which score is compared.
        test: the paired test; None for none.
        samples: how many test sets were resampled, and how often outputs were shuffled.
        seed: of the random numbers; the same seed gives the same results.
        confidence: level of the intervals; see `significant`.
        pairs: every two systems; empty without a test.
        segment_count: how many segments each output has.
        signature: the line that names the METEOR in use.
    """

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

    def __getitem__(self, name: str) -> System:
        """The system called `name`.

        Raises:
            UnknownName: there is none.
        """
        for system in self.systems:
            if system.name == name:
                return system
        raise UnknownName("system", name, [system.name for system in self.systems])

    def significant(self, p: float) -> bool:
        """Whether a p value is significant at the level of confidence."""
        return significant(p, self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "systems": [system.to_dict() for system in self.systems],
            "baseline": self.baseline,
            "compared": self.compared,
            "test": self.test,
            "samples": self.samples,
            "seed": self.seed,
            "confidence": self.confidence,
            "pairs": [asdict(pair) for pair in self.pairs],
            "segment_count": self.segment_count,
            "signature": self.signature,
        }


def significant(p: float, confidence: float) -> bool:
    """Whether a p value is below 1 - `confidence`."""
    return p < round(1 - confidence, 12)
