"""Several systems as a table of Markdown."""

from __future__ import annotations

import re

from meteorlib.reports.systems.table import Systems, cells, notes


def markdown(systems: Systems) -> str:
    """The table, and the notes as a list below it."""
    names, *rows = [[_escaped(cell) for cell in row] for row in cells(systems)]
    rule = [":--", *["--:"] * (len(names) - 1)]
    lines = [f"| {' | '.join(row)} |" for row in (names, rule, *rows)]
    listed = [
        f"- {_escaped(label)}: {_code(said) if label == 'signature' else _escaped(said)}"
        for label, said in notes(systems)
    ]
    return "\n".join([*lines, "", *listed]) + "\n"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|~$&#])", r"\\\1", text)


def _code(text: str) -> str:
    """Shown as it is; a signature has no backquote."""
    return f"`{text}`"
