"""Rules of numbers and letters: doubles as Java writes them, strict reading, letters and digits by Unicode 13.

`str.isalnum` and `unicodedata` follow the Unicode version of their Python (3.11: 14, 3.12: 15, 3.13: 15.1), so scores
could differ between Pythons. Here characters newer than Unicode 13 are neither letters nor digits. Unicode 13 is also
the version of Java 17, whose rules METEOR 1.5's lowercase follows.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from functools import cache
from math import frexp, isinf, isnan, nan, ulp
from struct import iter_unpack

_PLAIN = re.compile(r"[0-9.eE+-]+")
_NUMBER = (  # compiled where a number is none of the plain ones
    r"([+-]?(?:NaN|Infinity))|([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fFdD]?"
    r"|([+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?"
)

CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))
"""Characters that Java's ``trim`` removes from the ends of a text."""


def java_units(text: str) -> str:
    """The text with two characters (surrogates) for each beyond U+FFFF, as Java counts and compares them."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(chr(unit) for (unit,) in iter_unpack("<H", text.encode("utf-16-le", "surrogatepass")))


def from_java_units(text: str, errors: str = "surrogatepass") -> str:
    """The text whose `java_units` are given; `errors` says what becomes of half a pair."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", errors)


def parse_java_double(text: str) -> float:
    """Parse a number like Java's ``Double.parseDouble``: ``1.``, ``.5``, ``1e-3``, ``NaN``, ``1d``, ``0x1p-1``.

    Raises:
        ValueError: it is no number there, e.g. ``1_0``, ``nan``, ``٣``, ``0,5``.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    matched = re.fullmatch(_NUMBER, text.strip(CONTROLS_AND_SPACE))
    if matched is None:
        raise ValueError(f"{text!r} is no number")
    word, decimal, hexadecimal = matched.groups()
    if hexadecimal is None:
        return float(word or decimal)
    try:
        return float.fromhex(hexadecimal)
    except OverflowError:
        return float("-inf" if hexadecimal.startswith("-") else "inf")


def java_double(x: float) -> str:
    """`x` as ``Double.toString`` of Java up to 18 writes it, e.g. ``6.0``, ``1.0E-4``, ``1.2345678E7``, ``NaN``.

    Values of 1e-3 up to 1e7 stand in plain digits, others with an exponent. Equal to OpenJDK 17 for all normal
    magnitudes below 2^53 (2e-308 … 9e15); to others that Java sometimes gives a digit more than is needed.
    """
    x = float(x)
    if isnan(x):
        return "NaN"
    if isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 or 1e-3 <= abs(x) < 1e7:
        return repr(x)
    digits, exponent = _digits(abs(x))
    return f"{'-' if x < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _digits(x: float) -> tuple[str, int]:
    """The significant digits of `x` and the power of ten of the first."""
    from decimal import Decimal  # noqa: PLC0415 – 0.8 ms of every start, and few numbers come here

    shortest = Decimal(repr(x))
    if frexp(x)[0] == 0.5:
        # At a power of two the neighbor below is nearer than the one above; that Java takes the nearer one's distance
        # for both sides, and so sometimes needs one digit more.
        exact, reach = Decimal(x), Decimal(ulp(x)) / 4
        rounded = (Decimal(f"{x:.{places}e}") for places in range(1, 17))
        shortest = next(number for number in rounded if abs(number - exact) < reach)
    number = shortest.normalize()
    return "".join(map(str, number.as_tuple().digits)), number.adjusted()


def plain(text: str) -> str:
    """Text that may be a number; `ValueError` for underscores and digits other than ASCII: ``1_0``, ``１``."""
    if "_" in text or not text.isascii():
        raise ValueError(f"could not convert string to float: {text!r}")
    return text


def to_float(text: str) -> float:
    """Like `float`, but refuses ``1_0`` and ``１``."""
    return float(plain(text))


def to_integer(text: str) -> int:
    """Read a whole number in any form, such as ``6.0`` or ``1e3``; `ValueError` for others."""
    try:
        value = to_float(text)
    except ValueError:
        value = nan
    if not value.is_integer():
        raise ValueError(f"not a whole number: {text}")
    return int(value)


NEWER = (
    "\u0558\u058b-\u058c\u05c8-\u05c9\u0870-\u089f\u08b5\u08c8-\u08d2\u0b53-\u0b54\u0c3c\u0c5c-\u0c5d"
    "\u0cdc-\u0cdd\u0cf3\u0ece\u170d\u1715-\u171f\u180f\u1ac1-\u1af0\u1b4c\u1c89-\u1c8a\u1dfa\u208f\u209d-\u209f"
    "\u2c2f\u2c5f\u2e5d\u9ffd-\u9fff\ua7c0-\ua7c1\ua7cb-\ua7f4\uab6c-\uab6d\U00010570-\U000105f3"
    "\U00010780-\U000107bf\U00010940-\U00010959\U00010d40-\U00010d85\U00010ec2-\U00010eff\U00010f70-\U00010f85"
    "\U00011070-\U00011075\U000110c2\U0001123f-\U00011241\U00011380-\U000113e2\U000116d0-\U000116e3"
    "\U00011740-\U00011746\U00011ab0-\U00011abf\U00011b0a-\U00011bf9\U00011db0-\U00011df1\U00011f00-\U00011f5a"
    "\U0001246f\U00012475-\U0001247f\U00012550-\U00012ff0\U0001342f\U00013439-\U000143fa\U00016100-\U00016139"
    "\U00016a70-\U00016ac9\U00016d40-\U00016d79\U00016ea0-\U00016ed3\U00016ff2-\U00016ff6\U000187f8-\U000187ff"
    "\U00018cd6-\U00018cff\U00018d09-\U0001affe\U0001b11f-\U0001b132\U0001b155\U0001b168\U0001ccf0-\U0001cf46"
    "\U0001d127-\U0001d128\U0001d250-\U0001d2d3\U0001d6a6\U0001df00-\U0001dfff\U0001e030-\U0001e08f"
    "\U0001e290-\U0001e2ae\U0001e4d0-\U0001e7fe\U0002a6de-\U0002a6df\U0002b735-\U0002b73f\U0002b81e"
    "\U0002cea2-\U0002cead\U0002ebf0-\U0002ee5d\U00031350-\U0003fc3f"
)
"""Letters, digits, marks, joiners and dashes of Unicode 14 to 17, as ranges for a regular expression.

A range may include places that are still empty, but none that Unicode 13 had filled.
"""

_NEWER = f"[{NEWER}]"
_compiled = cache(re.compile)  # when a text needs it: ASCII needs none


def is_alphabetic(text: str) -> bool:
    """Whether `text` has letters only, and at least one."""
    return text.isalpha() and not _has_newer(text)


def letters_and_digits(text: str) -> str:
    """The letters and digits of `text`, in order."""
    if text.isalnum() and not _has_newer(text):
        return text
    kept = "".join(filter(str.isalnum, text))
    return _compiled(_NEWER).sub("", kept) if _has_newer(kept) else kept


def category(character: str) -> str:
    """The general category of a character; ``Cn`` for one that Unicode 13 does not have."""
    return "Cn" if _has_newer(character) else unicodedata.category(character)


def ascii_digits(word: str) -> str:
    """The word with its decimal digits in ASCII."""
    if word.isascii():
        return word
    return "".join(str(unicodedata.decimal(letter)) if category(letter) == "Nd" else letter for letter in word)


def digits_of(word: str) -> str:
    """The decimal digits of a word, in ASCII."""
    text = ascii_digits(word)
    return text if text.isascii() and text.isdigit() else "".join([sign for sign in text if "0" <= sign <= "9"])


def _has_newer(text: str) -> bool:
    if len(text) == 1:  # quicker than to compile the pattern
        return bisect(_newer_bounds(), text) % 2 == 1
    return not text.isascii() and _compiled(_NEWER).search(text) is not None


@cache
def _newer_bounds() -> list[str]:
    """The first character of each range of `NEWER`, and the first one behind it, ascending."""
    ranges = [found.split("-") for found in re.findall("(?s).-.|.", NEWER)]
    return [bound for ends in ranges for bound in (ends[0], chr(ord(ends[-1]) + 1))]
