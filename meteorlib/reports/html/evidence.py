"""Words and checks in which two systems differ significantly, as a sentence and as entries of the report's lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from meteorlib.analysis.contrast.one_sided import LEAST_TESTED, MOST_NAMED, OneSided
from meteorlib.analysis.significance.resampling import discoveries, sign_test
from meteorlib.display.text import shorten, visible

ENTRY_LETTERS = 60
"""Most letters of an entry of a list of words; a word of a hostile file may have a million."""

Part = str | list[Any]
"""A part of a paragraph: a text, or a text and the filter of the segments behind it."""


def entry_text(words: Sequence[str]) -> str:
    """A word or phrase as a list shows it."""
    return shorten(visible(" ".join(words)), ENTRY_LETTERS)


def entries(sides: Sequence[Sequence[OneSided]]) -> list[list[list[Any]]]:
    """The entries of both systems: text, worth, kind, count of this system, count of the other."""
    return [
        [[entry_text(one.words), round(one.worth, 7), one.kind, one.matches, one.others] for one in side]
        for side in sides
    ]


def listed(items: Sequence[Sequence[Part]], between: str = ", ", last: str = " and ") -> list[Part]:
    """Items of a list with what stands between them."""
    count, found = len(items), list[Part]()
    for place, item in enumerate(items, 1):
        found += [*item, *([] if place == count else [last if place == count - 1 else between])]
    return found


def evidence(
    words: Sequence[Sequence[OneSided]],
    checks: Mapping[str, Sequence[Mapping[int, str]]],
    systems: Sequence[tuple[int, str]],
    *,
    is_first_better: bool,
) -> list[Part]:
    """Words and checks in which two systems differ significantly, each with the filter of its segments.

    `words` has the entries of each of the two, see `OneSidedPair`; `checks` the segments that each check finds;
    `systems` their indices and marks.
    """
    sides = (0, 1) if is_first_better else (1, 0)
    (better, mark), (worse, other_mark) = (systems[side] for side in sides)
    told: list[Part] = []
    for side, (verb, winner, loser) in zip(sides, (("wins", better, worse), ("loses", worse, better)), strict=True):
        texts = [(entry_text(one.words), one) for one in words[side] if one.significant]
        named: list[list[Part]] = [
            [[f"“{text}”", "won", winner, loser, text], f" ({one.segments:,} : {one.other_segments:,})"]
            for text, one in texts
            if len(text) < ENTRY_LETTERS
        ]
        if named:
            told += ["; it " if told else f"{mark} ", f"{verb} ", *listed(named[:MOST_NAMED])]
    if told:
        told.append(", in segments that only one of them gets right. ")
    for name, (one, other) in _differing({name: [found[side] for side in sides] for name, found in checks.items()}):
        told += [
            f"{name[0].upper()}{name[1:]}: only in {mark} ",
            [f"{one:,}", "check", name, better, worse],
            f", only in {other_mark} ",
            [f"{other:,}", "check", name, worse, better],
            ". ",
        ]
    return told or ["No word and no check differs significantly. "]


def _differing(checks: Mapping[str, Sequence[Mapping[int, str]]]) -> list[tuple[str, tuple[int, int]]]:
    """The checks that find significantly more segments of one of two systems, and how many only of each."""
    counts = {
        name: (len(one.keys() - other.keys()), len(other.keys() - one.keys())) for name, (one, other) in checks.items()
    }
    tested = [each for each in counts.items() if sum(each[1]) >= LEAST_TESTED]
    significant = discoveries([sign_test(*only) for _, only in tested])
    found = [each for each, is_significant in zip(tested, significant, strict=True) if is_significant]
    return sorted(found, key=lambda each: -abs(each[1][0] - each[1][1]))
