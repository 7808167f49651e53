"""Cells of a terminal: how wide text is, how it is cut and filled up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import bidirectional, category, combining

from rich.cells import cell_len

from meteorlib.core.safe_text import JOINERS, harmless

LEAST = 4
"""Cells that words are given at least, however narrow the terminal is."""

_RIGHT_TO_LEFT = ("R", "AL", "AN")
_CIRCLE = "\u25cc"
_STAY = "\u200e"  # left-to-right mark: what stands behind text from right to left stays behind it


class Piece(NamedTuple):
    """Text of one style; what the styles look like is for those to say who draw them."""

    text: str
    style: str = ""


Line = list[Piece]


def visible(text: str) -> str:
    """Harmless text in which a combining mark that has nothing to stand on gets a dotted circle."""
    shown = harmless(text)
    return _CIRCLE + shown if shown and category(shown[0]).startswith("M") else shown


def width(text: str) -> int:
    """How many cells of a terminal `text` takes."""
    return cell_len(text)


def filled(text: str, cells: int, filler: str = " ") -> str:
    """`text` and what it lacks of so many cells; text from right to left stays in its place."""
    mark = _STAY if any(bidirectional(letter) in _RIGHT_TO_LEFT for letter in text) else ""
    return f"{text}{mark}{filler * (cells - width(text))}"


def trimmed(line: Line) -> Line:
    """`line` without the spaces at its end, which could go beyond that of the terminal."""
    kept = list(line)
    while kept:
        last = kept.pop()
        if text := last.text.rstrip(" "):
            return [*kept, Piece(text, last.style)]
    return kept


def clusters(text: str) -> Iterator[str]:
    """What is seen as one letter each: with its marks, joined emoji, a pair of letters that make a flag."""
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
    """`text` in pieces of at most so many cells (a wider letter stands alone); all but the last end with ``…``."""
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


def wrapped(text: str, cells: int, indent: int) -> list[str]:
    """`text` in lines of at most so many cells, broken at spaces; `indent` spaces begin all but the first."""
    words = text.lstrip(" ")
    lines, line, fresh = [], text[: len(text) - len(words)], True
    for word in words.split(" "):
        for number, part in enumerate(cut(word, max(cells - indent, LEAST))):
            if not fresh and (number or width(line) + 1 + width(part) > cells):
                lines.append(line)
                line, fresh = " " * indent, True
            line += part if fresh else f" {part}"
            fresh = False
    return [*lines, line]


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
