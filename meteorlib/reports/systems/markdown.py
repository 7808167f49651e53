"""Several systems as a table of Markdown."""

from __future__ import annotations

from meteorlib.reports.grid import escaped, piped
from meteorlib.reports.systems.table import Systems, cells, notes


def markdown(systems: Systems) -> str:
    """The table, and the notes as a list below it."""
    listed = [
        f"- {escaped(label)}: {_code(said) if label == 'signature' else escaped(said)}"
        for label, said in notes(systems)
    ]
    return "\n".join([piped(cells(systems)), "", *listed]) + "\n"


def _code(text: str) -> str:
    """Displayable as it is; a signature has no backquote."""
    return f"`{text}`"
