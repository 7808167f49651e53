"""LaTeX table of compared systems, with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from meteorlib.core.rows import NONE
from meteorlib.core.safe_text import one_line
from meteorlib.reports.systems.paper import METRICS, best, best_cells, group_tables, mark_meaning, marked, paper_cells
from meteorlib.reports.systems.table import Systems, level, notes, rows

HEADINGS = {"difference": r"$\Delta$", "p": "$p$", "Holm p": r"$p_{\mathrm{Holm}}$", "s_sel": r"$s_{\mathrm{sel}}$"} | {
    "s_opt": r"$s_{\mathrm{opt}}$",
    "score": "METEOR",
    **METRICS,
}

DEFAULT = ("score", "ci", "s_opt", "difference", "p", "holm", "rank")
"""Columns of a table when none are chosen: as many as a page is wide."""

BESIDE_METRICS = ("score", "ci", "s_opt", "difference", "holm")
"""Columns when none are chosen and there are columns of other metrics."""

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", NONE: "--",
    "[": "{[}", "|": r"\textbar{}", "−": "$-$", "…": r"\dots{}",
}  # fmt: skip


def latex(systems: Systems) -> Iterator[str]:
    """A `table` environment: caption with the meaning of the marks, a `tabular`, and the signature below it.

    Comments before it have the meaning of every column, and the signature to copy. It fits a page unless columns are
    chosen.
    """
    explained = notes(systems)
    _, signature = explained[-1]
    if not systems.columns:
        known = rows(systems)[0]
        systems = evolve(
            systems, columns=[name for name in (BESIDE_METRICS if systems.metrics else DEFAULT) if name in known]
        )
    lines = [one_line(f"% {label}: {said}") for label, said in explained]
    lines += [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_caption(systems)}}}",
        "\\smallskip",
    ]
    for table in group_tables(systems):
        highest = best_cells(table)
        scores = [
            [
                _score(cell, bold=(number, place) in highest) if place else _escape(cell)
                for place, cell in enumerate(row)
            ]
            for number, row in enumerate(table.cells[1:], 1)
        ]
        lines += [*_tabular([_escape(name) for name in table.cells[0]], scores), "\\par\\medskip"]
    names, *listed = paper_cells(systems)
    bold, stars = best(systems), marked(systems)
    body = []
    for row, one in zip(listed, systems.comparison.systems, strict=True):
        entries = _entries(row)
        for place, name in enumerate(names):
            if name in stars:
                entries[place] = _score(row[place], bold=one.name in bold.get(name, ()), star=one.name in stars[name])
        body.append(entries)
    lines += _tabular([HEADINGS.get(name, _escape(name)) for name in names], body)
    signatures = [
        signature,
        *(f"{METRICS.get(one.name, one.name)}: {one.signature}" for one in systems.metrics if one.signature),
    ]
    broken = _escape("; ".join(signatures)).replace(r"\textbar{}", r"\textbar\allowbreak{}")
    yield "\n".join([*lines, f"\\par\\smallskip{{\\footnotesize\\raggedright {broken}\\par}}", "\\end{table}"]) + "\n"


def _caption(systems: Systems) -> str:
    comparison = systems.comparison
    said = [
        f"METEOR{' in percent' if systems.percent else ''} on {comparison.segment_count} segments",
        f"{level(comparison)}% bootstrap intervals ({comparison.samples} samples, seed {comparison.seed})",
        mark_meaning(systems),
    ]
    sentence = _escape("; ".join(filter(None, said)) + ".").replace("; *:", "; $^{*}$:")
    return re.sub(r"\bp \\textless\{\} ([0-9.]*[0-9])", r"$p < \1$", sentence)


def _tabular(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    start = f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}"
    return [start, "\\toprule", _row(head), "\\midrule", *map(_row, body), "\\bottomrule", "\\end{tabular}"]


def _entries(row: Sequence[str]) -> list[str]:
    return [_number(cell) if place else _escape(cell) for place, cell in enumerate(row)]


def _score(text: str, *, bold: bool, star: bool = False) -> str:
    """A score, bold if it is the best; its asterisk takes no room, so that digits stay below each other."""
    return (f"\\textbf{{{text}}}" if bold else _number(text)) + (r"\rlap{$^{*}$}" if star else "")


def _row(entries: Sequence[str]) -> str:
    return " & ".join(entries) + r" \\"


def _number(text: str) -> str:
    """A number in math mode, where a hyphen is set as a minus sign."""
    return f"${text}$" if re.search(r"\d", text) else _escape(text)


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
