"""The paragraph of the HTML report that says which of two systems is better, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from meteorlib.analysis.significance import SystemComparison
from meteorlib.core.rows import probability
from meteorlib.core.safe_text import harmless
from meteorlib.reports.html.measures import RESOLUTION
from meteorlib.reports.html.metrics import MetricDifference
from meteorlib.reports.systems.table import TESTS

ORDER = "order of the words"
LENGTHS = "lengths of the texts"
"""Labels of the shares that are no words; in the paragraph, parts of the formula stand for them."""

LABEL_LETTERS = 60
"""Most letters of a label that are shown."""


def paragraph(
    found: Mapping[str, Any],
    first: str,
    second: str,
    comparison: SystemComparison | None,
    leads: Mapping[str, tuple[str, int, int]],
    metrics: Sequence[MetricDifference] = (),
) -> str:
    """The difference, whether it can be trusted, metrics that disagree, its largest shares, and the groups of these.

    Args:
        found: the numbers; see `Compared.reasons`.
        first: name of the system whose score is the minuend.
        second: name of the other system.
        comparison: comparison of the systems.
        leads: for each grouping, the group where the better system leads most, by how much, and its size.
        metrics: the difference by each other metric.
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
    if found["units"]:
        sign = 1 if found["units"] > 0 else -1
        if found["units"] != difference:
            leader = first if sign > 0 else second
            sentences.append(f"In the runs shown below, {leader} leads by {_points(sign * found['units'])}")
        formula, *others = (
            sorted(((sign * share, label) for label, share, _ in rows), reverse=True) for _, rows in found["views"]
        )
        if formula:
            *earlier, last = (f"{label} ({_signed(share)})" for share, label in formula)
            listed = f"{', '.join(earlier)} and {last}" if earlier else last
            if found.get("significant", True):
                sentences.append(f"The difference comes from {listed}")
            else:
                sentences.append(f"Parts of METEOR's difference, which is not significant: {listed}")
        views = ("by kind of words, {}", "by stage, {}", "by length of the reference, {} words")
        words = ([(share, label) for share, label in rows if label not in {ORDER, LENGTHS}] for rows in others)
        largest = [
            f"{view.format(rows[0][1])} ({_signed(rows[0][0])})"
            for view, rows in zip(views, words, strict=True)
            if rows and rows[0][0] > 0
        ]
        if largest:
            sentences.append(f"Largest shares: {'; '.join(largest)}")
        sentences += [
            f"By {harmless(by)}, the lead is largest in “{_clipped(label)}” "
            f"({_signed(lead)}; {size:,} segment{'' if size == 1 else 's'}, not tested)"
            for by, (label, lead, size) in leads.items()
        ]
    return ". ".join(sentences) + "."


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


def _clipped(label: str) -> str:
    text = harmless(label)
    return text if len(text) <= LABEL_LETTERS else f"{text[: LABEL_LETTERS - 1]}…"


def _points(units: int) -> str:
    return f"{units / RESOLUTION:.4f}".replace("-", "−")


def _signed(units: int) -> str:
    return f"{units / RESOLUTION:+.4f}".replace("-", "−")
