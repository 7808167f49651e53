"""LaTeX table of compared systems, with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from meteorlib.reports.systems.paper import best, group_cells, mark_meaning, marked
from meteorlib.reports.systems.table import NONE, Systems, cells, level, notes, rows

HEADINGS = {"difference": r"$\Delta$", "p": "$p$", "Holm p": r"$p_{\mathrm{Holm}}$", "s_sel": r"$s_{\mathrm{sel}}$"} | {
    "s_opt": r"$s_{\mathrm{opt}}$",
    "score": "METEOR",
}

DEFAULT = ("score", "ci", "s_opt", "difference", "p", "holm", "rank")
"""Columns of a table when none are chosen: as many as a page is wide."""

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", NONE: "--",
    "[": "{[}", "|": r"\textbar{}", "−": "$-$", "…": r"\dots{}",
}  # fmt: skip


def latex(systems: Systems) -> str:
    """A `table` environment: caption with the meaning of the marks, a `tabular`, and the signature below it.

    Comments before it have the meaning of every column, and the signature to copy. A page has room for `DEFAULT`.
    """
    explained = notes(systems)
    _, signature = explained[-1]
    if not systems.columns:
        known = rows(systems)[0]
        systems = evolve(systems, columns=[name for name in DEFAULT if name in known])
    lines = [f"% {label}: {said}" for label, said in explained]
    lines += [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_escape(_caption(systems))}}}",
    ]
    for grid in group_cells(systems):
        lines += [*_tabular([_escape(name) for name in grid[0]], grid[1:]), "\\par\\medskip"]
    names, *listed = cells(systems)
    lines += _tabular([HEADINGS.get(name, _escape(name)) for name in names], listed, systems)
    broken = _escape(signature).replace(r"\textbar{}", r"\textbar\allowbreak{}")
    return "\n".join([*lines, f"\\par\\smallskip{{\\footnotesize\\raggedright {broken}\\par}}", "\\end{table}"]) + "\n"


def _caption(systems: Systems) -> str:
    comparison = systems.comparison
    said = [
        f"METEOR{' in percent' if systems.percent else ''} on {comparison.segment_count} segments",
        f"{level(comparison)}% bootstrap intervals ({comparison.samples} samples, seed {comparison.seed})",
        mark_meaning(systems),
    ]
    return "; ".join(filter(None, said)) + "."


def _tabular(head: Sequence[str], body: Sequence[Sequence[str]], systems: Systems | None = None) -> list[str]:
    """Lines of a `tabular`; that of `systems` has its best score in bold, and marks of significance."""
    place = head.index("METEOR") if systems is not None and "METEOR" in head else 0
    lines = [f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}", "\\toprule", _row(head), "\\midrule"]
    for number, row in enumerate(body):
        listed = [_number(cell) if column else _escape(cell) for column, cell in enumerate(row)]
        if systems is not None and place:
            listed[place] = _score(row[place], systems.comparison.systems[number].name, systems)
        lines.append(_row(listed))
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _score(text: str, system: str, systems: Systems) -> str:
    """A score, bold if it is the highest, with an asterisk or as much space."""
    number = f"\\textbf{{{text}}}" if system in best(systems) else _number(text)
    star = marked(systems)
    return number + ("$^{*}$" if system in star else r"\phantom{$^{*}$}" if star else "")


def _row(entries: Sequence[str]) -> str:
    return " & ".join(entries) + r" \\"


def _number(text: str) -> str:
    """A number in math mode, where a hyphen is set as a minus sign."""
    return f"${text}$" if re.search(r"\d", text) else _escape(text)


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in text)
