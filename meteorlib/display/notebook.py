"""HTML for notebooks and pages: tables and alignments, without scripts; text is escaped.

Text has the color of the page. Colors of stages follow the theme of Jupyter, VS Code and Colab, or the preference of
the browser; where a page removes style sheets, those for light pages stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from meteorlib.display.drawing import (
    ON_COLOR,
    STAGE_COLORS,
    UNMATCHED,
    Cell,
    Column,
    Plan,
    color_at,
    color_variables,
    stage_marks,
)
from meteorlib.display.text import Row, shorten, visible_text

WORDS_SHOWN = 40
"""Words of each side that a matrix has room for."""

LETTERS_SHOWN = 24
"""Letters of a word that are shown."""

_PREFIX = "meteorlib-"

_LIGHT_THEMES = '[data-jp-theme-light="true"],.vscode-light,.vscode-high-contrast-light,[theme="light"]'
_DARK_THEMES = '[data-jp-theme-light="false"],.vscode-dark,.vscode-high-contrast,[theme="dark"]'

STYLE = (
    f"<style>:root{{{color_variables(_PREFIX, dark=False)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{color_variables(_PREFIX, dark=True)}}}}}"
    f":is({_DARK_THEMES}){{{color_variables(_PREFIX, dark=True)}}}"
    f":is({_LIGHT_THEMES}){{{color_variables(_PREFIX, dark=False)}}}</style>"
)
"""Style sheet with the colors of stages as variables; the theme of a notebook overrides the preference of the browser.

Light themes come last, because VS Code's light theme of high contrast has both classes.
"""

# all that a page may lack, or have in another way
_TABLE = "border-collapse:collapse;margin:0 0 .5em"
_LEFT = "text-align:left;padding:.2em 1em .2em .3em"
_RIGHT = "text-align:right;padding:.2em .5em;white-space:nowrap"
_SIDEWAYS = "writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;font-weight:normal;padding:.3em 0"
_COLUMN = "display:inline-flex;flex-direction:column;vertical-align:top;margin:0 .5em .9em 0"
_CELL = "height:1.7em;line-height:1.7em;white-space:nowrap"


def text(given: str) -> str:
    """`given` as text of a page, whatever is in it; writing from right to left stays in its place."""
    return f"<bdi>{escape(given)}</bdi>"


def table(lines: Iterable[Row]) -> str:
    """A table of labels and values."""
    label_style, value_style = f"{_LEFT};white-space:nowrap", f"{_LEFT};overflow-wrap:anywhere"
    rows = (
        f'<tr><th style="{label_style}">{text(label)}</th><td style="{value_style}">{text(value)}</td></tr>'
        for label, value in lines
    )
    return f'<table style="{_TABLE}">{"".join(rows)}</table>'


def grid(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool | Sequence[bool] = True) -> str:
    """A table with a head; `numbers` says for all columns, or for each, whether they hold numbers or text."""
    right = [numbers] * len(head) if isinstance(numbers, bool) else numbers
    styles = [_RIGHT if aligned else _LEFT for aligned in right]
    cells = "".join(
        f'<th style="{style};white-space:normal;vertical-align:bottom">{text(name)}</th>'
        for name, style in zip(head, styles, strict=True)
    )
    body = (
        "".join(f'<td style="{style}">{text(cell)}</td>' for cell, style in zip(row, styles, strict=True))
        for row in rows
    )
    return f'<table style="{_TABLE}"><tr>{cells}</tr>{"".join(f"<tr>{row}</tr>" for row in body)}</table>'


def scrollable(element: str, style: str = "") -> str:
    """An element that scrolls sideways where there is little room."""
    return f'<div style="{style}overflow-x:auto" tabindex="0">{element}</div>'


def tables_html(facts: Iterable[Row], grids: Iterable[Sequence[Sequence[str]]], settings: Iterable[Row] = ()) -> str:
    """Labels with values, then tables with column names first, then labels with values again."""
    above, below = [*facts], [*settings]
    parts = [table(above)] if above else []
    for head, *rows in filter(None, grids):
        numbers = [all(map(_NUMBER.fullmatch, column)) for column in zip(*rows, strict=True)]
        parts.append(scrollable(grid(head, rows, numbers=numbers or [False] * len(head))))
    if below:
        parts.append(table(below))
    return f"<div>{''.join(parts)}</div>"


_NUMBER = re.compile(r"[-+<]?[0-9.]+|–|\[[-+]?[0-9.]+, [-+]?[0-9.]+\]")
"""A cell of a column of numbers: a number, an interval, or no value."""


def listing_html(rows: Sequence[Row], plan: Plan | None) -> str:
    """A table of labels and values, and below it an alignment."""
    parts = [table(rows)] if rows else []
    if plan is not None:
        parts.append(matrix_html(plan))
    return parts[0] if len(parts) == 1 else f"<div>{''.join(parts)}</div>"


def matrix_html(plan: Plan, *, whole: bool = False) -> str:
    """A matrix, the words of the reference downwards and those of the hypothesis across; a mark says the stage.

    Unless `whole`, only as much is drawn as a notebook has room for.
    """
    shown = WORDS_SHOWN
    if whole:
        shown = max(len(plan.reference), len(plan.hypothesis))
        plan = plan._replace(
            reference=[*map(visible_text, plan.reference)], hypothesis=[*map(visible_text, plan.hypothesis)]
        )
    cells, marks, letters = plan.cells(), stage_marks(plan.stages), None if whole else LETTERS_SHOWN
    of_reference, of_hypothesis = ({pair[side] for pair in cells} for side in (0, 1))
    columns = plan.hypothesis[:shown]
    head = "".join(
        _word(word, _SIDEWAYS, letters, matched=column in of_hypothesis) for column, word in enumerate(columns)
    )
    body = "".join(
        f"<tr>{_word(word, 'text-align:right;font-weight:normal', letters, matched=row in of_reference)}"
        f"{''.join(_cell(cells.get((row, column)), marks) for column in range(len(columns)))}</tr>"
        for row, word in enumerate(plan.reference[:shown])
    )
    drawn = (
        f'{STYLE}<table style="{_TABLE};text-align:center"><tr style="vertical-align:bottom">'
        f"<th></th>{head}</tr>{body}</table>{_legend(plan, marks)}{'' if whole else _truncation_note(plan)}"
    )
    return scrollable(drawn)


def _word(word: str, style: str, letters: int | None, *, matched: bool) -> str:
    shown = word if letters is None else shorten(word, letters)
    return f'<th style="{style}{"" if matched else ";opacity:.65"}">{text(shown)}</th>'


def _cell(stage: int | None, marks: Sequence[str]) -> str:
    return f"<td>{UNMATCHED}</td>" if stage is None else f'<td style="{stage_style(stage)}">{marks[stage]}</td>'


def stage_style(stage: int) -> str:
    """The style of what belongs to a stage; the colors are the variables of `STYLE`."""
    name = f"--{_PREFIX}stage-{stage % len(STAGE_COLORS)}"
    return f"background:var({name},{color_at(stage).light});color:var(--{_PREFIX}on,{ON_COLOR.light})"


def _legend(plan: Plan, marks: Sequence[str]) -> str:
    entries = (
        f'<span style="{stage_style(stage)};padding:0 .35em">{mark}</span> {text(name)}: '
        f"{count} match{'' if count == 1 else 'es'}"
        for stage, (name, mark, count) in enumerate(zip(plan.stages, marks, plan.stage_counts, strict=True))
    )
    shared = ", ".join(map(text, plan.shared_pairs()))
    return f"<div>{' &nbsp; '.join(entries)}</div>{f'<div>counted in part: {shared}</div>' if shared else ''}"


def _truncation_note(plan: Plan) -> str:
    sizes = {"reference": len(plan.reference), "hypothesis": len(plan.hypothesis)}
    if max(sizes.values()) <= WORDS_SHOWN:
        return ""
    sides = " and ".join(
        f"the first {WORDS_SHOWN} of {size} words of the {side}" for side, size in sizes.items() if size > WORDS_SHOWN
    )
    outside = sum(
        start + length > WORDS_SHOWN or first + words > WORDS_SHOWN for start, length, first, words, _ in plan.matches
    )
    return f"<div>shown: {sides}; matches that are not shown in full: {outside} of {len(plan.matches)}</div>"


def rows_html(plan: Plan) -> str:
    """Columns of words that wrap like text; chunks are numbered where they begin on each side."""
    labels = "".join(_line(label) for label in ("chunk", "reference", "stage", "hypothesis", "chunk"))
    words = scrollable("".join(_columns(plan)), "min-width:0;")
    side = f'<div style="{_COLUMN};flex:none;opacity:.7">{labels}</div>'
    return f'<div style="display:flex;margin:.8em 0">{STYLE}{side}{words}</div>'


def _columns(plan: Plan) -> Iterator[str]:
    marks = stage_marks(plan.stages)
    for before, column in pairwise([Column(None, None), *plan.columns()]):
        stage = column.stage
        mark = _line(UNMATCHED) if stage is None else _line(marks[stage], f"{stage_style(stage)};padding:0 .35em")
        yield (
            f'<span style="{_COLUMN}">{_chunk_mark(column.reference, before.reference)}{_span(column.reference)}'
            f"{mark}{_span(column.hypothesis)}{_chunk_mark(column.hypothesis, before.hypothesis)}</span>"
        )


def _chunk_mark(cell: Cell | None, before: Cell | None) -> str:
    """The number of a chunk where it begins, then a line for the rest of it."""
    if cell is None or cell.chunk is None:
        return _line("")
    return _line("─" if before is not None and cell.chunk == before.chunk else str(cell.chunk))


def _span(cell: Cell | None) -> str:
    if cell is None:
        return _line("")
    return _line(cell.text, "" if cell.stage is not None else "opacity:.65;text-decoration:underline dotted")


def _line(content: str, style: str = "") -> str:
    """A cell, as high as those of the same row in every other column."""
    return f'<span style="{_CELL}"><span style="{style}">{text(content)}</span></span>'
