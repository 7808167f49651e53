"""Reasons for the difference between two systems in the report: shares of it, and the paragraph that states them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, Self

from attrs import frozen

from meteorlib.analysis.contrast import groups
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.shares import (
    FAULTS,
    LENGTHS,
    NEGLIGIBLE,
    ORDER,
    RESOLUTION,
    Shares,
    Sides,
    by_segments,
    rounded_shares,
    ten_thousandths,
)
from meteorlib.analysis.results import SystemComparison, shown_label
from meteorlib.core.breakdown import breakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.display.text import harmless, probability, shorten, signed
from meteorlib.reports.html.evidence import Part, listed
from meteorlib.reports.system_table import TESTS

LABEL_LETTERS = 60
"""Most letters of a label that are shown."""

_FILTERS = {
    **{name: name for name in ("precision", "recall", "fragmentation", "crossing")},
    "content words": "content",
    "function words": "function",
    LENGTHS: "hypothesisWords",
    ORDER: "penalty",
    FAULTS: "faults",
}
"""Measure of segments by which the page lists those where a part differs."""

_VIEWS = (("by kind of words", ""), ("by stage", ""), ("by length of the reference", " words"))
"""Words before and after the largest share of each view but the first."""


def minus(text: str) -> str:
    """A number with the sign that people write."""
    return text.replace("-", "−")


@frozen
class MetricDifference:
    """Difference of two systems by another metric.

    ``texts`` has it as the page shows it, in both directions; ``sign`` is 1 if the metric prefers the first system, -1
    if the second, 0 if the difference rounds to 0.
    """

    name: str
    texts: tuple[str, str]
    sign: int
    lower_is_better: bool
    p: float | None

    @classmethod
    def of(cls, metric: SystemComparison, first: int, second: int) -> Self:
        """The difference of two systems by index."""
        one, other = metric.systems[first], metric.systems[second]
        value, digits = one.score - other.score, metric.digits()
        texts = minus(signed(value, digits)), minus(signed(-value, digits))
        better = 0 if texts[0] == texts[1] else -1 if (value < 0) != metric.lower_is_better else 1
        p = next((pair.p for pair in metric.pairs if {pair.system, pair.other} == {one.name, other.name}), None)
        return cls(harmless(metric.title), texts, better, metric.lower_is_better, p)

    def to_list(self) -> list[str]:
        """Plain data for the page: name, both texts, p value."""
        return [self.name, *self.texts, "" if self.p is None else probability(self.p)]


@frozen
class PairReasons:
    """The systems of a page, as far as the reasons for their differences need them.

    ``sums`` has for each band of lengths of the reference, by its number, the summed statistics of each system.
    """

    names: Sequence[str]
    totals: Sequence[Statistics]
    sums: Mapping[int, Sequence[Statistics]]
    stages: Sequence[str]
    parameters: Parameters
    comparison: SystemComparison | None
    groupings: Sequence[groups.Grouping] = ()
    metrics: Sequence[SystemComparison] = ()

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        systems: Sequence[Aligned],
        comparison: SystemComparison | None,
        groupings: Sequence[groups.Grouping] = (),
        metrics: Sequence[SystemComparison] = (),
    ) -> Self:
        """Sum up the segments of each system."""
        bands, places, _ = groups.length_bands(systems[0])
        sums = [system.sums(places, len(bands)) for system in systems]
        return cls(
            names,
            [reduce(add, each) for each in sums],
            dict(zip(bands, zip(*sums, strict=True), strict=True)),
            _distinct(systems[0].stages),
            systems[0].corpus.parameters,
            comparison,
            groupings,
            metrics,
        )

    def reasons(self, first: int, second: int) -> dict[str, Any]:
        """Reasons for the difference between two systems, by index, for the page.

        Returns:
            ``units``: the difference of the shown outputs in units of 0.0001; ``views``: headings with rows of label,
            share and what the page filters by; ``text``: the verdict; ``parts``: see `parts`; ``metrics``: the
            difference by each other metric, see `MetricDifference.to_list`; with a comparison also ``difference`` (of
            the means over runs), ``interval``, ``p`` and ``adjusted``.
        """
        sides = Sides(self.totals[first], self.totals[second], self.parameters)
        scores = [breakdown(total, self.parameters).score for total in (sides.first, sides.second)]
        units = ten_thousandths(scores[0] - scores[1])
        labels = {band: groups.band_label(groups.LENGTHS, band) for band in self.sums}
        lengths = {labels[band]: "{}..{}".format(*groups.band_ends(groups.LENGTHS, band)) for band in self.sums}
        of_lengths = {labels[band]: (sums[first], sums[second]) for band, sums in self.sums.items()}
        filters = _FILTERS | {name: f"stage{at}" for at, name in enumerate(self.stages)}
        views = [
            _view("Parts of the formula", sides.by_formula(), units, filters),
            _view("Kinds of words", sides.by_kind(), units, filters),
            _view("Stages", sides.by_stage(self.stages), units, filters),
            _view("Length of the reference", by_segments(of_lengths, self.parameters), units, lengths),
        ]
        found = {"units": units, "views": views} | _tested(self.comparison, first, second)
        metrics = [MetricDifference.of(metric, first, second) for metric in self.metrics]
        text = verdict(found, self.names[first], self.names[second], self.comparison, metrics)
        return found | {
            "metrics": [each.to_list() for each in metrics],
            "text": text,
            "parts": parts(found, self.groupings, (first, self.names[first]), (second, self.names[second])),
        }


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
        difference = tested.difference
        if difference is not None and difference.interval is not None and against.name == comparison.baseline:
            found["interval"] = _directed(difference.interval.low, difference.interval.high, same=tested is one)
            if difference.adjusted_p is not None:
                found["adjusted"] = probability(difference.adjusted_p)
                found["significant"] = comparison.significant(difference.adjusted_p)
    return found


def _directed(low: float, high: float, *, same: bool) -> list[int]:
    ends = [ten_thousandths(low), ten_thousandths(high)]
    return ends if same else [-end for end in reversed(ends)]


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of stages; repeated ones are numbered."""
    return [
        name if names.count(name) == 1 else f"{name} {names[: at + 1].count(name)}" for at, name in enumerate(names)
    ]


def verdict(
    found: Mapping[str, Any],
    first: str,
    second: str,
    comparison: SystemComparison | None,
    metrics: Sequence[MetricDifference] = (),
) -> str:
    """The difference, whether it can be trusted, and metrics that disagree.

    `found` has the numbers of `PairReasons.reasons`.
    """
    difference = found.get("difference", found["units"])
    if not difference:
        worse = ""
        opening = f"{first} and {second} have the same score to four digits"
    else:
        better, worse = (first, second) if difference > 0 else (second, first)
        opening = f"{better} scores {_points(abs(difference))} higher than {worse}"
    sentences = [f"{opening}{_trust(found, difference, comparison)}"]
    sentences += [_opposite(metric, worse, comparison) for metric in metrics if difference * metric.sign < 0]
    if found["units"] not in {0, difference}:
        leader = first if found["units"] > 0 else second
        sentences.append(f"In the runs shown below, {leader} leads by {_points(abs(found['units']))}")
    return ". ".join(sentences) + "."


def parts(
    found: Mapping[str, Any], groupings: Sequence[groups.Grouping], first: tuple[int, str], second: tuple[int, str]
) -> list[Part]:
    """The largest shares of the better system's lead, and the groups where it leads most.

    `found` has the numbers of `PairReasons.reasons`; the systems are given by index and name.
    """
    if not found["units"]:
        return []
    sign, leader = (1, first[1]) if found["units"] > 0 else (-1, second[1])
    formula, *others = (
        sorted(([sign * share, label, measure] for label, share, measure in rows), reverse=True)
        for _, rows in found["views"]
    )
    sentences: list[list[Part]] = []
    if formula:
        opening = "comes from" if found.get("significant", True) else "is not significant; it has the parts"
        sentences.append([f"The lead of {leader} {opening} ", *listed([[_share(*each)] for each in formula])])
    words = ([row for row in rows if row[1] not in {ORDER, LENGTHS}] for rows in others)
    largest = [
        [f"{before}, ", _share(rows[0][0], rows[0][1] + after, rows[0][2])]
        for (before, after), rows in zip(_VIEWS, words, strict=True)
        if rows and rows[0][0] > 0
    ]
    if largest:
        sentences.append(["Largest shares: ", *listed(largest, "; ", "; ")])
    for at, grouping in enumerate(groupings):
        if lead := grouping.largest(first[0], second[0], sign):
            label = shorten(harmless(shown_label(grouping.labels[lead.place], str)), LABEL_LETTERS)
            size = grouping.sizes[lead.place]
            segments = f"{size:,} segment{'' if size == 1 else 's'}"
            told = f"“{label}” ({_signed(ten_thousandths(lead.value))}; {segments}, not tested)"
            sentences.append(
                [f"By {harmless(grouping.name)}, the lead is largest in ", [told, "group", at, lead.place]]
            )
    return [part for sentence in sentences for part in (*sentence, ". ")]


def _share(share: int, label: str, measure: str) -> Part:
    return [f"{label} ({_signed(share)})", "share", measure]


def _opposite(metric: MetricDifference, better: str, comparison: SystemComparison | None) -> str:
    size, direction = metric.texts[0].lstrip("+−"), "lower" if metric.lower_is_better else "higher"
    sentence = f"{metric.name} says the opposite: {better} is {size} {direction}"
    if metric.p is None or comparison is None:
        return sentence
    return f"{sentence} (p {probability(metric.p)}{'' if comparison.significant(metric.p) else ', not significant'})"


def _trust(found: Mapping[str, Any], difference: int, comparison: SystemComparison | None) -> str:
    if comparison is None or "interval" not in found:
        return ""
    sign = -1 if difference < 0 else 1
    low, high = sorted(sign * end for end in found["interval"])
    sentence = f" ({100 * comparison.confidence:g} % interval {_points(low)} to {_points(high)}"
    if comparison.test is None or "p" not in found:
        return f"{sentence})"
    adjusted = found.get("adjusted")
    if adjusted is None:
        also = ", not adjusted because neither is the baseline"
    else:
        also = f", Holm p {adjusted}" if adjusted != found["p"] else ""
    verdict = "significant" if found["significant"] else "not significant"
    if difference and not found["significant"]:
        verdict += ": it may be due to the choice of segments"
    return f"{sentence}; {TESTS[comparison.test]}, p {found['p']}{also}). The difference is {verdict}"


def _points(units: int) -> str:
    return minus(f"{units / RESOLUTION:.4f}")


def _signed(units: int) -> str:
    return minus(f"{units / RESOLUTION:+.4f}")
