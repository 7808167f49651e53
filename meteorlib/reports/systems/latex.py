"""Several systems as a table of LaTeX, with rules of the package booktabs."""

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
    """A `tabular`; what its columns mean, and the signature, stand before it as comments."""
    names, *rows = cells(systems)
    lines = [f"% {label}: {said}" for label, said in notes(systems)]
    lines += [
        "% needs \\usepackage{booktabs}",
        f"\\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}",
        "\\toprule",
        _row([HEADINGS.get(name, _escaped(name)) for name in names]),
        "\\midrule",
        *(_row([_number(cell) if place else _escaped(cell) for place, cell in enumerate(row)]) for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _row(entries: list[str]) -> str:
    return " & ".join(entries) + r" \\"


def _number(text: str) -> str:
    """In mathematics a sign is a sign."""
    return f"${text}$" if re.search(r"\d", text) else _escaped(text)


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in text)
