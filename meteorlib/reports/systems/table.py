"""The table of several systems, as text in cells; formats decide how cells are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Protocol

from attrs import field, frozen

from meteorlib.analysis.significance.results import Interval, System, SystemComparison
from meteorlib.core.rows import DIGITS, signed
from meteorlib.core.safe_text import harmless
from meteorlib.reports.groups import Group

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
        ids: of the segments, if their rows were joined by id.
    """

    comparison: SystemComparison
    signature: str
    width: int = DIGITS
    segments: Mapping[str, Sequence[float]] | None = None
    groups: Mapping[str, Sequence[Group]] = field(factory=dict)
    ids: Sequence[str] = ()


class SystemsReport(Protocol):
    """A format: systems → text."""

    def __call__(self, systems: Systems) -> str:
        """The whole text."""


def plain(name: str) -> str:
    """A name in one line, harmless."""
    return harmless(" ".join(name.split()))


def digits(value: float | None, width: int) -> str:
    """So many digits behind the point; a dash for what is not there."""
    return NONE if value is None or isnan(value) else f"{value:.{width}f}"


def score_of(group: Group, comparison: SystemComparison) -> float:
    """The score of a group that is the one that is compared."""
    return group.scored.score if comparison.compared == "corpus" else group.mean_segment_score


def level(comparison: SystemComparison) -> str:
    """The level of confidence, in percent."""
    return f"{100 * comparison.confidence:g}"


def cells(systems: Systems) -> list[list[str]]:
    """The whole table, the names of the columns first."""
    return _rows(
        [_scores(systems, one) | _differences(systems, one) | _rank(one) for one in systems.comparison.systems]
    )


def score_cells(systems: Systems) -> list[list[str]]:
    """The columns that each system has on its own, and the ranks."""
    return _rows([_scores(systems, one) | _rank(one) for one in systems.comparison.systems])


def difference_cells(systems: Systems) -> list[list[str]]:
    """The columns that compare a system with the baseline, which has no row."""
    others = [one for one in systems.comparison.systems if one.difference is not None]
    heading = f"minus {plain(systems.comparison.baseline)}"
    return _rows([{heading: plain(one.name)} | _differences(systems, one) for one in others])


def _rows(systems: Sequence[Mapping[str, str]]) -> list[list[str]]:
    return [[*systems[0]], *([*system.values()] for system in systems)]


def _scores(systems: Systems, system: System) -> dict[str, str]:
    comparison, width = systems.comparison, systems.width
    row = {
        "system": plain(system.name),
        "score": digits(system.score, width),
        f"{level(comparison)}% interval": bounds(system.interval, width),
    }
    if comparison.compared == "corpus":
        row["mean"] = digits(system.mean_segment_score, width)
    else:
        row["corpus"] = digits(system.scored.score, width)
    if any(len(one.runs) > 1 for one in comparison.systems):
        row |= {"runs": str(len(system.runs)), "s_sel": digits(system.s_sel, width)}
        row["s_opt"] = digits(system.s_opt, width)
    return row


def _differences(systems: Systems, system: System) -> dict[str, str]:
    """Empty for one system alone; dashes for the baseline."""
    comparison, width = systems.comparison, systems.width
    if len(comparison.systems) == 1:
        return {}
    found = system.difference
    row = {
        "difference": NONE if found is None else signed(found.value, width),
        f"its {level(comparison)}% interval": NONE if found is None else bounds(found.interval, width, signed),
    }
    if comparison.test is not None:
        row["p"] = probability(None if found is None else found.p)
        row["Holm p"] = probability(None if found is None else found.adjusted_p)
    return row


def _rank(system: System) -> dict[str, str]:
    return {} if system.rank is None else {"rank": str(system.rank)}


def bounds(interval: Interval, width: int, shown: Any = digits) -> str:
    """Both ends of an interval."""
    return f"[{shown(interval.low, width)}, {shown(interval.high, width)}]"


def probability(p: float | None) -> str:
    """Four digits; a dash for what is not there."""
    return NONE if p is None else f"{p:.4f}" if p >= 0.00005 else "<0.0001"


def rank_meaning(comparison: SystemComparison) -> str:
    """The meaning of the ranks, in a sentence without its period."""
    return (
        "systems that share a rank are each significantly better than every system with a higher rank number "
        f"(p < {1 - comparison.confidence:.4g}, not adjusted)"
    )


def notes(systems: Systems) -> list[tuple[str, str]]:
    """What the columns mean, and the signature: a label and a sentence each."""
    comparison = systems.comparison
    drawn = f"{comparison.samples} samples, seed {comparison.seed}"
    together = comparison.compared == "corpus"
    score = "of all segments, from summed statistics" if together else "mean of the segments' scores"
    lines = [
        ("segments", str(comparison.segment_count)),
        ("score", f"{score}; higher is better"),
        ("intervals", f"bootstrap, {drawn}"),
    ]
    if len(comparison.systems) > 1:
        lines.append(("baseline", plain(comparison.baseline)))
        lines.append(("difference", "score of the system minus score of the baseline"))
        if comparison.test is not None:
            lines.append(("test", f"{TESTS[comparison.test]}, {drawn}"))
            lines.append(("Holm p", "p adjusted for the number of systems compared with the baseline"))
            lines.append(("rank", rank_meaning(comparison)))
    if any(len(system.runs) > 1 for system in comparison.systems):
        lines.append(("s_sel, s_opt", "standard deviation by choice of the test set, and over the runs"))
    return [*lines, ("signature", systems.signature)]
