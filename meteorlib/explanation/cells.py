"""Text in terminal cells: measured, cut, padded and wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import bidirectional, category, combining

from meteorlib.core.safe_text import JOINERS, harmless

MIN_CELLS = 4
"""Fewest cells for words, however narrow the terminal is."""

_RIGHT_TO_LEFT = ("R", "AL", "AN")
_DOTTED_CIRCLE = "\u25cc"
_LEFT_TO_RIGHT_MARK = "\u200e"  # keeps text that follows right-to-left text behind it


class Piece(NamedTuple):
    """Text in one style, given by name; the code that draws it decides what the style looks like."""

    text: str
    style: str = ""


Line = list[Piece]


def visible_text(text: str) -> str:
    """Text that is safe to print; a combining mark without a base letter gets a dotted circle."""
    shown = harmless(text)
    return _DOTTED_CIRCLE + shown if shown and category(shown[0]).startswith("M") else shown


def width(text: str) -> int:
    """Number of terminal cells that `text` takes."""
    from rich.cells import cell_len  # noqa: PLC0415 – HTML needs no cells, and rich is not in every browser

    return cell_len(text)


def pad(text: str, cells: int, filler: str = " ") -> str:
    """`text` padded to a number of cells; right-to-left text stays in its place."""
    mark = _LEFT_TO_RIGHT_MARK if any(bidirectional(letter) in _RIGHT_TO_LEFT for letter in text) else ""
    return f"{text}{mark}{filler * (cells - width(text))}"


def trim(line: Line) -> Line:
    """`line` without trailing spaces, which could run past the edge of the terminal."""
    kept = list(line)
    while kept:
        last = kept.pop()
        if text := last.text.rstrip(" "):
            return [*kept, Piece(text, last.style)]
    return kept


def clusters(text: str) -> Iterator[str]:
    """Grapheme clusters: letters with their marks, joined emoji, pairs of letters that make a flag."""
    if not text:
        return
    start, flags = 0, 0
    for index, (before, letter) in enumerate(pairwise(text), 1):
        flags = flags + 1 if _is_flag(before) else 0
        joined = letter in JOINERS or before == "\u200d" or combining(letter) or category(letter).startswith("M")
        if not (joined or "\U0001f3fb" <= letter <= "\U0001f3ff" or (_is_flag(letter) and flags % 2)):
            yield text[start:index]
            start = index
    yield text[start:]


def cut(text: str, cells: int) -> list[str]:
    """`text` in pieces of at most `cells` cells (a wider letter is a piece); all except the last end with ``…``."""
    if width(text) <= cells:
        return [text]
    pieces: list[str] = []
    piece: list[str] = []
    used = 0
    for cluster in clusters(text):
        wide = width(cluster)
        if piece and used + wide > cells - 1:
            pieces.append("".join(piece) + "…")
            piece, used = [], 0
        piece.append(cluster)
        used += wide
    return [*pieces, "".join(piece)]


def wrap_line(text: str, cells: int, indent: int) -> list[str]:
    """`text` in lines of at most `cells` cells, broken at spaces; all but the first are indented."""
    words = text.lstrip(" ")
    lines, line, fresh = [], text[: len(text) - len(words)], True
    for word in words.split(" "):
        for number, part in enumerate(cut(word, max(cells - indent, MIN_CELLS))):
            if not fresh and (number or width(line) + 1 + width(part) > cells):
                lines.append(line)
                line, fresh = " " * indent, True
            line += part if fresh else f" {part}"
            fresh = False
    return [*lines, line]


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
