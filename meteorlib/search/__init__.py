"""Searches, which choose one alignment out of the candidates: their interface and the settings that they share.

Only `optimal` uses another one: `beam`.

Four words are used for how much something counts in a search or a score:

- *gain*: what one matched word counts in METEOR 1.5's searches, for each matcher (`Matcher.gain`, `Matcher.accuracy`).
- *value*: what a whole candidate counts in a search, before costs; its words times the gain of their stage, or, where
  a search weighs candidates, their weights times the weight of the stage and the grade.
- *weight*: what a stage or a word counts in the score, by the preset.
- *grade*: the share of a match that counts, from `GradedMatcher.grade` and from the case of words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Any, Protocol

from attrs import Attribute, field

from meteorlib.core.alignment import Candidate, Candidates, Found
from meteorlib.errors import InvalidText

MatchTuple = tuple[int, int, int, int, int]
"""The numbers of a `Match`."""


class Search(Protocol):
    """Interface of a search, which chooses one alignment out of the candidates.

    A search is a frozen attrs class. Its attributes are its settings, with their defaults and ranges: the keys that
    ``search:`` may have in a preset beside ``name``, and part of the signature. A search keeps nothing between calls.
    """

    def __call__(self, candidates: Candidates, hypothesis_length: int, gains: Sequence[float], /) -> Found:
        """Choose one alignment: matches in reference order, no two of which share a word; `optimal` if proven the best.

        Positions may share a list of candidates, so it must not be changed. The gains of one matched word are 1 for
        exact matches, ½ for all others. A search that weighs (`meteorlib.parts.SearchPart`) gets a function instead:
        reference position, candidate there → its value, a whole number in units of 1/`meteorlib.core.segment.SCALE`.
        """


def whole_number(default: int, least: int, most: int) -> Any:
    """Setting that must be a whole number from `least` to `most`.

    The class raises TypeError if the value is not a whole number, and ValueError if it is out of range.
    """
    return field(default=default, converter=_as_int, validator=_range_validator(least, most))


def _as_int(value: Any) -> Any:
    """Convert whole numbers of other types, such as numpy's, to `int`."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _range_validator(least: int, most: int) -> Callable[[Any, Attribute[int], Any], None]:
    def check(_: object, attribute: Attribute[int], value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{attribute.name} must be a whole number, not {value!r}")
        if not least <= value <= most:
            raise ValueError(f"{attribute.name} must be between {least:,} and {most:,}: {value:,}")

    return check


WIDEST = 1_000_000
"""Largest width of a beam: more paths fill the memory long before they change a score."""


def beam_width() -> Any:
    """Setting ``width`` of a beam; METEOR 1.5's is 40."""
    return whole_number(40, 1, WIDEST)


LARGEST_BUDGET = 1_000_000_000_000
"""Largest budget in steps: about a month for one segment."""


def step_budget(default: int) -> Any:
    """Setting ``budget``: number of steps after which a search returns its best result, with ``optimal = False``."""
    return whole_number(default, 1, LARGEST_BUDGET)


def linked(link: Any) -> list[Any]:
    """The items of a linked list of pairs (item, link of the item before), the last item first."""
    items = []
    while link is not None:
        item, link = link
        items.append(item)
    return items


def words_with_candidates(candidates: Candidates, search: str) -> Iterator[tuple[Sequence[Candidate], list[int]]]:
    """Each list of candidates of single words, with the reference positions that share it, ascending."""
    words: dict[int, tuple[Sequence[Candidate], list[int]]] = {}
    for reference, here in enumerate(candidates):
        if here:
            words.setdefault(id(here), (here, []))[1].append(reference)
    for here, references in words.values():
        for length, position, hypothesis_length, _ in here:
            if length != 1 or hypothesis_length != 1:
                raise ValueError(
                    f"search {search!r} aligns single words: {length} reference words at {references[0]} were proposed "
                    f"for {hypothesis_length} hypothesis words at {position}"
                )
        yield here, references


def positions(mask: int) -> Iterator[int]:
    """The positions of the bits of `mask`, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


MOST_BYTES = 1 << 31
"""Largest memory for sets of words: 2 GiB."""


def check_memory(needed: int, candidates: Candidates, hypothesis_length: int) -> None:
    """Refuse a segment whose sets of words, one bit each, would fill the memory."""
    if needed > MOST_BYTES:
        raise InvalidText(
            "hypothesis and reference",
            f"{hypothesis_length:,} words against {len(candidates):,} are too many for this search, which would need "
            f"{needed >> 20:,} MB; is each line one segment?",
        )
