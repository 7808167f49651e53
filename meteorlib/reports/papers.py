"""Tables of systems for papers, in LaTeX (with the rules of the package booktabs) and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from meteorlib.analysis.results import shown_label
from meteorlib.display.displayable import Grid, value_at
from meteorlib.display.terminal import escape_markdown, markdown_table
from meteorlib.display.text import NONE, digits, one_line
from meteorlib.reports.system_table import TESTS, Results, cells, notes, shown_columns

HEADINGS = {"difference": r"$\Delta$", "p": "$p$", "Holm p": r"$p_{\mathrm{Holm}}$", "s_sel": r"$s_{\mathrm{sel}}$"} | {
    "s_opt": r"$s_{\mathrm{opt}}$",
    "score": "METEOR",
}
"""Headings in LaTeX."""

DEFAULT = ("score", "ci", "s_opt", "difference", "p", "holm", "rank")
"""Columns of a LaTeX table when none are chosen: as many as a page is wide."""

BESIDE_METRICS = ("score", "ci", "s_opt", "difference", "holm")
"""Columns when none are chosen and there are columns of other metrics."""

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", NONE: "--",
    "[": "{[}", "|": r"\textbar{}", "−": "$-$", "…": r"\dots{}",
}  # fmt: skip


@frozen
class PaperTable:
    """A table with a row for each system, headings first.

    ``best`` has row and column of the best scores, as printed, ``starred`` of those that differ significantly from the
    baseline's.
    """

    cells: Grid
    best: set[tuple[int, int]]
    starred: set[tuple[int, int]] = field(factory=set)


def best_cells(cells: Grid, column: int, *, lower_is_better: bool = False) -> set[tuple[int, int]]:
    """Row and column of the best scores of a column, as printed; none for a single system."""
    scores = {place: float(row[column]) for place, row in enumerate(cells) if place and row[column] != NONE}
    if len(cells) < 3 or not scores:
        return set()
    top = (min if lower_is_better else max)(scores.values())
    return {(place, column) for place, score in scores.items() if score == top}


def system_table(results: Results) -> PaperTable:
    """The whole table, with a column for each other metric."""
    grid = cells(results)
    scores = [(grid[0].index(name), results.comparison) for name in ("score",) if name in grid[0]]
    for metric in results.metrics:
        scores.append((len(grid[0]), metric))
        added = [metric.title, *(row[1] for row in cells(results, ["score"], metric)[1:])]
        grid = [[*row, cell] for row, cell in zip(grid, added, strict=True)]
    best: set[tuple[int, int]] = set()
    starred: set[tuple[int, int]] = set()
    for column, metric in scores:
        best |= best_cells(grid, column, lower_is_better=metric.lower_is_better)
        for place, system in enumerate(metric.systems, 1):
            p = value_at(system, "difference.adjusted_p")
            if p is not None and metric.significant(p):
                starred.add((place, column))
    return PaperTable(grid, best, starred)


def group_tables(results: Results) -> Iterator[PaperTable]:
    """A table for each grouping column and each metric that has scores of groups."""
    comparison = results.comparison
    for by in dict.fromkeys(group.by for group in comparison.systems[0].groups):
        for metric in (comparison, *results.metrics):
            chosen = {system.name: [group for group in system.groups if group.by == by] for system in metric.systems}
            labels = [shown_label(group.label) for group in next(iter(chosen.values()))]
            if not labels:
                continue
            width, scale = results.metric_width(metric), results.scale if metric is comparison else 1
            rows = [
                [name, *(digits(scale * group.score, width) for group in groups)] for name, groups in chosen.items()
            ]
            heading = f"{by}: {metric.title}" if results.metrics else by
            grid = [[heading, *labels], *rows]
            best = (
                best_cells(grid, column, lower_is_better=metric.lower_is_better) for column in range(1, len(labels) + 1)
            )
            yield PaperTable(grid, set().union(*best))


def mark_meaning(results: Results) -> str:
    """The meaning of bold numbers and asterisks, in a sentence without its period; empty for a single system."""
    comparison = results.comparison
    if len(comparison.systems) == 1:
        return ""
    if comparison.test is None:
        return "bold: best score"
    return (
        f"bold: best score; *: differs significantly from {comparison.baseline} "
        f"({TESTS[comparison.test]}, {comparison.samples} samples, seed {comparison.seed}, "
        f"Holm-adjusted p < {1 - comparison.confidence:.4g})"
    )


def markdown_results(results: Results) -> Iterator[str]:
    """Markdown tables, with the best scores in bold, marks of significance, and the notes as a list below."""
    tables = [*map(_marked_markdown, group_tables(results)), _marked_markdown(system_table(results))]
    yield "\n\n".join([*tables, "\n".join(_markdown_notes(results))]) + "\n"


def _marked_markdown(table: PaperTable) -> str:
    lines = markdown_table(table.cells).split("\n")
    for place, row in enumerate(table.cells[1:], 1):
        shown = [escape_markdown(cell) for cell in row]
        shown = [f"**{cell}**" if (place, column) in table.best else cell for column, cell in enumerate(shown)]
        shown = [rf"{cell}\*" if (place, column) in table.starred else cell for column, cell in enumerate(shown)]
        lines[1 + place] = f"| {' | '.join(shown)} |"
    return "\n".join(lines)


def _markdown_notes(results: Results) -> Iterator[str]:
    titles = {metric.name: metric.title for metric in results.metrics}
    for label, said in notes(results):
        if label == "signature" and (marks := mark_meaning(results)):
            yield f"- marks: {escape_markdown(marks)}"
        # a signature has no backquotes
        written = f"`{one_line(said)}`" if label == "signature" else escape_markdown(said)
        yield f"- {escape_markdown(titles.get(label, label))}: {written}"


def latex_results(results: Results) -> Iterator[str]:
    """A `table` environment: caption with the meaning of the marks, a `tabular`, and the signature below it.

    Comments before it have the meaning of every column, and the signature to copy. It fits a page unless columns are
    chosen.
    """
    explained = notes(results)
    if not results.columns:
        known = shown_columns(results)
        usual = BESIDE_METRICS if results.metrics else DEFAULT
        results = evolve(results, columns=[name for name in usual if name in known])
    lines = [one_line(f"% {label}: {said}") for label, said in explained]
    lines += [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_caption(results)}}}",
        "\\smallskip",
    ]
    for groups in group_tables(results):
        lines += [*_tabular(groups, [_escape(name) for name in groups.cells[0]]), "\\par\\medskip"]
    table = system_table(results)
    lines += _tabular(table, [HEADINGS.get(name, _escape(name)) for name in table.cells[0]])
    signatures = [
        results.printed_signature,
        *(f"{metric.title}: {metric.signature}" for metric in results.metrics if metric.signature),
    ]
    broken = _escape("; ".join(signatures)).replace(r"\textbar{}", r"\textbar\allowbreak{}")
    yield "\n".join([*lines, f"\\par\\smallskip{{\\footnotesize\\raggedright {broken}\\par}}", "\\end{table}"]) + "\n"


def _caption(results: Results) -> str:
    comparison = results.comparison
    said = [
        f"METEOR{' in percent' if results.percent else ''} on {comparison.segment_count} segments",
        f"{100 * comparison.confidence:g}% bootstrap intervals ({comparison.samples} samples, seed {comparison.seed})",
        mark_meaning(results),
    ]
    sentence = _escape("; ".join(filter(None, said)) + ".").replace("; *:", "; $^{*}$:")
    return re.sub(r"\bp \\textless\{\} ([0-9.]*[0-9])", r"$p < \1$", sentence)


def _tabular(table: PaperTable, head: Sequence[str]) -> list[str]:
    """A `tabular`; an asterisk takes no room, so that digits stay below each other."""
    body = [
        [
            (rf"\textbf{{{cell}}}" if (place, column) in table.best else _number(cell) if column else _escape(cell))
            + (r"\rlap{$^{*}$}" if (place, column) in table.starred else "")
            for column, cell in enumerate(row)
        ]
        for place, row in enumerate(table.cells[1:], 1)
    ]
    start = f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}"
    return [start, "\\toprule", _row(head), "\\midrule", *map(_row, body), "\\bottomrule", "\\end{tabular}"]


def _row(entries: Sequence[str]) -> str:
    return " & ".join(entries) + r" \\"


def _number(text: str) -> str:
    """A number in math mode, where a hyphen is set as a minus sign."""
    return f"${text}$" if re.search(r"\d", text) else _escape(text)


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
