"""Named checks of the segments of a system: faults that a score alone does not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from unicodedata import name as character_name

import numpy as np
from attrs import frozen

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Ragged, ahead
from meteorlib.analysis.contrast.names import Names
from meteorlib.resources.word_lists import Negations, negations_of

LONGEST_REPEATED = 4
"""Words of the longest phrase that is looked for twice in a row."""

DROPPED_WORDS = 5
DROPPED_SHARE = 0.8
"""Minimum of unmatched words in a row, and maximum relative length of the hypothesis, for text to count as dropped."""

_NUMBER = re.compile(r"\d[\d.,]*")
_SEPARATOR = re.compile("[.,]")

SCRIPT_LETTERS = 10_000
"""Letters by which the script of texts is known."""


@frozen(eq=False)
class Texts:
    """Texts of a system as they were written."""

    references: Sequence[str]  # the reference of each segment that counts
    hypotheses: Sequence[str]  # the hypothesis of each segment
    given: Sequence[Sequence[str]]  # all references of each segment

    @classmethod
    def joined(cls, system: Aligned) -> Texts:
        """Words joined by spaces, which often have no capitals."""
        references = _joined(system, system.reference)
        return cls(references, _joined(system, system.hypothesis), [[reference] for reference in references])


def _joined(system: Aligned, texts: Ragged) -> list[str]:
    known = system.words()
    words = [known[number] for number in texts.flat.tolist()]
    return [" ".join(words[first:end]) for first, end in pairwise(texts.starts.tolist())]


Found = dict[int, str]
"""Index of each segment with a fault → the fault's words, if known."""


def _segments(indices: Iterable[int]) -> Found:
    return dict.fromkeys(indices, "")


def _repeated(system: Aligned) -> Found:
    known = system.words()

    def doubled(texts: Ragged, row: int) -> set[tuple[int, ...]]:
        units = _doubled(tuple(texts.row(row).tolist()))
        return {unit for unit in units if any(letter.isalnum() for letter in known[unit[0]])}

    candidates = np.flatnonzero(_has_doubled(system.hypothesis)).tolist()
    units = {row: doubled(system.hypothesis, row) - doubled(system.reference, row) for row in candidates}
    shortest = {row: min(twice, key=lambda unit: (len(unit), unit)) for row, twice in units.items() if twice}
    return {row: f"repeated: {' '.join(known[number] for number in unit)}" for row, unit in shortest.items()}


def _has_doubled(texts: Ragged) -> Flags:
    """Whether each text has a phrase that stands twice in a row."""
    doubled = np.zeros(len(texts), bool)
    rows, flat = texts.rows, texts.flat
    for length in range(1, LONGEST_REPEATED + 1):
        same = (flat[length:] == flat[:-length]) & (rows[length:] == rows[:-length])
        whole = same.copy()
        for offset in range(1, length):
            whole &= ahead(same, offset)
        doubled[rows[: len(same)][whole]] = True
    return doubled


def _doubled(words: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {
        words[start : start + length]
        for length in range(1, LONGEST_REPEATED + 1)
        for start in range(len(words) - 2 * length + 1)
        if words[start : start + length] == words[start + length : start + 2 * length]
    }


def _dropped(system: Aligned) -> Found:
    reference = system.reference
    missing = ~system.covered()
    row = missing.copy()
    for offset in range(1, DROPPED_WORDS):
        row &= ahead(missing, offset)
    left = np.repeat(reference.starts[1:], reference.lengths) - np.arange(len(row))
    long = reference.any(row & (left >= DROPPED_WORDS))
    return _segments((long & (system.hypothesis.lengths <= DROPPED_SHARE * reference.lengths)).nonzero()[0].tolist())


def numbers_in(text: str) -> frozenset[str]:
    """Numbers with a point before their decimals and without separators of thousands."""
    numbers = _NUMBER.findall(text)
    return frozenset(map(_plain, numbers)) if numbers else _NONE


def _plain(number: str) -> str:
    """A separator before three digits, and any but the last, is one of thousands: 1,000 is 1000, 3,5 is 3.5."""
    *groups, last = _SEPARATOR.split(number.rstrip(".,"))
    return "".join([*groups, "." if groups and len(last) != 3 else "", last])


_NONE: frozenset[str] = frozenset()


def _negated(system: Aligned, negations: Negations) -> Found:
    flags = np.array([word in negations.words or word.endswith(negations.endings) for word in system.words()], bool)
    sides = (texts.any(flags[texts.flat]) for texts in (system.reference, system.hypothesis))
    return _segments(np.not_equal(*sides).nonzero()[0].tolist())


def _numbers(texts: Texts, found: Callable[[str], frozenset[str]]) -> tuple[Found, Found]:
    """Segments with other numbers on each side, and those whose hypothesis only lacks some."""
    other, missing = {}, {}
    for index, (reference, hypothesis) in enumerate(zip(texts.references, texts.hypotheses, strict=True)):
        ours, theirs = found(reference), numbers_in(hypothesis)
        if lacking := ", ".join(sorted(ours - theirs)):
            if added := ", ".join(sorted(theirs - ours)):
                other[index] = f"reference: {lacking}; hypothesis: {added}"
            else:
                missing[index] = f"missing: {lacking}"
    return other, missing


def _same(texts: Sequence[str] | Sequence[tuple[str, ...]]) -> Found:
    """Indices of texts that occur more than once; empty ones do not count."""
    counts = Counter(texts)
    return _segments([index for index, text in enumerate(texts) if counts[text] > 1 and any(text)])


def _copied(sources: Sequence[str], texts: Sequence[Sequence[str]]) -> Found:
    """Indices of sources that are among the texts of their segment."""
    pairs = enumerate(zip(sources, texts, strict=True))
    return _segments([index for index, (source, given) in pairs if source and source in given])


def checked(
    systems: Sequence[Aligned],
    texts: Sequence[Texts] | None,
    language: str = "",
    sources: Sequence[str] | None = None,
) -> dict[str, list[Found]]:
    """Segments that each check finds, for each system; the order of the checks is that in which the page lists them.

    Without `texts` as they were written, words are joined by spaces, and often have no capitals. English text is
    checked for negations, too. German nouns are capitalized: German text is checked for names only with sources in its
    script.
    """
    written = [Texts.joined(system) for system in systems] if texts is None else texts
    literal = sources if sources is not None and script_of(sources) == script_of(written[0].references) else None
    names = None if language == "de" and literal is None else Names(literal)
    numbers, negations = cache(numbers_in), negations_of(language)

    def checks(system: Aligned, texts: Texts) -> Iterator[tuple[str, Found]]:
        yield "empty hypothesis", _segments((system.hypothesis.lengths == 0).nonzero()[0].tolist())
        yield "repeated words", _repeated(system)
        yield "dropped text", _dropped(system)
        yield from zip(("other numbers", "numbers missing"), _numbers(texts, numbers), strict=True)
        if names is not None:
            found = names.found(texts.references, texts.hypotheses)
            yield from zip(("names missing", "names spelled differently"), found, strict=True)
        if negations.words:
            yield "negation on one side only", _negated(system, negations)
        yield "duplicate hypothesis", _same(texts.hypotheses)
        yield "duplicate references", _same([*map(tuple, texts.given)])
        if sources is not None:
            yield "duplicate source", _same(sources)
            yield "reference equals source", _copied(sources, texts.given)
            yield "hypothesis equals source", _copied(sources, [(text,) for text in texts.hypotheses])

    by_system = [dict(checks(*both)) for both in zip(systems, written, strict=True)]
    return {name: [of_system[name] for of_system in by_system] for name in by_system[0]}


def script_of(texts: Iterable[str]) -> str:
    """The most frequent script of the first letters, such as LATIN; empty if there are none."""
    letters = islice((letter for text in texts for letter in text if letter.isalpha()), SCRIPT_LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    return max(scripts, key=scripts.__getitem__, default="")
