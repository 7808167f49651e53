"""Markdown table of compared systems."""

from __future__ import annotations

from meteorlib.reports.grid import escape_markdown, markdown_table
from meteorlib.reports.systems.table import Systems, cells, notes


def markdown(systems: Systems) -> str:
    """A Markdown table, with the notes as a list below."""
    listed = [
        f"- {escape_markdown(label)}: {_code(said) if label == 'signature' else escape_markdown(said)}"
        for label, said in notes(systems)
    ]
    return "\n".join([markdown_table(cells(systems)), "", *listed]) + "\n"


def _code(text: str) -> str:
    """Inline code; signatures contain no backquotes."""
    return f"`{text}`"
