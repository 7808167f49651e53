"""Named checks of the segments of a system: faults that a score alone does not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.ragged import Integers, Ragged, ahead
from meteorlib.resources.word_lists import open_negations

LONGEST_REPEATED = 4
"""Words of the longest phrase that is looked for twice in a row."""

DROPPED_WORDS = 5
DROPPED_SHARE = 0.8
"""Minimum of unmatched words in a row, and maximum relative length of the hypothesis, for text to count as dropped."""

_NUMBER = re.compile(r"\d[\d.,]*")
_NO_DIGIT = re.compile(r"\D")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_OPENING = "\"“‘'("
_WITHIN_SENTENCE = "_,;)’'\"”"
"""Characters besides letters and digits after which a word begins no sentence."""


@frozen
class Texts:
    """Texts of a system as they were written.

    Attributes:
        references: the reference of each segment that counts.
        hypotheses: the hypothesis of each segment.
        given: all references of each segment.
    """

    references: Sequence[str]
    hypotheses: Sequence[str]
    given: Sequence[Sequence[str]]

    @classmethod
    def joined(cls, system: Aligned) -> Texts:
        """Words joined by spaces, which often have no capitals."""
        references = _joined(system, system.reference)
        return cls(references, _joined(system, system.hypothesis), [[one] for one in references])


def _joined(system: Aligned, texts: Ragged) -> list[str]:
    known = system.words()
    words = [known[number] for number in texts.flat.tolist()]
    return [" ".join(words[first:end]) for first, end in pairwise(texts.starts.tolist())]


Check = Callable[[Aligned, Texts], Iterable[int]]
"""The segments of a system, and their texts → indices of those with a fault."""


def _empty(system: Aligned, _: Texts) -> Integers:
    return np.flatnonzero(system.hypothesis.lengths == 0)


def _repeated(system: Aligned, _: Texts) -> list[int]:
    known = system.words()

    def doubled(texts: Ragged, row: int) -> set[tuple[int, ...]]:
        found = _doubled(tuple(texts.flat[texts.starts[row] : texts.starts[row + 1]].tolist()))
        return {unit for unit in found if any(letter.isalnum() for letter in known[unit[0]])}

    candidates = np.flatnonzero(_has_doubled(system.hypothesis)).tolist()
    return [row for row in candidates if doubled(system.hypothesis, row) - doubled(system.reference, row)]


def _has_doubled(texts: Ragged) -> NDArray[np.bool_]:
    """Whether each text has a phrase that stands twice in a row."""
    found = np.zeros(len(texts), bool)
    rows, flat = texts.rows, texts.flat
    for length in range(1, LONGEST_REPEATED + 1):
        same = (flat[length:] == flat[:-length]) & (rows[length:] == rows[:-length])
        whole = same.copy()
        for offset in range(1, length):
            whole &= ahead(same, offset)
        found[rows[: len(same)][whole]] = True
    return found


def _doubled(words: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Phrases that stand twice in a row."""
    return {
        words[start : start + length]
        for length in range(1, LONGEST_REPEATED + 1)
        for start in range(len(words) - 2 * length + 1)
        if words[start : start + length] == words[start + length : start + 2 * length]
    }


def _dropped(system: Aligned, _: Texts) -> Integers:
    reference = system.reference
    missing = ~system.covered()
    row = missing.copy()
    for offset in range(1, DROPPED_WORDS):
        row &= ahead(missing, offset)
    left = np.repeat(reference.starts[1:], reference.lengths) - np.arange(len(row))
    long = reference.any(row & (left >= DROPPED_WORDS))
    return np.flatnonzero(long & (system.hypothesis.lengths <= DROPPED_SHARE * reference.lengths))


def numbers_in(text: str) -> frozenset[str]:
    """The digits of each number."""
    found = _NUMBER.findall(text)
    return frozenset([_NO_DIGIT.sub("", number) for number in found]) if found else _NONE


_NONE: frozenset[str] = frozenset()


def _names_missing(_: Aligned, texts: Texts, names_of: Callable[[str], Sequence[str]]) -> list[int]:
    return [
        index
        for index, (reference, hypothesis) in enumerate(zip(texts.references, texts.hypotheses, strict=True))
        if _lacks(names_of(reference), hypothesis)
    ]


def _lacks(names: Sequence[str], text: str) -> bool:
    """Whether some of these casefolded names is no word of a text."""
    if not names:
        return False
    folded = text.casefold()
    if any(name not in folded for name in names):
        return True
    present = {word.casefold() for word in _WORD.findall(text)}
    return any(name not in present for name in names)


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence."""
    return [match[0] for match in _WORD.finditer(text) if match[0][0].isupper() and _is_within(text[: match.start()])]


def _is_within(before: str) -> bool:
    """Whether a word after this text begins no sentence."""
    if before and before[-1] in _OPENING:
        before = before[:-1]
    rest = before.rstrip()
    return len(rest) < len(before) and bool(rest) and (rest[-1].isalnum() or rest[-1] in _WITHIN_SENTENCE)


def _negated(system: Aligned, _: Texts) -> Integers:
    negations = open_negations("negations-en")
    flags = np.array([word in negations.words or word.endswith(negations.endings) for word in system.words()], bool)
    sides = (texts.any(flags[texts.flat]) for texts in (system.reference, system.hypothesis))
    return np.flatnonzero(np.not_equal(*sides))


CHECKS: Mapping[str, Check] = {
    "empty hypothesis": _empty,
    "repeated words": _repeated,
    "dropped text": _dropped,
}
"""Check by name, for any language."""


def _same(texts: Sequence[tuple[str, ...]]) -> list[int]:
    """Indices of texts that occur more than once; empty ones do not count."""
    counts = Counter(texts)
    return [index for index, text in enumerate(texts) if counts[text] > 1 and any(text)]


def checked(
    systems: Sequence[Aligned],
    texts: Sequence[Texts] | None,
    language: str = "",
    sources: Sequence[str] | None = None,
) -> dict[str, list[list[int]]]:
    """Indices of the segments that each check finds, for each system.

    Args:
        systems: segments of each system.
        texts: texts as they were written; None: words joined by spaces, which often have no capitals.
        language: code of the language; English text is checked for negations, too.
        sources: source of each segment.
    """

    @cache
    def names_of(text: str) -> list[str]:
        return [name.casefold() for name in names_in(text)]

    numbers_of = cache(numbers_in)

    def with_numbers(is_found: Callable[[frozenset[str], frozenset[str]], object]) -> Check:
        return lambda _, texts: [
            index
            for index, both in enumerate(zip(texts.references, texts.hypotheses, strict=True))
            if is_found(*map(numbers_of, both))
        ]

    checks: dict[str, Check] = {
        **CHECKS,
        "other numbers": with_numbers(lambda reference, hypothesis: reference - hypothesis and hypothesis - reference),
        "numbers missing": with_numbers(lambda reference, hypothesis: reference and not hypothesis),
        "capitalized words missing": lambda system, texts: _names_missing(system, texts, names_of),
        **({"negation on one side only": _negated} if language == "en" else {}),
        "duplicate hypothesis": lambda _, texts: _same([(text,) for text in texts.hypotheses]),
        "duplicate references": lambda _, texts: _same([*map(tuple, texts.given)]),
    }
    if sources is not None:
        checks["duplicate source"] = lambda *_: _same([(text,) for text in sources])
    written = [Texts.joined(system) for system in systems] if texts is None else texts
    return {
        name: [list(map(int, check(*both))) for both in zip(systems, written, strict=True)]
        for name, check in checks.items()
    }
