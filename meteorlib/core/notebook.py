"""HTML for notebooks: tables and alignment matrices, without scripts or style sheets; text is escaped.

Colors are chosen to be seen on light and on dark ground; text has the color of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from meteorlib.core.matrix import Matrix
from meteorlib.core.rows import Row, shorten

WORDS_SHOWN = 40
"""Words of each side that a matrix has room for."""

LETTERS_SHOWN = 24
"""Letters of a word that are shown."""

COLORS = ("#0072b2", "#c04a00", "#00805d", "#a0449a", "#80640a", "#5f6b75")
"""One for each stage, apart for the color-blind too; white can be read on all of them."""

# all that a page may lack, or have in another way
_TABLE = "border-collapse:collapse;margin:0 0 .5em"
_LEFT, _RIGHT = "text-align:left;padding:.2em 1em .2em .3em", "text-align:right;padding:.2em .5em;white-space:nowrap"
_SIDEWAYS = "writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;font-weight:normal;padding:.3em 0"


def table(lines: Iterable[Row]) -> str:
    """A table of labels and values."""
    rows = (
        f'<tr><th style="{_LEFT}">{text(label)}</th><td style="{_LEFT}">{text(value)}</td></tr>'
        for label, value in lines
    )
    return f'<table style="{_TABLE}">{"".join(rows)}</table>'


def grid(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool | Sequence[bool] = True) -> str:
    """A table with a head; `numbers` tells for all columns, or for each, whether they have numbers or text."""
    right = [numbers] * len(head) if isinstance(numbers, bool) else numbers
    styles = [_RIGHT if one else _LEFT for one in right]
    cells = "".join(f'<th style="{style}">{text(name)}</th>' for name, style in zip(head, styles, strict=True))
    body = (
        "".join(f'<td style="{style}">{text(cell)}</td>' for cell, style in zip(row, styles, strict=True))
        for row in rows
    )
    return f'<table style="{_TABLE}"><tr>{cells}</tr>{"".join(f"<tr>{row}</tr>" for row in body)}</table>'


def tables_html(facts: Iterable[Row], grids: Iterable[Sequence[Sequence[str]]]) -> str:
    """Labels with values, then tables with column names first, which scroll sideways where there is little room."""
    listed = list(facts)
    parts = [table(listed)] if listed else []
    for head, *rows in filter(None, grids):
        numbers = [all(map(_is_number, column)) for column in zip(*rows, strict=True)]
        drawn = grid(head, rows, numbers=numbers or [False] * len(head))
        parts.append(f'<div style="overflow-x:auto" tabindex="0">{drawn}</div>')
    return f"<div>{''.join(parts)}</div>"


_NUMBER = re.compile(r"[-+<]?[0-9.]+|–|\[[-+]?[0-9.]+, [-+]?[0-9.]+\]")


def _is_number(written: str) -> bool:
    """Whether a cell has a number, an interval, or no value."""
    return _NUMBER.fullmatch(written) is not None


def text(given: str) -> str:
    """`given` as text of a page, whatever is in it; writing from right to left stays in its place."""
    return f"<bdi>{escape(given)}</bdi>"


def listing_html(lines: Iterable[Row], matrix: Matrix | None) -> str:
    """A table of labels and values, and below it an alignment."""
    rows = list(lines)
    parts = [table(rows)] if rows else []
    if matrix is not None:
        parts.append(alignment_html(matrix))
    return parts[0] if len(parts) == 1 else f"<div>{''.join(parts)}</div>"


def alignment_html(alignment: Matrix, *, whole: bool = False) -> str:
    """A matrix, the words of the reference downwards and those of the hypothesis across; a number says the stage.

    Args:
        alignment: what is drawn.
        whole: draw all of it, not only as much as a notebook has room for.
    """
    shown = max(len(alignment.reference), len(alignment.hypothesis)) if whole else WORDS_SHOWN
    rows, columns = alignment.reference[:shown], alignment.hypothesis[:shown]
    cells = {
        (row, column): stage
        for start, length, place, words, stage in alignment.matches
        for row in range(start, start + length)
        for column in range(place, place + words)
        if row < shown and column < shown
    }
    of_reference = {row for start, length, *_ in alignment.matches for row in range(start, start + length)}
    of_hypothesis = {column for _, _, start, length, _ in alignment.matches for column in range(start, start + length)}
    letters = None if whole else LETTERS_SHOWN
    head = "".join(
        _word(word, _SIDEWAYS, letters, matched=column in of_hypothesis) for column, word in enumerate(columns)
    )
    body = "".join(
        f"<tr>{_word(word, 'text-align:right;font-weight:normal', letters, matched=row in of_reference)}"
        f"{''.join(_cell(cells.get((row, column))) for column in range(len(columns)))}</tr>"
        for row, word in enumerate(rows)
    )
    return (
        f'<div style="overflow-x:auto" tabindex="0"><table style="{_TABLE};text-align:center">'
        '<tr style="vertical-align:bottom">'
        f"<th></th>{head}</tr>{body}</table>{_legend(alignment)}{'' if whole else _truncation_note(alignment)}</div>"
    )


def _word(word: str, style: str, letters: int | None, *, matched: bool) -> str:
    shown = word if letters is None else shorten(word, letters)
    return f'<th style="{style}{"" if matched else ";opacity:.65"}">{text(shown)}</th>'


def _cell(stage: int | None) -> str:
    if stage is None:
        return "<td>·</td>"
    return f'<td style="{stage_style(stage)}">{stage + 1}</td>'


def stage_style(stage: int) -> str:
    """The style of what belongs to a stage."""
    return f"background:{COLORS[stage % len(COLORS)]};color:#fff"


def _legend(alignment: Matrix) -> str:
    counts = [sum(match[4] == stage for match in alignment.matches) for stage in range(len(alignment.stages))]
    entries = (
        f'<span style="{stage_style(stage)};padding:0 .35em">{stage + 1}</span> {text(name)}: {counts[stage]}'
        for stage, name in enumerate(alignment.stages)
    )
    graded = ", ".join(map(text, alignment.graded_pairs()))
    return f"<div>{' &nbsp; '.join(entries)}</div>{f'<div>counted in part: {graded}</div>' if graded else ''}"


def _truncation_note(alignment: Matrix) -> str:
    sizes = {"reference": len(alignment.reference), "hypothesis": len(alignment.hypothesis)}
    if max(sizes.values()) <= WORDS_SHOWN:
        return ""
    sides = " and ".join(
        f"the first {WORDS_SHOWN} of {size} words of the {side}" for side, size in sizes.items() if size > WORDS_SHOWN
    )
    outside = sum(
        start + length > WORDS_SHOWN or place + words > WORDS_SHOWN
        for start, length, place, words, _ in alignment.matches
    )
    return f"<div>shown: {sides}; matches that are not shown in full: {outside} of {len(alignment.matches)}</div>"
