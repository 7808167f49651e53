"""Named checks of the segments of a system: faults that a score alone does not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.safe_text import visible
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.names import Names, script_of
from meteorlib.reports.html.ragged import Ragged, ahead
from meteorlib.resources.word_lists import open_negations

LONGEST_REPEATED = 4
"""Words of the longest phrase that is looked for twice in a row."""

DROPPED_WORDS = 5
DROPPED_SHARE = 0.8
"""Minimum of unmatched words in a row, and maximum relative length of the hypothesis, for text to count as dropped."""

_NUMBER = re.compile(r"\d[\d.,]*")
_SEPARATOR = re.compile("[.,]")


@frozen(eq=False)
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


Check = Callable[[Aligned, Texts], Mapping[int, str]]
"""The segments of a system, and their texts → index of each segment with a fault → the fault's words, if known."""


def _segments(indices: Iterable[int]) -> dict[int, str]:
    return dict.fromkeys(map(int, indices), "")


def _empty(system: Aligned, _: Texts) -> dict[int, str]:
    return _segments(np.flatnonzero(system.hypothesis.lengths == 0))


def _repeated(system: Aligned, _: Texts) -> dict[int, str]:
    known = system.words()

    def doubled(texts: Ragged, row: int) -> set[tuple[int, ...]]:
        found = _doubled(tuple(texts.flat[texts.starts[row] : texts.starts[row + 1]].tolist()))
        return {unit for unit in found if any(letter.isalnum() for letter in known[unit[0]])}

    candidates = np.flatnonzero(_has_doubled(system.hypothesis)).tolist()
    units = {row: doubled(system.hypothesis, row) - doubled(system.reference, row) for row in candidates}
    shortest = {row: min(found, key=lambda unit: (len(unit), unit)) for row, found in units.items() if found}
    return {row: f"repeated: {' '.join(known[number] for number in unit)}" for row, unit in shortest.items()}


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


def _dropped(system: Aligned, _: Texts) -> dict[int, str]:
    reference = system.reference
    missing = ~system.covered()
    row = missing.copy()
    for offset in range(1, DROPPED_WORDS):
        row &= ahead(missing, offset)
    left = np.repeat(reference.starts[1:], reference.lengths) - np.arange(len(row))
    long = reference.any(row & (left >= DROPPED_WORDS))
    return _segments(np.flatnonzero(long & (system.hypothesis.lengths <= DROPPED_SHARE * reference.lengths)))


def numbers_in(text: str) -> frozenset[str]:
    """Numbers with a point before their decimals and without separators of thousands."""
    found = _NUMBER.findall(text)
    return frozenset(map(_plain, found)) if found else _NONE


def _plain(number: str) -> str:
    """A separator before three digits, and any but the last, is one of thousands: 1,000 is 1000, 3,5 is 3.5."""
    *groups, last = _SEPARATOR.split(number.rstrip(".,"))
    return "".join([*groups, "." if groups and len(last) != 3 else "", last])


_NONE: frozenset[str] = frozenset()


def _negated(system: Aligned, _: Texts) -> dict[int, str]:
    negations = open_negations("negations-en")
    flags = np.array([word in negations.words or word.endswith(negations.endings) for word in system.words()], bool)
    sides = (texts.any(flags[texts.flat]) for texts in (system.reference, system.hypothesis))
    return _segments(np.flatnonzero(np.not_equal(*sides)))


def _number_checks() -> dict[str, Check]:
    """Checks of numbers, which are found once in each text."""
    found = cache(numbers_in)

    def pairs(texts: Texts) -> Iterator[tuple[int, frozenset[str], frozenset[str]]]:
        for index, (reference, hypothesis) in enumerate(zip(texts.references, texts.hypotheses, strict=True)):
            yield index, found(reference), found(hypothesis)

    def listed(numbers: Iterable[str]) -> str:
        return ", ".join(sorted(numbers))

    return {
        "other numbers": lambda _, texts: {
            index: f"reference: {listed(reference - hypothesis)}; hypothesis: {listed(hypothesis - reference)}"
            for index, reference, hypothesis in pairs(texts)
            if reference - hypothesis and hypothesis - reference
        },
        "numbers missing": lambda _, texts: {
            index: f"missing: {listed(reference - hypothesis)}"
            for index, reference, hypothesis in pairs(texts)
            if reference > hypothesis
        },
    }


def _name_checks(sources: Sequence[str] | None) -> dict[str, Check]:
    """Checks of names, which are found once for each system."""
    names = Names(sources)
    found = cache(lambda texts: names.found(texts.references, texts.hypotheses))
    return {
        "names missing": lambda _, texts: found(texts)[0],
        "names spelled differently": lambda _, texts: found(texts)[1],
    }


def _same(texts: Sequence[tuple[str, ...]]) -> dict[int, str]:
    """Indices of texts that occur more than once; empty ones do not count."""
    counts = Counter(texts)
    return _segments(index for index, text in enumerate(texts) if counts[text] > 1 and any(text))


def _source_checks(sources: Sequence[str]) -> dict[str, Check]:
    def copied(texts: Sequence[Sequence[str]]) -> dict[int, str]:
        return _segments(
            at for at, (source, each) in enumerate(zip(sources, texts, strict=True)) if source and source in each
        )

    return {
        "duplicate source": lambda *_: _same([(text,) for text in sources]),
        "reference equals source": lambda _, texts: copied(texts.given),
        "hypothesis equals source": lambda _, texts: copied([(text,) for text in texts.hypotheses]),
    }


def checked(
    systems: Sequence[Aligned],
    texts: Sequence[Texts] | None,
    language: str = "",
    sources: Sequence[str] | None = None,
) -> dict[str, list[dict[int, str]]]:
    """Segments that each check finds, for each system: index of the segment → the words that it found, if known.

    The order of the checks is that in which the page lists them.

    Args:
        systems: segments of each system.
        texts: texts as they were written; None: words joined by spaces, which often have no capitals.
        language: code of the language; English text is checked for negations, too. German nouns are capitalized: German
            text is checked for names only with sources in its script.
        sources: source of each segment.
    """
    written = [Texts.joined(system) for system in systems] if texts is None else texts
    literal = sources if sources is not None and script_of(sources) == script_of(written[0].references) else None
    checks: dict[str, Check] = {
        "empty hypothesis": _empty,
        "repeated words": _repeated,
        "dropped text": _dropped,
        **_number_checks(),
        **(_name_checks(literal) if language != "de" or literal is not None else {}),
        **({"negation on one side only": _negated} if language == "en" else {}),
        "duplicate hypothesis": lambda _, texts: _same([(text,) for text in texts.hypotheses]),
        "duplicate references": lambda _, texts: _same([*map(tuple, texts.given)]),
        **({} if sources is None else _source_checks(sources)),
    }
    return {
        name: [
            {index: visible(words) for index, words in check(*both).items()}
            for both in zip(systems, written, strict=True)
        ]
        for name, check in checks.items()
    }
