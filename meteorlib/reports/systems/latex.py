"""LaTeX table of compared systems, with the rules of the package booktabs."""

from __future__ import annotations

import re

from meteorlib.reports.systems.table import NONE, Systems, cells, notes

HEADINGS = {"difference": r"$\Delta$", "p": "$p$", "Holm p": r"$p_{\mathrm{Holm}}$", "s_sel": r"$s_{\mathrm{sel}}$"} | {
    "s_opt": r"$s_{\mathrm{opt}}$",
    "score": "METEOR",
}

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", NONE: "--",
    "[": "{[}",
}  # fmt: skip


def latex(systems: Systems) -> str:
    """A `tabular` environment, preceded by comments with the meaning of its columns and the signature."""
    names, *rows = cells(systems)
    lines = [f"% {label}: {said}" for label, said in notes(systems)]
    lines += [
        "% needs \\usepackage{booktabs}",
        f"\\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}",
        "\\toprule",
        _row([HEADINGS.get(name, _escape(name)) for name in names]),
        "\\midrule",
        *(_row([_number(cell) if place else _escape(cell) for place, cell in enumerate(row)]) for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _row(entries: list[str]) -> str:
    return " & ".join(entries) + r" \\"


def _number(text: str) -> str:
    """A number in math mode, where a hyphen is set as a minus sign."""
    return f"${text}$" if re.search(r"\d", text) else _escape(text)


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in text)
