"""Search: what every search is, and how it declares its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Protocol

from attrs import Attribute, field

from meteorlib.core.alignment import Candidates, Found
from meteorlib.errors import InvalidText


class Search(Protocol):
    """Candidates → one alignment.

    A search is a frozen attrs class. Its attributes are its settings, with their defaults and ranges: the keys that
    ``search:`` may have in a preset beside ``name``, and what stands in the signature. It keeps nothing between calls.
    """

    def __call__(self, candidates: Candidates, hypothesis_length: int, gains: Sequence[float], /) -> Found:
        """Choose one alignment.

        Args:
            candidates: those of each reference position. Positions may share a list: it must not be changed.
            hypothesis_length: number of words of the hypothesis.
            gains: for each stage, what one word is worth: 1 for exact matches, ½ for all others. A search whose
                `meteorlib.registry.SearchPart` says that it ``weighs`` is given a function instead: reference position,
                candidate there → the worth of that candidate, a whole number in units of
                1/`meteorlib.core.segment.SCALE`.

        Returns:
            The matches in reference order, none of which share a word; `optimal` where they are proven the best.
        """


def whole_number(default: int, least: int, most: int) -> Any:
    """A setting that is a whole number from `least` to `most`.

    The class that has it raises TypeError for what is no whole number, and ValueError for what is out of range.
    """
    return field(default=default, converter=_plain, validator=_between(least, most))


def _plain(value: Any) -> Any:
    """Whole numbers of other types, numpy's for instance, as `int`."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _between(least: int, most: int) -> Callable[[Any, Attribute[int], Any], None]:
    def check(_: object, attribute: Attribute[int], value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{attribute.name} must be a whole number, not {value!r}")
        if not least <= value <= most:
            raise ValueError(f"{attribute.name} must be between {least:,} and {most:,}: {value:,}")

    return check


WIDEST = 1_000_000
"""Paths that a beam may keep, at most: more fill the memory long before they change a score."""


def beam_width() -> Any:
    """The setting ``width``: METEOR 1.5's is 40."""
    return whole_number(40, 1, WIDEST)


LARGEST_BUDGET = 1_000_000_000_000
"""Steps: about a month of one segment."""


def step_budget(default: int) -> Any:
    """The setting ``budget``: steps after which a search returns the best it has, with ``optimal = False``."""
    return whole_number(default, 1, LARGEST_BUDGET)


MOST_BYTES = 1 << 31


def check_room(needed: int, candidates: Candidates, hypothesis_length: int) -> None:
    """Refuse a segment whose sets of words, bit for bit, would fill the memory.

    Raises:
        InvalidText: they need more than `MOST_BYTES`.
    """
    if needed > MOST_BYTES:
        raise InvalidText(
            "a segment",
            f"{hypothesis_length:,} words against {len(candidates):,} are too many for this search, which would need "
            f"{needed >> 20:,} MB; is each line one segment?",
        )
