"""Explanations as HTML, for notebooks and as standalone pages.

There are no scripts and nothing to load; all text is escaped. Colors are those of `meteorlib.core.stages`, for light
and for dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from meteorlib.core.alignment import Alignment
from meteorlib.core.notebook import STYLE, alignment_html, grid, stage_style, table, text
from meteorlib.core.rows import digits
from meteorlib.core.stages import stage_marks
from meteorlib.explanation.cells import visible_text
from meteorlib.explanation.columns import Cell, Column, columns
from meteorlib.explanation.facts import ExplanationData, View
from meteorlib.explanation.formula import number_text
from meteorlib.explanation.rows import UNMATCHED
from meteorlib.explanation.text import (
    fault_notes,
    formula_notes,
    gain_text,
    left_out_note,
    reference_note,
    stage_note,
    weight_notes,
)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body style="font-family:system-ui,sans-serif;line-height:1.4;max-width:70em;margin:1.5em auto;padding:0 1em">
<main>
<h1 style="font-size:1.3em">{title}</h1>
{body}
</main>
</body>
</html>
"""

_COLUMN = "display:inline-flex;flex-direction:column;vertical-align:top;margin:0 .5em .9em 0"

_CELL = "height:1.7em;line-height:1.7em;white-space:nowrap"

_HEAD = 'style="font-size:1.1em;margin:.8em 0 .3em"'


def explanation_page(explanation: ExplanationData, view: View = "rows") -> str:
    """A standalone page that opens from disk."""
    title = f"METEOR {digits(explanation.scored.score)}"
    return _PAGE.format(title=title, body=explanation_html(explanation, view))


def explanation_html(explanation: ExplanationData, view: View = "rows") -> str:
    """An element for a page: score, references, alignment, formula, gains, signature."""
    lines = [("score", digits(explanation.scored.score)), ("preset", visible_text(explanation.preset))]
    if len(explanation.references) > 1:
        lines.append(("references", reference_note(explanation)))
    lines += [("matches", stage_note(explanation)), *weight_notes(explanation), *fault_notes(explanation)]
    draw = _rows if view == "rows" else _matrix
    signature = f"<p>{text(visible_text(explanation.signature))}</p>"
    parts = (table(lines), draw(explanation.alignment), _formula(explanation), _gains(explanation), signature)
    return f'<div style="overflow-wrap:break-word">{"".join(parts)}</div>'


def _rows(alignment: Alignment) -> str:
    """Columns of words that wrap like text; chunks are numbered where they begin on each side."""
    words = "".join(_columns(columns(alignment), stage_marks(alignment.stages)))
    return (
        f'<div style="display:flex;margin:.8em 0">{STYLE}<div style="{_COLUMN};flex:none;opacity:.7">'
        f"{''.join(_line(label) for label in ('chunk', 'reference', 'stage', 'hypothesis', 'chunk'))}</div>"
        f'<div style="min-width:0;overflow-x:auto" tabindex="0">{words}</div></div>'
    )


def _columns(shown: list[Column], marks: Sequence[str]) -> Iterator[str]:
    above = below = None
    for column in shown:
        first, second = column.reference, column.hypothesis
        mark = UNMATCHED if column.stage is None else marks[column.stage]
        badge = "" if column.stage is None else f"{stage_style(column.stage)};padding:0 .35em"
        yield (
            f'<span style="{_COLUMN}">{_line(_chunk_mark(first, above))}{_word(first)}{_line(mark, badge)}'
            f"{_word(second)}{_line(_chunk_mark(second, below))}</span>"
        )
        above, below = (None if cell is None else cell.chunk for cell in (first, second))


def _chunk_mark(cell: Cell | None, before: int | None) -> str:
    """The number of a chunk where it begins, then a line for the rest of it."""
    if cell is None or cell.chunk is None:
        return ""
    return "─" if cell.chunk == before else str(cell.chunk)


def _word(cell: Cell | None) -> str:
    if cell is None:
        return _line("")
    return _line(cell.text, "" if cell.stage is not None else "opacity:.65;text-decoration:underline dotted")


def _line(content: str, style: str = "") -> str:
    """A cell, as high as those of the same row in every other column."""
    return f'<span style="{_CELL}"><span style="{style}">{text(content)}</span></span>'


def _matrix(alignment: Alignment) -> str:
    """The matrix of notebooks, with every word in full."""
    harmless = evolve(
        alignment,
        reference=tuple(map(visible_text, alignment.reference)),
        hypothesis=tuple(map(visible_text, alignment.hypothesis)),
    )
    return alignment_html(harmless.as_matrix(), whole=True)


def _formula(explanation: ExplanationData) -> str:
    rows = [(step.symbol, step.formula, step.written(), number_text(step.value)) for step in explanation.steps]
    notes = "".join(f"<p>{text(note)}</p>" for note in formula_notes(explanation))
    return f"<h2 {_HEAD}>Formula</h2>{_scrollable_table(('', 'formula', 'with its values', 'value'), rows)}{notes}"


def _gains(explanation: ExplanationData) -> str:
    rows = [(f"{gain.gain + 0.0:+.4f}", digits(gain.score), gain_text(gain)) for gain in explanation.gains]
    if not rows and not explanation.gains_left_out:
        return ""
    more = f"<p>{text(left_out_note(explanation))}</p>" if explanation.gains_left_out else ""
    return f"<h2 {_HEAD}>Gains</h2>{_scrollable_table(('gain', 'score', 'edit'), rows)}{more}"


def _scrollable_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls sideways on narrow pages."""
    return f'<div style="overflow-x:auto" tabindex="0">{grid(head, rows, numbers=False)}</div>'
