"""The table of several systems, as text in cells; formats decide how cells are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Protocol

from attrs import field, frozen

from meteorlib.core.lines import DIGITS
from meteorlib.reports.groups import Group
from meteorlib.significance.results import Interval, System, SystemComparison

NONE = "–"

TESTS = {"bootstrap": "paired bootstrap", "randomization": "paired approximate randomization"}


@frozen
class Systems:
    """Compared systems, and how they are shown.

    Attributes:
        comparison: the systems.
        signature: the line that names the METEOR in use, with the number of references.
        width: digits behind the point, where numbers are for people.
        segments: for each system the scores of its segments, where they were asked for; of several runs their means.
        groups: for each system its groups, the same for all; of several runs their means.
    """

    comparison: SystemComparison
    signature: str
    width: int = DIGITS
    segments: Mapping[str, Sequence[float]] | None = None
    groups: Mapping[str, Sequence[Group]] = field(factory=dict)


class SystemsReport(Protocol):
    """A format: systems → text."""

    def __call__(self, systems: Systems) -> str:
        """The whole text."""


def plain(name: str) -> str:
    """A name in one line."""
    return " ".join(name.split())


def digits(value: float | None, width: int) -> str:
    """So many digits behind the point; a dash for what is not there."""
    return NONE if value is None or isnan(value) else f"{value:.{width}f}"


def signed(value: float, width: int) -> str:
    """The same with its sign; 0 has none."""
    shown = f"{value:+.{width}f}"
    return shown if shown.strip("+-0.") else shown[1:]


def score_of(group: Group, comparison: SystemComparison) -> float:
    """The score of a group that is the one that is compared."""
    return group.scored.score if comparison.compared == "corpus" else group.mean_segment_score


def level(comparison: SystemComparison) -> str:
    """The level of confidence, in percent."""
    return f"{100 * comparison.confidence:g}"


def cells(systems: Systems) -> list[list[str]]:
    """The rows of the table, the names of the columns first."""
    comparison = systems.comparison
    names = [*_columns(systems, comparison.systems[0])]
    return [names, *([*_columns(systems, system).values()] for system in comparison.systems)]


def _columns(systems: Systems, system: System) -> dict[str, str]:
    comparison, width = systems.comparison, systems.width
    percent = f"{level(comparison)}%"
    row = {
        "system": plain(system.name),
        "score": digits(system.score, width),
        f"{percent} interval": bounds(system.interval, width),
    }
    if comparison.compared == "corpus":
        row["mean"] = digits(system.mean_segment_score, width)
    else:
        row["corpus"] = digits(system.scored.score, width)
    if any(len(one.runs) > 1 for one in comparison.systems):
        row |= {"runs": str(len(system.runs)), "s_sel": digits(system.s_sel, width)}
        row["s_opt"] = digits(system.s_opt, width)
    if len(comparison.systems) > 1:
        difference = system.difference
        row["difference"] = NONE if difference is None else signed(difference.value, width)
        row[f"its {percent} interval"] = NONE if difference is None else bounds(difference.interval, width, signed)
        if comparison.test is not None:
            row["p"] = NONE if difference is None else probability(difference.p)
            row["Holm p"] = NONE if difference is None else probability(difference.adjusted_p)
            row["rank"] = str(system.rank)
    return row


def bounds(interval: Interval, width: int, shown: Any = digits) -> str:
    """Both ends of an interval."""
    return f"[{shown(interval.low, width)}, {shown(interval.high, width)}]"


def probability(p: float | None) -> str:
    """Four digits; a dash for what is not there."""
    return NONE if p is None else f"{p:.4f}" if p >= 0.00005 else "<0.0001"


def notes(systems: Systems) -> list[tuple[str, str]]:
    """What the columns mean, and the signature: a label and a sentence each."""
    comparison = systems.comparison
    drawn = f"{comparison.samples} samples, seed {comparison.seed}"
    what = "statistics summed over the segments, scored once"
    lines = [
        ("segments", str(comparison.segment_count)),
        ("score", f"of the corpus: {what}" if comparison.compared == "corpus" else "mean of the segments' scores"),
        ("intervals", f"bootstrap, {drawn}"),
    ]
    if len(comparison.systems) > 1:
        lines.append(("baseline", plain(comparison.baseline)))
        if comparison.test is not None:
            lines.append(("test", f"{TESTS[comparison.test]}, {drawn}"))
            better = "significantly better than every system of a higher number"
            lines.append(("rank", f"systems that share one are each {better} (p < {1 - comparison.confidence:.4g})"))
    if any(len(system.runs) > 1 for system in comparison.systems):
        lines.append(("s_sel, s_opt", "standard deviation by choice of the test set, and over the runs"))
    return [*lines, ("signature", systems.signature)]
