"""Text that is safe to print: escapes, numbers and rows for people, JSON and TSV."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from math import isnan
from typing import Any
from unicodedata import category

JOINERS = "\u200c\u200d"
"""Zero width, and needed: by Persian and Indic letters and by emoji."""

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_SUSPECT = re.compile(r"[^\n\t -~]+")

Row = tuple[str, str]
"""A label and its value."""

WIDTH = 15
"""Least width of a column of labels."""

DIGITS = 4
"""Digits behind the point, for people."""

NONE = "–"
"""A missing value."""


def is_hidden(letter: str) -> bool:
    """Whether a character is a control, a mark of direction or otherwise not to be seen."""
    return category(letter) in _HIDDEN and letter not in JOINERS


def python_escape(letter: str) -> str:
    r"""Python's escape of a character, such as ``\x1b``."""
    return repr(letter)[1:-1]


def code_point(letter: str) -> str:
    """The code point of a character, such as ``⟨U+202E⟩``."""
    return f"⟨U+{ord(letter):04X}⟩"


def harmless(text: str, escape: Callable[[str], str] = python_escape) -> str:
    """`text` with escapes for characters that act instead of being seen; joiners are kept where they join."""
    if text.isprintable():
        return text
    joined = range(len(text) - len(text.lstrip(JOINERS)), len(text.rstrip(JOINERS)))
    return "".join(
        escape(letter) if is_hidden(letter) or (letter in JOINERS and index not in joined) else letter
        for index, letter in enumerate(text)
    )


def visible(text: str) -> str:
    """Like `harmless`, but with code points."""
    return harmless(text, code_point)


def all_visible(texts: Iterable[str]) -> list[str]:
    """`visible` of each text; few have such characters."""
    return [text if text.isprintable() else visible(text) for text in texts]


def visible_text(text: str) -> str:
    """Like `harmless`; a combining mark without a base letter gets a dotted circle."""
    shown = harmless(text)
    return f"\u25cc{shown}" if shown and category(shown[0]).startswith("M") else shown


def quoted(words: str) -> str:
    """Words of people's text in quotation marks, safe to print."""
    return f"“{visible_text(words)}”"


def pair_text(*sides: Sequence[str]) -> str:
    """Quoted words of the reference and of the hypothesis that belong together; a side may have none."""
    return " – ".join(quoted(" ".join(words)) for words in sides if words)


def one_line(name: str) -> str:
    """A name in one line, safe to print: white space becomes a space."""
    return harmless(" ".join(name.split()))


def harmless_lines(text: str, escape: Callable[[str], str] = python_escape) -> str:
    """Like `harmless`, but line ends and tabs stay, and so do all joiners; fast for long texts."""
    if text.isprintable():
        return text
    return _SUSPECT.sub(
        lambda run: (
            run[0]
            if run[0].isprintable()
            else "".join([escape(letter) if is_hidden(letter) else letter for letter in run[0]])
        ),
        text,
    )


def shorten(text: str, letters: int = 40) -> str:
    """`text`, cut to at most `letters` characters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: a, b and c."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def left_out_notes(reasons: Mapping[str, object]) -> list[str]:
    """Notes on what was left out, by name, one for each reason."""
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(str(reason), []).append(name)
    return [f"left out: {', '.join(those)}: {reason}" for reason, those in names.items()]


def be(subjects: Sized) -> str:
    """The verb of one or several subjects."""
    return "is" if len(subjects) == 1 else "are"


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


def label_width(rows: Iterable[Row]) -> int:
    """Width of the column of labels: two spaces more than the longest one, and at least `WIDTH`."""
    return max([WIDTH, *(len(label) + 2 for label, _ in rows)])


def listing(rows: Iterable[Row]) -> str:
    """The rows as text, values below each other; nothing in them controls a terminal."""
    safe = [(harmless(label), harmless(value)) for label, value in rows]
    width = label_width(safe)
    return "\n".join(f"{label:<{width}}{value}".rstrip() for label, value in safe)


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
