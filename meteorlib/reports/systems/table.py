"""The table of systems as cells of text, shared by the formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Literal, get_args

from attrs import field, frozen

from meteorlib.analysis.results import Group, Interval, MetricComparison, System, SystemComparison
from meteorlib.core.rows import DIGITS, NONE, digits, probability, signed
from meteorlib.core.rows import Row as Fact
from meteorlib.core.tabular import Grid, Tabular
from meteorlib.errors import UnknownName

TESTS = {"bootstrap": "paired bootstrap", "randomization": "paired approximate randomization"}


Form = Literal["text", "json", "tsv", "markdown", "latex"]
FORMATS: tuple[Form, ...] = get_args(Form)


@frozen
class Systems(Tabular):
    """Scored systems with the options of their report.

    Attributes:
        comparison: the scores, and the comparison of several systems.
        signature: the signature with the number of references.
        width: digits after the decimal point in text for people.
        segments: segment scores by system, if requested; means over the runs, and only where `lines` has none.
        lines: a line for each segment of a system, as the function `segment` of the format has written it.
        groups: groups by system, the same ones for all; means over the runs.
        ids: ids of the segments, if their rows were joined by id.
        percent: whether text for people has scores in percent.
        columns: the columns to show, by the names of `COLUMNS`; empty for all.
        metrics: the same systems by other metrics.
        metric_groups: scores of the groups by other metrics, as `group_scores` has them, by grouping column and metric.
        references: number of references per segment; None if it varies.
        preset: name of the preset.
        variant: its description.
        source: paper or program that it reproduces.
        verbose: whether the text of a single system has the parts of the score.
    """

    comparison: SystemComparison
    signature: str
    width: int = DIGITS
    segments: Mapping[str, Sequence[float]] | None = None
    lines: Mapping[str, Iterable[str]] = field(factory=dict)
    groups: Mapping[str, Sequence[Group]] = field(factory=dict)
    ids: Sequence[str] = ()
    percent: bool = False
    columns: Sequence[str] = ()
    metrics: Sequence[MetricComparison] = ()
    metric_groups: Mapping[tuple[str, str], Mapping[str, Mapping[str, float]]] = field(factory=dict)
    references: int | None = None
    preset: str = ""
    variant: str = ""
    source: str = ""
    verbose: bool = False

    def written(self, form: Form = "text") -> str:
        """The results as ``text``, ``json``, ``tsv``, ``markdown`` or ``latex``.

        Raises:
            UnknownName: there is no such format.
        """
        return "".join(self.pieces(form))

    def pieces(self, form: str) -> Iterator[str]:
        """The text of `written`, in pieces."""
        if form not in FORMATS:
            raise UnknownName("format", form, FORMATS)
        pieces: Iterator[str] = getattr(import_module(f"meteorlib.reports.systems.{form}"), form)(self)
        return pieces

    def _fact_rows(self) -> Iterable[Fact]:
        return self.comparison._fact_rows()  # noqa: SLF001 – of the same base

    def _grids(self) -> Iterable[Grid]:
        return [grid for one in (self.comparison, *self.metrics) for grid in one._grids()]  # noqa: SLF001 – as above

    def number(self, value: float | None) -> str:
        """A score with `width` digits, in percent if asked; a dash for None and NaN."""
        return digits(None if value is None else self.scale * value, self.width)

    def signed(self, value: float) -> str:
        """A difference of scores, like `number` with its sign."""
        return signed(self.scale * value, self.width)

    def metric_width(self, metric: MetricComparison) -> int:
        """Digits of another metric's scores; those up to 100 have two less than METEOR's up to 1."""
        return max(self.width - 2, 0) if metric.percent and not self.percent else self.width

    @property
    def scale(self) -> int:
        """Factor of the numbers that are printed."""
        return 100 if self.percent else 1


def full_signature(signature: str, references: int | None) -> str:
    """A signature with the number of references, ``refs:2``, or ``refs:var`` if it varies."""
    return f"{signature}|refs:{'var' if references is None else references}"


def score_of(group: Group, comparison: SystemComparison) -> float:
    """The compared score of a group: corpus score or mean of the segment scores."""
    return group.scored.score if comparison.compared == "corpus" else group.mean_segment_score


def level(comparison: SystemComparison) -> str:
    """The confidence level, in percent."""
    return f"{100 * comparison.confidence:g}"


COLUMNS = (
    "score", "ci", "mean", "corpus", "runs", "s_sel", "s_opt", "difference", "difference-ci", "p", "holm", "rank",
)  # fmt: skip
"""Names of columns, by which they are chosen."""

Row = dict[str, str]
"""Cells of a system by the names of their columns; ``system`` is the first."""


def rows(systems: Systems) -> list[Row]:
    """Cells of each system, without the columns that were not chosen.

    Raises:
        UnknownName: a chosen column is not part of this comparison, which has e.g. no test.
    """
    found = [_scores(systems, one) | _differences(systems, one) for one in systems.comparison.systems]
    for name in systems.columns:
        if name not in found[0]:
            raise UnknownName("column of this comparison", name, [one for one in found[0] if one != "system"])
    chosen = ("system", *(systems.columns or [name for name in found[0] if name != "system"]))
    return [{name: row[name] for name in chosen} for row in found]


def headings(systems: Systems) -> Row:
    """Column headings that differ from the names of the columns."""
    interval = f"{level(systems.comparison)}% interval"
    return {"ci": interval, "difference-ci": f"its {interval}", "holm": "Holm p"}


def cells(systems: Systems) -> list[list[str]]:
    """The whole table, column names first."""
    return _grid(systems, rows(systems))


def score_cells(systems: Systems) -> list[list[str]]:
    """The columns with scores and ranks of each system."""
    return _grid(systems, [{name: one[name] for name in one if name not in _DIFFERENCES} for one in rows(systems)])


def difference_cells(systems: Systems) -> list[list[str]]:
    """The columns that compare each system with the baseline, which has no row; empty if none is chosen."""
    kept = [
        {name: row[name] for name in row if name in _DIFFERENCES or name == "system"}
        for row, one in zip(rows(systems), systems.comparison.systems, strict=True)
        if one.difference is not None
    ]
    if not kept or len(kept[0]) == 1:
        return []
    (_, *names), *others = _grid(systems, kept)
    return [[f"minus {systems.comparison.baseline}", *names], *others]


_DIFFERENCES = ("difference", "difference-ci", "p", "holm")


def _grid(systems: Systems, found: Sequence[Row]) -> list[list[str]]:
    named = headings(systems)
    return [[named.get(name, name) for name in found[0]], *([*row.values()] for row in found)]


def _scores(systems: Systems, system: System) -> Row:
    comparison = systems.comparison
    row = {
        "system": system.name,
        "score": systems.number(system.score),
        "ci": bounds(system.interval, systems.number),
    }
    if comparison.compared == "corpus":
        row["mean"] = systems.number(system.mean_segment_score)
    else:
        row["corpus"] = systems.number(system.scored.score)
    if any(len(one.runs) > 1 for one in comparison.systems):
        row |= {"runs": str(len(system.runs)), "s_sel": systems.number(system.s_sel)}
        row["s_opt"] = systems.number(system.s_opt)
    return row


def _differences(systems: Systems, system: System) -> Row:
    """Cells of the comparison with the baseline, and the rank: none for a single system, dashes for the baseline."""
    comparison = systems.comparison
    if len(comparison.systems) == 1:
        return {}
    found = system.difference
    row = {
        "difference": NONE if found is None else systems.signed(found.value),
        "difference-ci": NONE if found is None else bounds(found.interval, systems.signed),
    }
    if comparison.test is not None:
        row["p"] = probability(None if found is None else found.p)
        row["holm"] = probability(None if found is None else found.adjusted_p)
    return row if system.rank is None else row | {"rank": str(system.rank)}


def bounds(interval: Interval | None, write: Callable[[float], str]) -> str:
    """Both ends of an interval; a dash for None."""
    return NONE if interval is None else f"[{write(interval.low)}, {write(interval.high)}]"


def metric_column(systems: Systems, metric: MetricComparison) -> dict[str, str]:
    """Score of each system by another metric."""
    return {name: digits(one.score, systems.metric_width(metric)) for name, one in metric.systems.items()}


def metric_cells(systems: Systems, metric: MetricComparison) -> list[list[str]]:
    """The table of another metric: scores, intervals, and differences from the baseline."""
    write = partial(digits, width=systems.metric_width(metric))
    write_signed = partial(signed, width=systems.metric_width(metric))
    table = [[metric.name, "score", headings(systems)["ci"], "difference", "p", "Holm p"]]
    for name, one in metric.systems.items():
        difference = NONE if one.difference is None else write_signed(one.difference)
        ends = bounds(one.interval, write)
        table.append([name, write(one.score), ends, difference, probability(one.p), probability(one.adjusted_p)])
    return table


def rank_meaning(comparison: SystemComparison) -> str:
    """The meaning of the ranks, in a sentence without its period."""
    return (
        "each system is significantly better than every system with a higher rank number "
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
        ("score", f"{score}{', in percent' if systems.percent else ''}; higher is better"),
        ("intervals", f"bootstrap, {samples}"),
    ]
    if len(comparison.systems) > 1:
        lines.append(("baseline", comparison.baseline))
        lines.append(("difference", "score of the system minus score of the baseline"))
        if comparison.test is not None:
            lines.append(("test", f"{TESTS[comparison.test]}, {samples}"))
            lines.append(("Holm p", "p adjusted for the number of systems compared with the baseline"))
            lines.append(("rank", rank_meaning(comparison)))
    if any(len(system.runs) > 1 for system in comparison.systems):
        lines.append(("s_sel, s_opt", "standard deviation by choice of the test set, and over the runs"))
    for metric in systems.metrics:
        better = "lower is better" if metric.lower_is_better else "higher is better"
        lines.append((metric.name, "; ".join(filter(None, [better, metric.signature]))))
    return [*lines, ("signature", systems.signature)]
