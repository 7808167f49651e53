"""Reasons for the difference between two systems: shares of it, and a paragraph that states them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from math import floor, isnan
from operator import add
from typing import Any, Self

from attrs import evolve, frozen

from meteorlib.analysis.comparison.attribution import shapley_values
from meteorlib.analysis.results import MetricComparison
from meteorlib.analysis.significance import SystemComparison
from meteorlib.core.breakdown import breakdown
from meteorlib.core.counts import StageCounts
from meteorlib.core.formula import FORMULA
from meteorlib.core.parameters import Parameters
from meteorlib.core.rows import probability
from meteorlib.core.statistics import Statistics
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.buckets import LengthBucket, length_buckets
from meteorlib.reports.html.groups import ScoredGrouping
from meteorlib.reports.html.measures import RESOLUTION, ten_thousandths
from meteorlib.reports.html.metrics import MetricDifference
from meteorlib.reports.html.paragraph import LENGTHS, ORDER, paragraph

NEGLIGIBLE = 1e-12
"""Shares up to this size are rounding errors."""

FAULTS = "faults such as swaps"
"""Label of the penalties for faults; the page says which ones there are."""

Shares = dict[str, float]

_FILTERS = {
    **{name: name for name in ("precision", "recall", "fragmentation", "crossing")},
    "content words": "content",
    "function words": "function",
    LENGTHS: "hypothesisWords",
    ORDER: "penalty",
    FAULTS: "faults",
}
"""Measure of segments by which the page lists those where a part differs."""


@frozen
class Sides:
    """Two systems whose corpus scores are compared.

    Attributes:
        first: summed statistics of the system whose score is the minuend.
        second: those of the other system.
        parameters: parameters of the formula.
    """

    first: Statistics
    second: Statistics
    parameters: Parameters

    def by_formula(self) -> Shares:
        """Shares of precision, recall and each kind of penalty."""
        one, other = _terms(self.first, self.parameters), _terms(self.second, self.parameters)

        def score(chosen: frozenset[str]) -> float:
            terms = {name: (one if name in chosen else other)[name] for name in one}
            f_mean = _mean(terms.pop("precision"), terms.pop("recall"), self.parameters)
            return _score(f_mean, min(sum(terms.values()), 1.0) if self.parameters.ordered else sum(terms.values()))

        return shapley_values([*one], score)

    def by_stage(self, names: Sequence[str]) -> Shares:
        """Shares of the words that each stage matches, of the lengths and of the order."""
        return self._by_matches([*names, LENGTHS, ORDER], lambda stage, _, chosen: names[stage] in chosen)

    def by_kind(self) -> Shares:
        """Shares of the matched content words and function words, of the lengths and of the order."""
        kinds = ("content words", "function words")
        return self._by_matches([*kinds, LENGTHS, ORDER], lambda _, at, chosen: kinds[at // 2] in chosen)

    def _by_matches(self, parts: Sequence[str], is_first: Callable[[int, int, frozenset[str]], bool]) -> Shares:
        """Shares of parts of the matches; `is_first` says for a stage and a field whose count is taken."""
        penalties = [breakdown(side, self.parameters).penalty for side in (self.second, self.first)]

        def score(chosen: frozenset[str]) -> float:
            lengths = self.first if LENGTHS in chosen else self.second
            stages = tuple(
                StageCounts(*((one if is_first(stage, at, chosen) else other)[at] for at in range(4)))
                for stage, (one, other) in enumerate(zip(self.first.stages, self.second.stages, strict=True))
            )
            delta, weights = self.parameters.delta, self.parameters.weights
            sides = FORMULA.precision_and_recall(evolve(lengths, stages=stages), delta, weights)
            return _score(_mean(*sides, self.parameters), penalties[ORDER in chosen])

        return shapley_values(parts, score)


def by_segments(groups: Mapping[str, Sequence[Statistics]], parameters: Parameters) -> Shares:
    """Shares of groups of segments, from the summed statistics of both systems in each group."""

    def score(chosen: frozenset[str]) -> float:
        return breakdown(reduce(add, (both[name not in chosen] for name, both in groups.items())), parameters).score

    return shapley_values([*groups], score)


def rounded_shares(shares: Iterable[float], total: int) -> list[int]:
    """Shares in units of 0.0001 that add up to `total`: rounded, the largest remainders up."""
    exact = [share * RESOLUTION for share in shares]
    units = [floor(share) for share in exact]
    missing = total - sum(units)
    by_remainder = sorted(range(len(exact)), key=lambda at: units[at] - exact[at])
    for step in range(abs(missing)):
        units[by_remainder[step % len(units)] if missing > 0 else by_remainder[-1 - step % len(units)]] += (
            1 if missing > 0 else -1
        )
    return units


@frozen
class Compared:
    """The systems of a page, as far as the reasons for their differences need them.

    Attributes:
        names: name of each system, with its letter.
        totals: summed statistics of each system.
        lengths: buckets of segments by the length of the reference; see `length_buckets`.
        sums: for each system, its summed statistics in each of these buckets.
        stages: names of the stages.
        parameters: parameters of the formula.
        comparison: comparison of the systems.
        groups: groups of segments, such as documents, with their scores.
        metrics: comparisons of the systems by other metrics.
    """

    names: Sequence[str]
    totals: Sequence[Statistics]
    lengths: Sequence[LengthBucket]
    sums: Sequence[Sequence[Statistics]]
    stages: Sequence[str]
    parameters: Parameters
    comparison: SystemComparison | None
    groups: Sequence[ScoredGrouping] = ()
    metrics: Sequence[MetricComparison] = ()

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        systems: Sequence[Aligned],
        comparison: SystemComparison | None,
        groups: Sequence[ScoredGrouping] = (),
        metrics: Sequence[MetricComparison] = (),
    ) -> Self:
        """Sum up the segments of each system."""
        lengths, places = length_buckets(systems[0])
        sums = [system.sums(places, len(lengths)) for system in systems]
        totals = [reduce(add, each) for each in sums]
        parameters = systems[0].corpus.parameters
        return cls(names, totals, lengths, sums, _distinct(systems[0].stages), parameters, comparison, groups, metrics)

    def reasons(self, first: int, second: int) -> dict[str, Any]:
        """Reasons for the difference between two systems, by index, for the page.

        Returns:
            ``units``: the difference of the shown outputs in units of 0.0001; ``views``: headings with rows of label,
            share and what the page filters by; ``text``: the paragraph; ``metrics``: the difference by each other
            metric, see `MetricDifference.to_list`; with a comparison also ``difference`` (of the
            means over runs), ``interval``, ``p`` and ``adjusted``.
        """
        sides = Sides(self.totals[first], self.totals[second], self.parameters)
        scores = [breakdown(total, self.parameters).score for total in (sides.first, sides.second)]
        units = ten_thousandths(scores[0] - scores[1])
        groups = {
            bucket.label: both for bucket, *both in zip(self.lengths, self.sums[first], self.sums[second], strict=True)
        }
        filters = _FILTERS | {name: f"stage{at}" for at, name in enumerate(self.stages)}
        lengths = {one.label: f"{one.shortest}..{'' if one.longest is None else one.longest}" for one in self.lengths}
        views = [
            _view("Parts of the formula", sides.by_formula(), units, filters),
            _view("Kinds of words", sides.by_kind(), units, filters),
            _view("Stages", sides.by_stage(self.stages), units, filters),
            _view("Length of the reference", by_segments(groups, self.parameters), units, lengths),
        ]
        found = {"units": units, "views": views} | _tested(self.comparison, first, second)
        found_leads = ((each.grouping.name, each.largest(first, second, units)) for each in self.groups)
        leads = {name: lead for name, lead in found_leads if lead}
        metrics = [MetricDifference.of(metric, first, second) for metric in self.metrics]
        text = paragraph(found, self.names[first], self.names[second], self.comparison, leads, metrics)
        return found | {"metrics": [each.to_list() for each in metrics], "text": text}


def _view(heading: str, shares: Shares, total: int, filters: Mapping[str, str]) -> list[Any]:
    kept = {label: share for label, share in shares.items() if abs(share) > NEGLIGIBLE}
    units = rounded_shares(kept.values(), total) if kept else []
    return [heading, [[label, share, filters[label]] for label, share in zip(kept, units, strict=True)]]


def _tested(comparison: SystemComparison | None, first: int, second: int) -> dict[str, Any]:
    """Difference, interval and p value of a pair, in the direction of the page."""
    if comparison is None:
        return {}
    one, other = comparison.systems[first], comparison.systems[second]
    found: dict[str, Any] = {"difference": ten_thousandths(one.score - other.score)}
    for pair in comparison.pairs:
        if {pair.system, pair.other} == {one.name, other.name}:
            ends = _directed(pair.interval.low, pair.interval.high, same=pair.system == one.name)
            found |= {"interval": ends, "p": probability(pair.p), "significant": comparison.significant(pair.p)}
    for tested, against in ((one, other), (other, one)):
        if tested.difference is not None and against.name == comparison.baseline:
            bounds = tested.difference.interval
            found["interval"] = _directed(bounds.low, bounds.high, same=tested is one)
            if tested.difference.adjusted_p is not None:
                found["adjusted"] = probability(tested.difference.adjusted_p)
                found["significant"] = comparison.significant(tested.difference.adjusted_p)
    return found


def _directed(low: float, high: float, *, same: bool) -> list[int]:
    ends = [ten_thousandths(low), ten_thousandths(high)]
    return ends if same else [-end for end in reversed(ends)]


def _terms(statistics: Statistics, parameters: Parameters) -> dict[str, float]:
    """Precision, recall and the terms of the penalty, by name."""
    scored = breakdown(statistics, parameters)
    found = {"precision": scored.precision, "recall": scored.recall}
    if statistics.order is None:
        return found | {"fragmentation": scored.penalty}
    found["fragmentation"] = FORMULA.fragmentation_penalty(scored.fragmentation, parameters)
    found["crossing"] = FORMULA.crossing_penalty(statistics.order, parameters)
    if parameters.counts_faults:
        found[FAULTS] = sum(term.penalty for term in FORMULA.fault_terms(statistics, parameters))
    return found


def _mean(precision: float, recall: float, parameters: Parameters) -> float:
    return FORMULA.weighted_mean(precision, recall, parameters.alpha, parameters.formula)


def _score(f_mean: float, penalty: float) -> float:
    """The score, 0 where the formula has no value."""
    score = FORMULA.penalized_score(f_mean, penalty)
    return 0.0 if isnan(score) else max(score, 0.0)


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of stages; repeated ones are numbered."""
    return [
        name if names.count(name) == 1 else f"{name} {names[: at + 1].count(name)}" for at, name in enumerate(names)
    ]
