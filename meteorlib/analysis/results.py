"""Systems scored by METEOR and other metrics on one test set: scores, intervals, tests and groups, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypedDict

from attrs import asdict, field, frozen

from meteorlib.core.breakdown import ScoreBreakdown, reduce_breakdowns
from meteorlib.corpus.corpus import Corpus
from meteorlib.display.displayable import Grid, Tabular, grid_of
from meteorlib.display.text import DIGITS, NONE, Row, harmless
from meteorlib.errors import UnknownName

if TYPE_CHECKING:
    from meteorlib.analysis.differences import Difference, Interval, Pair
    from meteorlib.arrays import Numbers
else:
    Numbers = Any  # NumPy loads slowly, and not every command needs it

METEOR = "METEOR"
"""Name of METEOR among the metrics."""


class SacrebleuMetric(NamedTuple):
    """Metric of sacrebleu: its name in papers, class, own settings for sentences, and whether it counts errors."""

    title: str
    kind: str
    settings: Mapping[str, Any] = MappingProxyType({})
    counts_errors: bool = False


METRICS: Mapping[str, SacrebleuMetric] = {
    "bleu": SacrebleuMetric("BLEU", "BLEU", {"effective_order": True}),
    "chrf": SacrebleuMetric("chrF", "CHRF"),
    "chrf++": SacrebleuMetric("chrF++", "CHRF", {"word_order": 2}),
    "spbleu": SacrebleuMetric("spBLEU", "BLEU", {"effective_order": True, "tokenize": "flores200"}),
    "ter": SacrebleuMetric("TER", "TER", counts_errors=True),
}
"""Metrics of sacrebleu by name."""


def sacrebleu_choice(given: str) -> tuple[SacrebleuMetric, Mapping[str, str]] | None:
    """A metric of sacrebleu and its options, given as ``bleu:tokenize=zh,lowercase=yes``; None for another metric."""
    name, _, listed = given.partition(":")
    if name.lower() not in METRICS:
        return None
    options = [option.partition("=") for option in listed.split(",") if option.strip()]
    return METRICS[name.lower()], {option.strip(): value.strip() for option, _, value in options}


Test = Literal["bootstrap", "randomization"]
"""A paired test: by bootstrap resampling (Koehn 2004) or by approximate randomization (Noreen 1989)."""

Compared = Literal["corpus", "mean"]
"""Score to compare: the corpus score, or the mean of the segment scores."""


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
class Group:
    """The score of the segments that share a label, by one metric.

    Attributes:
        by: the column that the label is from: ``document``, ``domain``, …
        label: the label; empty if the segments have none.
        segment_count: number of segments.
        score: the compared score, computed from sums over the segments, averaged over the runs.
        scored: METEOR's formula applied to their summed statistics; None for other metrics.
        mean_segment_score: the mean of METEOR's segment scores; None for other metrics.
    """

    by: str
    label: str
    segment_count: int
    score: float
    scored: ScoreBreakdown | None = None
    mean_segment_score: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; of METEOR's results."""
        counted = {"segment_count": self.segment_count, "mean_segment_score": self.mean_segment_score}
        return {"label": self.label, **counted, **(self.scored.to_dict() if self.scored else {})}


def shown_label(label: str, escaped: Callable[[str], str] = harmless) -> str:
    """A label for people: a dash if segments have none, so that a label that is a dash is quoted."""
    shown = escaped(label) or NONE
    return f'"{shown}"' if label and shown.strip('"') == NONE else shown


@frozen
class System(Tabular):
    """Results of one system by one metric.

    Attributes:
        name: name of the system.
        score: the compared score, in the metric's own unit, averaged over the runs.
        runs: outputs of the system, one or more, as METEOR scores them; empty for other metrics.
        interval: confidence interval of the score; None without bootstrap samples.
        s_sel: standard deviation of the score over bootstrap samples, averaged over the runs (Clark et al. 2011); None
            without samples.
        s_opt: standard deviation of the score over the runs; None for a single run.
        difference: difference from the baseline; None for the baseline itself.
        rank: 1 plus the number of systems in better clusters; None without a test. Systems with the same rank form a
            cluster: each is significantly better than every system of the clusters below, by the unadjusted p values
            of `SystemComparison.pairs`. Systems within a cluster may also differ significantly.
        segments: array of the segments' scores, averaged over the runs; None if they were not kept, or there are none.
        groups: the groups of segments, if there are any; the same ones for all systems.
    """

    _columns = (
        "name score interval difference.value difference.interval difference.p difference.adjusted_p rank "
        "mean_segment_score runs s_sel s_opt"
    )

    name: str
    score: float
    runs: tuple[Run, ...] = ()
    interval: Interval | None = None
    s_sel: float | None = None
    s_opt: float | None = None
    difference: Difference | None = None
    rank: int | None = None
    segments: Numbers | None = field(default=None, eq=False, repr=False)
    groups: tuple[Group, ...] = ()

    @property
    def scored(self) -> ScoreBreakdown:
        """Breakdown of METEOR's corpus score; with several runs, numbers are averaged and counts are summed."""
        return mean_breakdown([run.scored for run in self.runs])

    @property
    def mean_segment_score(self) -> float:
        """Mean of METEOR's segment scores, averaged over the runs; NaN for other metrics."""
        return fsum(run.mean_segment_score for run in self.runs) / len(self.runs) if self.runs else nan

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; of METEOR's results."""
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


class Settings(TypedDict, total=False):
    """Settings of a comparison; see `compare_systems`."""

    baseline: str | None
    test: Test | None
    compared: Compared
    samples: int
    seed: int
    confidence: float


@frozen(kw_only=True)
class SystemComparison(Tabular):
    """Systems scored by one metric on one test set, and compared: by a METEOR, a metric of sacrebleu, or any other.

    Attributes:
        name: name of the metric.
        signature: signature of the metric; empty if unknown.
        lower_is_better: whether the metric counts errors.
        percent: whether scores range up to 100.
        systems: in the order in which they were given.
        baseline: name of the system that the others are compared with.
        compared: METEOR's compared score, ``corpus`` or ``mean``.
        test: the paired test; None for none.
        samples: number of bootstrap samples, and of shuffles; 0: there are no intervals and no tests.
        seed: random seed; the same seed gives the same results.
        confidence: confidence level of the intervals; see `significant`.
        pairs: tests of every two systems; empty without a test, or where only whole test sets are scored.
        segment_count: number of segments of each output.
    """

    _settings = "segment_count compared baseline test samples seed confidence signature"

    name: str = METEOR
    signature: str = ""
    lower_is_better: bool = False
    percent: bool = False
    systems: tuple[System, ...] = ()
    baseline: str
    compared: Compared = "corpus"
    test: Test | None = "randomization"
    samples: int = 10_000
    seed: int = 12_345  # sacrebleu's
    confidence: float = 0.95
    pairs: tuple[Pair, ...] = ()
    segment_count: int

    @classmethod
    def without_intervals(cls, name: str, corpus: Corpus) -> Self:
        """METEOR's results of a single system, for which the scores of its segments need not be kept."""
        run = Run.of(corpus)
        return cls(
            signature=str(corpus.signature), systems=(System(name, run.scored.score, (run,)),), baseline=name,
            test=None, samples=0, seed=0, confidence=0.0, segment_count=corpus.segment_count,
        )  # fmt: skip

    def __getitem__(self, name: str) -> System:
        """Return the system called `name`.

        Raises:
            UnknownName: there is no such system.
        """
        for system in self.systems:
            if system.name == name:
                return system
        raise UnknownName("system", name, [system.name for system in self.systems])

    @property
    def title(self) -> str:
        """Name of the metric as papers write it."""
        choice = sacrebleu_choice(self.name)
        if choice is None:
            return self.name
        options = ", ".join(f"{option}={value}" for option, value in choice[1].items())
        return choice[0].title + (f" ({options})" if options else "")

    def digits(self, width: int = DIGITS) -> int:
        """Digits behind the point of its scores; of those up to 100 two less than of METEOR's up to 1."""
        return max(width - 2, 0) if self.percent else width

    def significant(self, p: float) -> bool:
        """Whether a p value is significant at the confidence level: below 1 - `confidence`."""
        return p < round(1 - self.confidence, 12)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; of METEOR's results."""
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

    def beside(self, *, segments: bool) -> dict[str, Any]:
        """Plain data, ready for JSON, of a metric beside METEOR: its scores, without the settings that they share."""
        systems = {}
        for system in self.systems:
            difference = system.difference
            systems[system.name] = {
                "score": system.score,
                "interval": None if system.interval is None else asdict(system.interval),
                "difference": difference and difference.value,
                "p": difference and difference.p,
                "adjusted_p": difference and difference.adjusted_p,
            }
            if segments and system.segments is not None:
                systems[system.name]["segments"] = system.segments.tolist()
        return {
            "name": self.name,
            "signature": self.signature,
            "lower_is_better": self.lower_is_better,
            "percent": self.percent,
            "systems": systems,
            "pairs": [asdict(pair) for pair in self.pairs],
        }

    def _fact_rows(self) -> Iterable[Row]:
        return [("metric", f"{self.title}{', lower is better' if self.lower_is_better else ''}")]

    def _grids(self) -> list[Grid]:
        """The systems, and the pairs of more than two: that of two is the difference from the baseline."""
        pairs = self.pairs if len(self.systems) > 2 else ()
        systems, tests = (grid_of(listed, width=self.digits()) if listed else [] for listed in (self.systems, pairs))
        several = any(len(system.runs) > 1 for system in self.systems)
        left_out = () if several else ("runs", "s sel", "s opt")
        kept = [column for column, name in enumerate(systems[0]) if name not in left_out] if systems else []
        return [[[row[place] for place in kept] for row in systems], tests]


def mean_breakdown(scored: Sequence[ScoreBreakdown]) -> ScoreBreakdown:
    """The breakdown of an output, or of several runs: numbers are averaged, counts are summed."""
    return scored[0] if len(scored) == 1 else reduce_breakdowns(scored, "mean")
