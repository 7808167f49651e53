"""Named checks of the segments of a system: faults that a score alone does not show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import eq, methodcaller

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.reports.html.segments import Words, alignment_of
from meteorlib.resources.word_lists import open_negations

LONGEST_REPEATED = 4
"""Words of the longest phrase that is looked for twice in a row."""

DROPPED_WORDS = 5
DROPPED_SHARE = 0.8
"""Minimum of unmatched words in a row, and maximum relative length of the hypothesis, for text to count as dropped."""

_NUMBER = re.compile(r"\d[\d.,]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

Texts = tuple[str, str]
"""Reference and hypothesis as they were written."""

Check = Callable[[ScoreBreakdown, Texts], bool]


def _is_empty(scored: ScoreBreakdown, _: Texts) -> bool:
    return not alignment_of(scored).hypothesis


def _is_repeated(scored: ScoreBreakdown, _: Texts) -> bool:
    alignment = alignment_of(scored)
    doubled = _doubled(alignment.hypothesis)
    return bool(doubled and doubled - _doubled(alignment.reference))


def _doubled(words: Words) -> set[Words]:
    """Phrases with a letter or digit that stand twice in a row."""
    found: set[Words] = set()
    for length in range(1, LONGEST_REPEATED + 1):
        same = [*map(eq, words, words[length:])]
        if True in same:
            found.update(
                words[start : start + length]
                for start in range(len(same) - length + 1)
                if all(same[start : start + length]) and any(letter.isalnum() for letter in words[start])
            )
    return found


def _is_dropped(scored: ScoreBreakdown, _: Texts) -> bool:
    alignment = alignment_of(scored)
    unmatched = set(alignment.unmatched_reference)
    row = longest = 0
    for place in range(len(alignment.reference)):
        row = row + 1 if place in unmatched else 0
        longest = max(longest, row)
    return longest >= DROPPED_WORDS and len(alignment.hypothesis) <= DROPPED_SHARE * len(alignment.reference)


def _has_other_numbers(_: ScoreBreakdown, texts: Texts) -> bool:
    reference, hypothesis = map(_numbers, texts)
    return bool(reference - hypothesis and hypothesis - reference)


def _numbers(text: str) -> set[str]:
    """The digits of each number."""
    return {re.sub(r"\D", "", found) for found in _NUMBER.findall(text)}


def _lacks_number(_: ScoreBreakdown, texts: Texts) -> bool:
    reference, hypothesis = map(_numbers, texts)
    return bool(reference) and not hypothesis


def _lacks_name(_: ScoreBreakdown, texts: Texts) -> bool:
    reference, hypothesis = texts
    names = names_in(reference)
    if not names:
        return False
    present = {word.casefold() for word in _WORD.findall(hypothesis)}
    return any(name.casefold() not in present for name in names)


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence."""
    return [
        match[0]
        for match in _WORD.finditer(text)
        if match[0][0].isupper() and re.search(r"[\w,;)’'\"”]\s+[\"“‘'(]?$", text[: match.start()])
    ]


CHECKS: Mapping[str, Check] = {
    "empty hypothesis": _is_empty,
    "repeated words": _is_repeated,
    "dropped text": _is_dropped,
    "other numbers": _has_other_numbers,
    "numbers missing": _lacks_number,
    "capitalized words missing": _lacks_name,
}
"""Check by name, for any language."""


def _negation_check() -> Check:
    negations = open_negations("negations-en")
    ends = methodcaller("endswith", negations.endings)

    def has_negation(words: Words) -> bool:
        return not negations.words.isdisjoint(words) or any(map(ends, words))

    def differs(scored: ScoreBreakdown, _: Texts) -> bool:
        alignment = alignment_of(scored)
        return has_negation(alignment.reference) != has_negation(alignment.hypothesis)

    return differs


def checked(
    systems: Sequence[Sequence[ScoreBreakdown]], texts: Sequence[Sequence[Texts]] | None, language: str = ""
) -> dict[str, list[list[int]]]:
    """Indices of the segments that each check finds, for each system.

    Args:
        systems: segments of each system.
        texts: texts as they were written; None: words joined by spaces, which often have no capitals.
        language: code of the language; English text is checked for negations, too.
    """
    checks = {**CHECKS, **({"negation on one side only": _negation_check()} if language == "en" else {})}
    found: dict[str, list[list[int]]] = {name: [] for name in checks}
    for place, segments in enumerate(systems):
        pairs = (
            [(" ".join(alignment_of(one).reference), " ".join(alignment_of(one).hypothesis)) for one in segments]
            if texts is None
            else texts[place]
        )
        for name, check in checks.items():
            both = zip(segments, pairs, strict=True)
            found[name].append([index for index, (scored, pair) in enumerate(both) if check(scored, pair)])
    return found
