"""Numbers in texts: the values that a number can have, in whatever form it is written.

A value is an integer: `decimal` and `clock` say which. Numbers are equal if they share one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from meteorlib.core.numbers_and_letters import ascii_digits, digits_of

WRITTEN, OPTIONAL, SIGN, AM, PM, METRIC, IMPERIAL, HALF, QUARTER = (1 << bit for bit in range(9))
"""Kinds of words: written in digits, a factor that can be something else, a sign in a number, am, pm, units, parts."""

UNITS = METRIC | IMPERIAL

_EXPONENTS = 128
_LONGEST = 16
"""Digits of a number that count, the last ones: so its value and exponent make 64 bits."""

UNITS_WITHIN = 2
"""Words behind a number among which its unit is, or ``am`` and ``pm``."""

PARTS_WITHIN = 4
"""Words behind a number among which a half or quarters are that belong to it, as in ``12 and a half``."""

_PLACES = 8
"""Most digits of a part of a number that is torn into words."""

_FACTORS: Mapping[str, int] = {
    "hundred": 2, "thousand": 3, "k": 3, "lakh": 5, "lakhs": 5, "million": 6, "millions": 6, "mln": 6, "mn": 6, "m": 6,
    "crore": 7, "crores": 7, "billion": 9, "billions": 9, "bln": 9, "bn": 9, "md": 9, "b": 9, "trillion": 12, "tn": 12,
}  # fmt: skip
_UNCERTAIN = frozenset({"k", "m", "md", "b"})
_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_METRIC = """mm cm m km g kg millimetre millimeter centimetre centimeter metre meter kilometre kilometer gram gramme
kilo kilogram kilogramme ton tonne litre liter hectare celsius centigrade kph kmh"""
_IMPERIAL = "inch inches foot feet ft yard mile mph ounce oz pound lb stone gallon acre fahrenheit"
_KINDS: Mapping[str, int] = {
    ".": SIGN, ",": SIGN, ":": SIGN, "h": SIGN, "am": AM, "a.m": AM, "pm": PM, "p.m": PM,
    "half": HALF, "quarter": QUARTER, "quarters": QUARTER,
    **{unit + ending: METRIC for unit in _METRIC.split() for ending in ("", "s")},
    **{unit + ending: IMPERIAL for unit in _IMPERIAL.split() for ending in ("", "s")},
}  # fmt: skip
_DIGITS = frozenset("0123456789")
_IN_NUMBERS = _DIGITS.union(".,'’")


class Number(NamedTuple):
    """A word that is a number, or part of one.

    Attributes:
        kind: the sum of what it is.
        readings: values that it has alone, ascending; a number in letters has some, too, but contradicts no other.
        whole: its value if it consists of at most `_PLACES` digits, else -1.
        places: number of these digits.
        shift: power of ten that it multiplies the number before it by: 3 of ``thousand`` and of ``000``.
    """

    kind: int
    readings: tuple[int, ...] = ()
    whole: int = -1
    places: int = 0
    shift: int = 0


class Found(NamedTuple):
    """A number of a text: where it begins, whether it is written in digits, its values, and the kinds of its units."""

    place: int
    written: bool
    readings: tuple[int, ...]
    units: int


def decimal(digits: int, exponent: int = 0) -> int:
    """The value `digits` · 10^`exponent`."""
    if not digits:
        return _EXPONENTS // 2
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    value: int = digits % 10**_LONGEST * _EXPONENTS + _EXPONENTS // 2 + max(-_EXPONENTS // 2, min(exponent, 30))
    return value


def clock(minutes: int) -> int:
    """The value of a time of the day."""
    return -1 - minutes


LISTED: Mapping[str, Number] = {
    **{word: Number(kind) for word, kind in _KINDS.items()},
    **{
        word: Number((OPTIONAL if word in _UNCERTAIN else 0) | _KINDS.get(word, 0), shift=shift)
        for word, shift in _FACTORS.items()
    },
    **{word: Number(0, (decimal(value),)) for value, word in enumerate(_ONES.split())},
    **{word: Number(0, (decimal(10 * value),)) for value, word in enumerate(_TENS.split(), 2)},
    "000": Number(WRITTEN, (decimal(0),), 0, 3, shift=3),
}


def read_number(word: str) -> Number | None:
    """Read a word in lowercase as a number or a part of one; None if it is neither."""
    if word in LISTED or (word.isascii() and word.isalpha()):  # most words are not; quicker
        return LISTED.get(word)
    text = ascii_digits(word)
    digits = digits_of(text)
    if not digits:
        return None
    readings, whole, kind = {decimal(int(digits[-_LONGEST:]))}, -1, WRITTEN
    end = 1 + text.rindex(digits[-1])
    number, suffix = text[:end], text[end:]
    hour, sign, minute = text.partition("h")
    if sign and _is_short(hour) and (not minute or (_is_short(minute) and len(minute) == 2)):
        readings |= _time(int(hour), int(minute or 0))
    elif text[0] in _DIGITS and (number == digits or {*number} <= _IN_NUMBERS):
        readings = _readings(number)
        kind |= _KINDS.get(suffix, 0)
        digits = number[:-3] if number[-3:] in (".00", ",00") else number
        if digits.isdigit() and len(digits) <= _PLACES and not suffix.strip("amp."):
            whole = int(digits)
        short = [part for part in number.split(".") if _is_short(part)]
        if len(short) > 1 and number.count(".") + (suffix == ".") > 1:  # a date, whichever part is the day
            readings |= {decimal(int(part)) for part in short}
        if shift := _FACTORS.get(suffix, 0):
            readings |= {reading + shift for reading in readings if reading >= _EXPONENTS}
    readings |= _after_noon(readings, whole, kind)
    return Number(kind, tuple(sorted(readings)), whole, len(digits) if whole >= 0 else 0)


def _is_short(text: str) -> bool:
    return 0 < len(text) <= 2 and {*text} <= _DIGITS


def _readings(number: str) -> set[int]:
    """Values of digits with separators."""
    signs = {*number} - _DIGITS
    for sign in signs:
        number = number.replace(sign, " ")
    parts = number[-2 * _LONGEST :].split(" ")
    joined = decimal(int("".join(parts)[-_LONGEST:]))
    if len(parts) == 1:
        return {joined, *_years(number)}
    last = parts[-1][:_PLACES]
    fraction = decimal(int(("".join(parts[:-1]) + last)[-_LONGEST:]), -len(last))
    if len(parts) > 2:
        return {joined} if len(signs) == 1 else {fraction}
    times = _time(int(parts[0][-3:] or 0), int(last)) if len(last) == 2 else set()
    return {fraction, *times, *([joined] if len(last) == 3 else [])}


def _time(hour: int, minute: int) -> set[int]:
    return {clock(60 * hour + minute)} if hour <= 24 and minute < 60 else set()


def _years(number: str) -> set[int]:
    """The years that two digits stand for."""
    return {decimal(1900 + int(number)), decimal(2000 + int(number))} if len(number) == 2 else set()


def _after_noon(readings: set[int], whole: int, kind: int) -> set[int]:
    """Times of the day of a number with ``am`` or ``pm``, and full hours; the afternoon of a time without them."""
    named = kind & (AM | PM)
    later = 0 if named == AM else 720
    times = {-1 - reading for reading in readings if reading < 0}
    if not named:
        return {clock(minutes + later) for minutes in times if 60 <= minutes < 720}
    hour, minute = divmod(whole, 100) if whole > 99 else (whole, 0)
    if 0 < hour <= 12 and minute < 60:
        times.add(60 * hour + minute)
    times = {minutes % 720 + later for minutes in times if minutes < 780}
    return {*map(clock, times), *(decimal(minutes // 60) for minutes in times if minutes % 60 == 0)}


def find_numbers(words: Sequence[Number | None]) -> Iterator[Found]:
    """The numbers of a text, from what each of its words is."""
    place = 0
    while place < len(words):
        number = words[place]
        begin, place = place, place + 1
        if number is None or not number.readings:
            continue
        readings, end, kind, whole = {*number.readings}, place, number.kind, number.whole
        if part := _torn(words, begin):
            readings |= _of_parts(number, part)
            end, kind, whole = begin + 3, kind | part.kind, -1
        shift, optional = 0, OPTIONAL
        while end < len(words) and (factor := words[end]) and factor.shift and shift < 15:
            if factor.readings and not number.kind & WRITTEN:  # 000 belongs to digits
                break
            shift, optional, end = shift + factor.shift, optional & factor.kind, end + 1
            place, kind = end, kind | factor.kind & UNITS
        if shift:
            shifted = {reading + shift * (reading >= _EXPONENTS) for reading in readings if reading >= 0}
            readings = shifted | (readings if optional else set())
        for distance, behind in enumerate(words[end : end + PARTS_WITHIN]):
            if behind and not behind.readings:
                kind |= behind.kind if distance < UNITS_WITHIN else behind.kind & (HALF | QUARTER)
        readings |= _after_noon(readings, whole, kind)
        if whole >= 0 and kind & (HALF | QUARTER):
            readings |= {decimal(100 * whole + part, -2) for part in ((50,) if kind & HALF else (25, 75))}
        yield Found(begin, bool(number.kind & WRITTEN), tuple(sorted(readings)), kind & UNITS)


def _torn(words: Sequence[Number | None], begin: int) -> Number | None:
    """The digits behind digits and a sign, such as those of ``17 : 30``."""
    if begin + 2 >= len(words):
        return None
    first, sign, last = words[begin : begin + 3]
    is_torn = first and sign and last and first.whole >= 0 and sign.kind & SIGN and last.whole >= 0
    return last if is_torn else None


def _of_parts(first: Number, last: Number) -> set[int]:
    """Values of a number that is torn at a separator."""
    readings = {decimal(first.whole * 10**last.places + last.whole, -last.places)}
    if last.places == 3:
        readings.add(decimal(first.whole * 1000 + last.whole))
    return readings | (_time(first.whole, last.whole) if last.places == 2 or not last.whole else set())


def converted(units: int, others: int) -> bool:
    """Whether one side has metric units, and the other has others."""
    return (units | others) & UNITS == UNITS and not units & others & UNITS


def unequal(reference: Sequence[Number | None], hypothesis: Sequence[Number | None]) -> bool:
    """Whether both of these words have numbers in digits, and no word of one has a value of a word of the other."""
    sides = [
        [{*number.readings} for number in side if number and number.kind & WRITTEN] for side in (reference, hypothesis)
    ]
    values, others = (set[int]().union(*side) for side in sides)
    return bool(values and others and not values & others)


def unpaired(
    reference: Sequence[Found], hypothesis: Sequence[Found], partners: Mapping[int, int] | None = None
) -> tuple[list[Found], list[Found]]:
    """The numbers of both sides that have no equal on the other, each of which is the equal of one.

    A number whose match begins in an equal one has that one: `partners` are places of the hypothesis by those of the
    reference. Then the others of the reference take the first equal that is left, in their order.
    """
    indices = {number.place: index for index, number in enumerate(hypothesis)} if partners else {}
    places: dict[int, list[int]] = {}
    for index in reversed(range(len(hypothesis))):
        for reading in hypothesis[index].readings:
            places.setdefault(reading, []).append(index)
    taken: set[int] = set()
    others = []
    for number in reference:
        partner = indices.get(partners.get(number.place, -1)) if partners else None
        if partner is None or {*number.readings}.isdisjoint(hypothesis[partner].readings):
            others.append(number)
        else:
            taken.add(partner)
    missing = []
    for number in others:
        first = len(hypothesis)
        for reading in number.readings:
            waiting = places.get(reading, [])
            while waiting and waiting[-1] in taken:
                waiting.pop()
            first = min(first, waiting[-1]) if waiting else first
        if first < len(hypothesis):
            taken.add(first)
        else:
            missing.append(number)
    return missing, [number for index, number in enumerate(hypothesis) if index not in taken]
