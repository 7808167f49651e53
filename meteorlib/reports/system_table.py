"""Results of systems by METEOR and other metrics: the table's columns, cells and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

from attrs import field, frozen

from meteorlib.analysis.results import System, SystemComparison
from meteorlib.display.displayable import Grid, Tabular, cell
from meteorlib.display.text import DIGITS, digits
from meteorlib.display.text import Row as Fact
from meteorlib.engine.engine import Identity
from meteorlib.errors import UnknownName

if TYPE_CHECKING:
    from meteorlib.analysis.mbr import Choice

TESTS = {"bootstrap": "paired bootstrap", "randomization": "paired approximate randomization"}

Form = Literal["text", "json", "tsv", "markdown", "latex"]
FORMATS: tuple[Form, ...] = get_args(Form)

_MODULES = {"text": "text_table", "json": "json_tsv", "tsv": "json_tsv", "markdown": "papers", "latex": "papers"}
"""Module of each format; its function is called ``FORM_results``, and ``FORM_segment`` writes a segment's line."""


def writer(form: str, what: str) -> Callable[..., Any] | None:
    """The function of a format that writes ``results``, or the line of a ``segment`` if the format lists segments."""
    return getattr(import_module(f"meteorlib.reports.{_MODULES[form]}"), f"{form}_{what}", None)


@frozen
class Results(Tabular):
    """Systems scored by METEOR, and by other metrics beside it, with the options of their report.

    Attributes:
        comparison: the scores by METEOR, and the comparison of several systems.
        signature: METEOR's signature with the number of references.
        width: digits after the decimal point in text for people.
        segments: whether segments are listed.
        lines: a line for each segment of a system, as ``FORM_segment`` has written it.
        ids: ids of the segments, if their rows were joined by id.
        percent: whether text for people has scores in percent.
        columns: the columns to show, by the names of `COLUMNS`; empty for all.
        metrics: the same systems by other metrics.
        references: number of references per segment; None if it varies.
        preset: name of the preset.
        variant: its description.
        source: paper or program that it reproduces.
        verbose: whether the text of a single system has the parts of the score.
        short_signature: the signature's short form, for tables that people read; empty if there is none.
        chosen: the choice from the n-best list of each segment, by system; empty without such lists.
    """

    comparison: SystemComparison
    signature: str
    width: int = DIGITS
    segments: bool = False
    lines: Mapping[str, Iterable[str]] = field(factory=dict)
    ids: Sequence[str] = ()
    percent: bool = False
    columns: Sequence[str] = ()
    metrics: Sequence[SystemComparison] = ()
    references: int | None = None
    preset: str = ""
    variant: str = ""
    source: str = ""
    verbose: bool = False
    short_signature: str = ""
    chosen: Mapping[str, Sequence[Choice]] = field(factory=dict)

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
        write: Any = writer(form, "results")
        pieces: Iterator[str] = write(self)
        return pieces

    def _grids(self) -> Iterable[Grid]:
        for metric in (self.comparison, *self.metrics):
            (head, *systems), pairs = metric._grids()  # noqa: SLF001 – of the same base
            yield from ([[metric.title, *head[1:]], *systems], pairs)

    def _setting_rows(self) -> Iterable[Fact]:
        return self.comparison._setting_rows()  # noqa: SLF001 – as above

    @property
    def printed_signature(self) -> str:
        """The signature in tables that people read."""
        return self.short_signature or self.signature

    def number(self, value: float | None) -> str:
        """A score with `width` digits, in percent if asked; a dash for None and NaN."""
        return digits(None if value is None else self.scale * value, self.width)

    def metric_width(self, metric: SystemComparison) -> int:
        """Digits of a metric's scores."""
        return self.width if self.percent else metric.digits(self.width)

    @property
    def scale(self) -> int:
        """Factor of METEOR's numbers that are printed."""
        return 100 if self.percent else 1

    def labels(self, system: str, number: int) -> dict[str, Any]:
        """Id of a segment, and the choice from its n-best list, by column; the same columns for all segments."""
        labels: dict[str, Any] = {"id": self.ids[number]} if self.ids else {}
        if self.chosen:
            choice = self.chosen[system][number]
            labels |= {"candidate": choice.index + 1, "hypothesis": choice.text}
        return labels

    def segment_lines(self, system: System, write: Callable[[float], str]) -> Iterable[str]:
        """The line of each segment of a system; of one with several runs, its mean score, which `write` writes."""
        if system.name in self.lines:
            return self.lines[system.name]
        return () if system.segments is None else map(write, system.segments.tolist())


def signatures(identity: Identity, references: int | None, resegmenter: str = "") -> tuple[str, str]:
    """Signature and short signature, with the number of references (``refs:var`` if it varies) and what resegmented."""
    more = "|".join(filter(None, [f"|refs:{'var' if references is None else references}", resegmenter]))
    short = identity.short_signature
    return f"{identity.signature}{more}", short and short + more


def _compared(comparison: SystemComparison) -> bool:
    return comparison.samples > 0 and len(comparison.systems) > 1


def _tested(comparison: SystemComparison) -> bool:
    return _compared(comparison) and comparison.test is not None


def _has_runs(comparison: SystemComparison) -> bool:
    return comparison.samples > 0 and any(len(system.runs) > 1 for system in comparison.systems)


@frozen
class Column:
    """A column of the table of systems; it has the confidence level in its headings.

    Attributes:
        path: the attribute of a system that it shows.
        heading: what is printed above it; empty for its name.
        shown: whether a comparison has it.
        page: its title in the HTML report, with a mark for the baseline; None for the heading, or the name.
        above: the column below which it stands in the HTML report, after its title.
    """

    path: str
    heading: str = ""
    shown: Callable[[SystemComparison], bool] = lambda _: True
    page: str | None = None
    above: str = ""

    @property
    def of_difference(self) -> bool:
        """Whether it compares a system with the baseline."""
        return self.path.startswith("difference.")

    def title(self, name: str, comparison: SystemComparison, baseline: str = "") -> str:
        """The title in the HTML report."""
        text = (self.heading or name) if self.page is None else self.page
        return text.format(level=_level(comparison), baseline=baseline)


def _level(comparison: SystemComparison) -> str:
    return f"{100 * comparison.confidence:g}"


COLUMNS = {
    "score": Column("score", page="METEOR"),
    "ci": Column("interval", "{level}% interval", lambda found: found.samples > 0, "Interval at {level} %"),
    "mean": Column("mean_segment_score", "", lambda found: found.compared == "corpus", "Mean of segments"),
    "corpus": Column("scored.score", shown=lambda found: found.compared == "mean"),
    "runs": Column("runs", "", _has_runs, "Runs"),
    "s_sel": Column("s_sel", shown=_has_runs),
    "s_opt": Column("s_opt", shown=_has_runs),
    "difference": Column("difference.value", "", _compared, "Minus {baseline}"),
    "difference-ci": Column("difference.interval", "its {level}% interval", _compared, "", "difference"),
    "p": Column("difference.p", shown=_tested, above="holm"),
    "holm": Column("difference.adjusted_p", "Holm p", _tested),
    "rank": Column("rank", "", _tested, "Rank"),
}
"""The columns by the names by which they are chosen, in their order."""

TSV_COLUMNS = {
    "mean_segment_score": "mean_segment_score", "compared": "", "low": "interval.low", "high": "interval.high",
    "runs": "runs", "s_sel": "s_sel", "s_opt": "s_opt", "difference": "difference.value",
    "difference_low": "difference.interval.low", "difference_high": "difference.interval.high", "p": "difference.p",
    "adjusted_p": "difference.adjusted_p", "rank": "rank",
}  # fmt: skip
"""The columns of TSV behind the parts of METEOR's score, and the attributes of a system; without one, of all."""

OF_METRICS = ("score", "ci", "difference", "p", "holm")
"""Columns of another metric's own table."""


def shown_columns(results: Results) -> Sequence[str]:
    """Names of the columns of METEOR's table."""
    known = [name for name, column in COLUMNS.items() if column.shown(results.comparison)]
    for name in results.columns:
        if name not in known:
            raise UnknownName("column of this comparison", name, known)
    return results.columns or known


def cells(results: Results, names: Sequence[str] | None = None, metric: SystemComparison | None = None) -> Grid:
    """A table of the systems by METEOR or another metric, headings first; `names` are its columns, or all are shown."""
    comparison = metric or results.comparison
    names = shown_columns(results) if names is None else names
    width, scale = results.metric_width(comparison), 1 if metric else results.scale
    headings = [COLUMNS[name].heading.format(level=_level(comparison)) or name for name in names]
    return [
        ["system" if metric is None else metric.name, *headings],
        *(
            [system.name, *(cell(system, COLUMNS[name].path, width=width, scale=scale) for name in names)]
            for system in comparison.systems
        ),
    ]


def score_cells(results: Results) -> Grid:
    """The columns with scores and ranks of each system."""
    return cells(results, [name for name in shown_columns(results) if not COLUMNS[name].of_difference])


def difference_cells(results: Results) -> Grid:
    """The columns that compare each system with the baseline, which has no row; empty if none is chosen."""
    names = [name for name in shown_columns(results) if COLUMNS[name].of_difference]
    if not names:
        return []
    (_, *headings), *rows = cells(results, names)
    compared = [row for row, system in zip(rows, results.comparison.systems, strict=True) if system.difference]
    return [[f"minus {results.comparison.baseline}", *headings], *compared]


def rank_meaning(comparison: SystemComparison) -> str:
    """The meaning of the ranks, in a sentence without its period."""
    return (
        "each system is significantly better than every system with a higher rank number "
        f"(p < {1 - comparison.confidence:.4g}, not adjusted)"
    )


def notes(results: Results) -> list[Fact]:
    """Meaning of the columns, and the signature: a label and a sentence each."""
    comparison = results.comparison
    samples = f"{comparison.samples} samples, seed {comparison.seed}"
    corpus_score = comparison.compared == "corpus"
    score = "of all segments, from summed statistics" if corpus_score else "mean of the segments' scores"
    lines = [
        ("segments", str(comparison.segment_count)),
        ("score", f"{score}{', in percent' if results.percent else ''}; higher is better"),
        ("intervals", f"bootstrap, {samples}"),
    ]
    if _compared(comparison):
        lines.append(("baseline", comparison.baseline))
        lines.append(("difference", "score of the system minus score of the baseline"))
    if _tested(comparison):
        lines.append(("test", f"{TESTS[comparison.test or '']}, {samples}"))
        lines.append(("Holm p", "p adjusted for the number of systems compared with the baseline"))
        lines.append(("rank", rank_meaning(comparison)))
    if _has_runs(comparison):
        lines.append(("s_sel, s_opt", "standard deviation by choice of the test set, and over the runs"))
    for metric in results.metrics:
        better = "lower is better" if metric.lower_is_better else "higher is better"
        lines.append((metric.name, "; ".join(filter(None, [better, metric.signature]))))
    return [*lines, ("signature", results.printed_signature)]
