"""Rows of labels and values as text, number formats for people, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isnan
from typing import Any

from meteorlib.core.safe_text import harmless, harmless_lines

Row = tuple[str, str]
"""A label and its value."""

WIDTH = 15

DIGITS = 4
"""Digits behind the point, for people."""


NONE = "–"
"""A missing value."""


def digits(value: float | None, width: int = DIGITS) -> str:
    """Format a number with `width` digits after the decimal point; None and NaN become a dash."""
    return NONE if value is None or isnan(value) else f"{value:.{width}f}"


def exact(value: float | None) -> str:
    """Format a number in full precision; None and NaN become an empty cell."""
    return "" if value is None or isnan(value) else repr(value)


def signed(value: float, width: int = DIGITS) -> str:
    """Like `digits`, with the sign of the value; what rounds to 0 has none."""
    text = f"{value:+.{width}f}"
    return text if text.strip("+-0.") else text[1:]


def probability(p: float | None) -> str:
    """A p value in four digits; a dash for None."""
    return NONE if p is None else f"{p:.4f}" if p >= 0.00005 else "<0.0001"


def amount(count: int, unit: int = 1) -> str:
    """A count of words; of weighted ones, in units of 1/`unit`, with two digits behind the point."""
    return str(count) if unit == 1 else f"{count / unit:.2f}"


def match_count(matches: int) -> str:
    """A number of matches with its unit, as distinct from a number of matched words."""
    return "1 match" if matches == 1 else f"{matches} matches"


def label_width(lines: Iterable[Row]) -> int:
    """Width of the column of labels: two spaces more than the longest one, and at least `WIDTH`."""
    return max([WIDTH, *(len(label) + 2 for label, _ in lines)])


def listing(lines: Iterable[Row]) -> str:
    """The lines as text, values below each other; nothing in them controls a terminal."""
    pairs = [(harmless(label), harmless(value)) for label, value in lines]
    width = label_width(pairs)
    return "\n".join(f"{label:<{width}}{value}".rstrip() for label, value in pairs)


def shorten(text: str, letters: int = 40) -> str:
    """`text`, cut to at most `letters` characters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def json_text(value: Any, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Plain data as JSON, numbers in full precision: the one writer of all output in this format.

    Characters that could control a terminal have JSON's escapes, so that nothing is lost.

    Raises:
        ValueError: a number is NaN or infinite, which JSON does not have and other programs refuse.
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return harmless_lines(written, lambda letter: json.dumps(letter, allow_nan=False)[1:-1])


def tsv_row(cells: Iterable[str]) -> str:
    """A line of TSV; characters that would break the table or control a terminal have Python's escapes."""
    row = [*cells]
    return "\t".join(row if "".join(row).isprintable() else map(harmless, row)) + "\n"
