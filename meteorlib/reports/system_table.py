"""Results of systems by METEOR and other metrics: the table's columns, cells and notes, and the text for terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby, repeat
from typing import Any, Literal, get_args

from attrs import field, frozen

from meteorlib.analysis.results import Changes, System, SystemComparison, shown_label
from meteorlib.core.breakdown import MAIN_NUMBERS, ScoreBreakdown, breakdown_rows
from meteorlib.display.displayable import Grid, Tabular, cell, value_at
from meteorlib.display.text import DIGITS, digits, harmless, listing
from meteorlib.display.text import Row as Fact
from meteorlib.errors import UnknownName

TESTS = {"bootstrap": "paired bootstrap", "randomization": "paired approximate randomization"}

Form = Literal["text", "json", "tsv", "markdown", "latex"]
FORMATS: tuple[Form, ...] = get_args(Form)

_MODULES = {"text": "system_table", "json": "json_tsv", "tsv": "json_tsv", "markdown": "papers", "latex": "papers"}
"""Module of each format; its function is called ``FORM_results``, and ``FORM_segment`` writes a segment's line."""

BAR = 40
"""Width of the longest bar, in characters."""


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

    def _fact_rows(self) -> Iterable[Fact]:
        return self.comparison._fact_rows()  # noqa: SLF001 – of the same base

    def _grids(self) -> Iterable[Grid]:
        return [grid for one in (self.comparison, *self.metrics) for grid in one._grids()]  # noqa: SLF001 – as above

    def number(self, value: float | None) -> str:
        """A score with `width` digits, in percent if asked; a dash for None and NaN."""
        return digits(None if value is None else self.scale * value, self.width)

    def metric_width(self, metric: SystemComparison) -> int:
        """Digits of a metric's scores; those up to 100 have two less than METEOR's up to 1."""
        return max(self.width - 2, 0) if metric.percent and not self.percent else self.width

    @property
    def scale(self) -> int:
        """Factor of METEOR's numbers that are printed."""
        return 100 if self.percent else 1

    def segment_lines(self, system: System, write: Callable[[float], str]) -> Iterable[str]:
        """The line of each segment of a system; of one with several runs, its mean score, which `write` writes."""
        if system.name in self.lines:
            return self.lines[system.name]
        return () if system.segments is None else map(write, system.segments.tolist())


def full_signature(signature: str, references: int | None) -> str:
    """A signature with the number of references, ``refs:2``, or ``refs:var`` if it varies."""
    return f"{signature}|refs:{'var' if references is None else references}"


def _compared(comparison: SystemComparison) -> bool:
    return len(comparison.systems) > 1


def _tested(comparison: SystemComparison) -> bool:
    return _compared(comparison) and comparison.test is not None


def _has_runs(comparison: SystemComparison) -> bool:
    return any(len(system.runs) > 1 for system in comparison.systems)


@frozen
class Column:
    """A column of the table of systems.

    Attributes:
        path: the attribute of a system that it shows.
        heading: what is printed above it, with the confidence level; empty for its name.
        shown: whether a comparison has it.
    """

    path: str
    heading: str = ""
    shown: Callable[[SystemComparison], bool] = lambda _: True

    @property
    def of_difference(self) -> bool:
        """Whether it compares a system with the baseline."""
        return self.path.startswith("difference.")


COLUMNS = {
    "score": Column("score"),
    "ci": Column("interval", "{level}% interval"),
    "mean": Column("mean_segment_score", shown=lambda found: found.compared == "corpus"),
    "corpus": Column("scored.score", shown=lambda found: found.compared == "mean"),
    "runs": Column("runs", shown=_has_runs),
    "s_sel": Column("s_sel", shown=_has_runs),
    "s_opt": Column("s_opt", shown=_has_runs),
    "difference": Column("difference.value", shown=_compared),
    "difference-ci": Column("difference.interval", "its {level}% interval", _compared),
    "p": Column("difference.p", shown=_tested),
    "holm": Column("difference.adjusted_p", "Holm p", _tested),
    "rank": Column("rank", shown=_tested),
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
    """Names of the columns of METEOR's table.

    Raises:
        UnknownName: a chosen column is not part of this comparison, which has e.g. no test.
    """
    known = [name for name, column in COLUMNS.items() if column.shown(results.comparison)]
    for name in results.columns:
        if name not in known:
            raise UnknownName("column of this comparison", name, known)
    return results.columns or known


def cells(results: Results, names: Sequence[str] | None = None, metric: SystemComparison | None = None) -> Grid:
    """A table of the systems by METEOR or another metric, headings first; `names` are its columns, or all are shown."""
    comparison = metric or results.comparison
    names = shown_columns(results) if names is None else names
    level = f"{100 * comparison.confidence:g}"
    width, scale = results.metric_width(comparison), 1 if metric else results.scale
    headings = [COLUMNS[name].heading.format(level=level) or name for name in names]
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
    return [*lines, ("signature", results.signature)]


def text_results(results: Results) -> Iterator[str]:
    """Tables of scores and differences, with notes below; all lines but the signature fit a terminal.

    For two systems there is also a histogram of the differences between segments. A single system without intervals has
    a list instead: its score, with its parts if `verbose`, and where it comes from.
    """
    yield from _compared_text(results) if results.comparison.samples else _single_text(results)


def text_segment(number: int, scored: ScoreBreakdown, width: int, scale: int) -> str:
    """The line of a segment of a single system; numbers times `scale` have `width` digits."""
    numbers = [digits(scale * getattr(scored, name), width) for name in MAIN_NUMBERS]
    reference = "–" if scored.reference_index is None else str(scored.reference_index + 1)
    return f"{number:<9}" + "".join(f"{one:>11}" for one in (*numbers, scored.statistics.chunks, reference)) + "\n"


def _single_text(results: Results) -> Iterator[str]:
    (system,), scale = results.comparison.systems, results.scale
    if results.segments:
        names = "".join(f"{name:>11}" for name in (*MAIN_NUMBERS, "chunks", "reference"))
        yield f"segment  {names}{'  id' if results.ids else ''}\n"
        for number, line in enumerate(results.lines[system.name]):
            yield f"{line[:-1]}  {harmless(results.ids[number])}\n" if results.ids else line
        yield "\n"
    yield from (f"{table}\n\n" for table in _group_tables(results))
    meanings = {
        "score": f" ({'in percent; 100' if scale > 1 else 'from 0 to 1; 1'} is best)",
        "fragmentation": " (how scattered the matches are; lower is better)",
    }
    parts = breakdown_rows(system.scored, results.width, scale)
    mean = results.number(system.mean_segment_score)
    lines = [
        *((name, value + meanings.get(name, "")) for name, value in (parts if results.verbose else parts[:1])),
        ("segments", f"{results.comparison.segment_count}, mean of their scores {mean}"),
        ("variant", f"{results.variant}; preset {results.preset}" if results.variant else f"preset {results.preset}"),
        ("cite", _citation(results.source)),
        ("signature", results.signature),
    ]
    yield listing(lines) + "\n"


def _citation(source: str) -> str:
    """The paper or program of the preset, to be cited, without remarks and page names."""
    source = re.sub(r", docs/\S+$", "", source.partition(";")[0]).replace("this project", "meteorlib")
    return f"{source}; with the signature" if source else "meteorlib and your preset, with the signature"


def _compared_text(results: Results) -> Iterator[str]:
    from meteorlib.display.terminal import fit_columns, notes_block  # noqa: PLC0415 – loads rich

    parts = [*_group_tables(results), fit_columns(score_cells(results))]
    if results.segments:
        parts.insert(0, fit_columns(_segment_cells(results)))
    parts += [fit_columns(cells(results, OF_METRICS, metric)) for metric in results.metrics]
    if differences := difference_cells(results):
        parts.append(fit_columns(differences))
    if len(results.comparison.systems) == 2 and not results.columns:
        parts.append(_changes(results))
    *explanations, signature = notes(results)
    yield "\n\n".join([*parts, notes_block(explanations, [signature])]) + "\n"


def _segment_cells(results: Results) -> Grid:
    systems = results.comparison.systems
    ids: Iterable[list[str]] = [[label] for label in results.ids] or repeat([])
    scores = zip(*(system.segments.tolist() for system in systems if system.segments is not None), strict=True)
    return [
        ["segment", *(["id"] if results.ids else []), *(system.name for system in systems)],
        *(
            [str(number), *label, *map(results.number, segment)]
            for number, (label, segment) in enumerate(zip(ids, scores, strict=False), 1)
        ),
    ]


def _group_tables(results: Results) -> Iterator[str]:
    """A table for each grouping column: a row for each group, and the score of each system, or the parts of one's."""
    systems = results.comparison.systems
    for by, some in groupby(zip(*(system.groups for system in systems), strict=True), lambda groups: groups[0].by):
        from meteorlib.display.terminal import fit_columns  # noqa: PLC0415 – loads rich

        rows = [[by, "segments", *((one.name for one in systems) if results.comparison.samples else MAIN_NUMBERS)]]
        for groups in some:
            numbers = [group.score for group in groups]
            if not results.comparison.samples:
                numbers = [getattr(groups[0].scored, part) for part in MAIN_NUMBERS]
            rows.append([shown_label(groups[0].label), str(groups[0].segment_count), *map(results.number, numbers)])
        yield fit_columns(rows)


def _changes(results: Results) -> str:
    """Histogram of segment differences, from the first to the last non-empty band."""
    from meteorlib.display.terminal import wrap_sentence  # noqa: PLC0415 – loads rich

    (system,) = (one for one in results.comparison.systems if one.difference is not None)
    changes: Changes = value_at(system, "difference.changes")
    counts = f"{changes.better} better, {changes.worse} worse, {changes.unchanged} unchanged"
    lines = wrap_sentence(f"segments of {system.name} against {results.comparison.baseline}: {counts}")
    filled = [place for place, count in enumerate(changes.bands) if count]
    half = len(changes.bands) // 2
    for place in range(filled[0], filled[-1] + 1) if filled else ():
        low, high = (results.scale * (place + end - half) / half for end in (0, 1))
        count = changes.bands[place]
        bar = "#" * -(-BAR * count // max(changes.bands))
        lines.append(f"{low:+5.1f} to {high:+5.1f} {count:>7}  {bar}".rstrip())
    return "\n".join(lines)
