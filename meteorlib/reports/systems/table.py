"""The table of compared systems as cells of text, shared by the formats."""

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
    """Compared systems with the options of their report.

    Attributes:
        comparison: the comparison.
        signature: the signature with the number of references.
        width: digits after the decimal point in text for people.
        segments: segment scores by system, if requested; means over the runs.
        groups: groups by system, the same ones for all; means over the runs.
        ids: ids of the segments, if their rows were joined by id.
    """

    comparison: SystemComparison
    signature: str
    width: int = DIGITS
    segments: Mapping[str, Sequence[float]] | None = None
    groups: Mapping[str, Sequence[Group]] = field(factory=dict)
    ids: Sequence[str] = ()


class SystemsReport(Protocol):
    """A report format for compared systems."""

    def __call__(self, systems: Systems) -> str:
        """The whole text."""


def one_line(name: str) -> str:
    """A name in one line, safe to print."""
    return harmless(" ".join(name.split()))


def digits(value: float | None, width: int) -> str:
    """A number with `width` digits after the decimal point; a dash for None and NaN."""
    return NONE if value is None or isnan(value) else f"{value:.{width}f}"


def score_of(group: Group, comparison: SystemComparison) -> float:
    """The compared score of a group: corpus score or mean of the segment scores."""
    return group.scored.score if comparison.compared == "corpus" else group.mean_segment_score


def level(comparison: SystemComparison) -> str:
    """The confidence level, in percent."""
    return f"{100 * comparison.confidence:g}"


def cells(systems: Systems) -> list[list[str]]:
    """The whole table, column names first."""
    return _rows(
        [_scores(systems, one) | _differences(systems, one) | _rank(one) for one in systems.comparison.systems]
    )


def score_cells(systems: Systems) -> list[list[str]]:
    """The columns with scores and ranks of each system."""
    return _rows([_scores(systems, one) | _rank(one) for one in systems.comparison.systems])


def difference_cells(systems: Systems) -> list[list[str]]:
    """The columns that compare each system with the baseline, which has no row."""
    others = [one for one in systems.comparison.systems if one.difference is not None]
    heading = f"minus {one_line(systems.comparison.baseline)}"
    return _rows([{heading: one_line(one.name)} | _differences(systems, one) for one in others])


def _rows(systems: Sequence[Mapping[str, str]]) -> list[list[str]]:
    return [[*systems[0]], *([*system.values()] for system in systems)]


def _scores(systems: Systems, system: System) -> dict[str, str]:
    comparison, width = systems.comparison, systems.width
    row = {
        "system": one_line(system.name),
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
    """Cells of the comparison with the baseline: none for a single system, dashes for the baseline."""
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


def bounds(interval: Interval, width: int, write: Any = digits) -> str:
    """Both ends of an interval."""
    return f"[{write(interval.low, width)}, {write(interval.high, width)}]"


def probability(p: float | None) -> str:
    """A p value in four digits; a dash for None."""
    return NONE if p is None else f"{p:.4f}" if p >= 0.00005 else "<0.0001"


def rank_meaning(comparison: SystemComparison) -> str:
    """The meaning of the ranks, in a sentence without its period."""
    return (
        "systems that share a rank are each significantly better than every system with a higher rank number "
        f"(p < {1 - comparison.confidence:.4g}, not adjusted)"
    )


def notes(systems: Systems) -> list[tuple[str, str]]:
    """Meaning of the columns, and the signature: a label and a sentence each."""
    comparison = systems.comparison
    samples = f"{comparison.samples} samples, seed {comparison.seed}"
    corpus_score = comparison.compared == "corpus"
    score = "of all segments, from summed statistics" if corpus_score else "mean of the segments' scores"
    lines = [
        ("segments", str(comparison.segment_count)),
        ("score", f"{score}; higher is better"),
        ("intervals", f"bootstrap, {samples}"),
    ]
    if len(comparison.systems) > 1:
        lines.append(("baseline", one_line(comparison.baseline)))
        lines.append(("difference", "score of the system minus score of the baseline"))
        if comparison.test is not None:
            lines.append(("test", f"{TESTS[comparison.test]}, {samples}"))
            lines.append(("Holm p", "p adjusted for the number of systems compared with the baseline"))
            lines.append(("rank", rank_meaning(comparison)))
    if any(len(system.runs) > 1 for system in comparison.systems):
        lines.append(("s_sel, s_opt", "standard deviation by choice of the test set, and over the runs"))
    return [*lines, ("signature", systems.signature)]
