"""Named checks of the segments of a system: faults that a score alone does not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from unicodedata import combining, normalize
from unicodedata import name as character_name

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.core.safe_text import visible
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.ragged import Ragged, ahead
from meteorlib.resources.word_lists import open_negations

LONGEST_REPEATED = 4
"""Words of the longest phrase that is looked for twice in a row."""

DROPPED_WORDS = 5
DROPPED_SHARE = 0.8
"""Minimum of unmatched words in a row, and maximum relative length of the hypothesis, for text to count as dropped."""

SCRIPT_LETTERS = 10_000
"""Letters by which the script of texts is known."""

_NUMBER = re.compile(r"\d[\d.,]*")
_NO_DIGIT = re.compile(r"\D")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_ENDING = re.compile("['’]?s$", re.IGNORECASE)

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


def _other_numbers(_: Aligned, texts: Texts) -> dict[int, str]:
    return {
        index: f"reference: {_listed(reference - hypothesis)}; hypothesis: {_listed(hypothesis - reference)}"
        for index, (reference, hypothesis) in enumerate(zip(*_numbers_of(texts), strict=True))
        if reference - hypothesis and hypothesis - reference
    }


def _numbers_missing(_: Aligned, texts: Texts) -> dict[int, str]:
    return {
        index: f"missing: {_listed(reference)}"
        for index, (reference, hypothesis) in enumerate(zip(*_numbers_of(texts), strict=True))
        if reference and not hypothesis
    }


def _listed(numbers: Iterable[str]) -> str:
    return ", ".join(sorted(numbers))


def _numbers_of(texts: Texts) -> tuple[Iterable[frozenset[str]], Iterable[frozenset[str]]]:
    return map(numbers_in, texts.references), map(numbers_in, texts.hypotheses)


def numbers_in(text: str) -> frozenset[str]:
    """The digits of each number."""
    found = _NUMBER.findall(text)
    return frozenset([_NO_DIGIT.sub("", number) for number in found]) if found else _NONE


_NONE: frozenset[str] = frozenset()


@frozen
class MissingNames:
    """Check for names of the reference that the hypothesis lacks.

    Case, accents, and the ending of a plural or genitive do not matter.

    Attributes:
        sources: source of each segment, if its script is the references': only names that stand there, too, letter by
            letter, count; None: all do.
    """

    sources: Sequence[str] | None
    _bare: Callable[[str], str] = field(init=False, factory=lambda: cache(without_endings))
    _known: dict[tuple[int, str], dict[str, str]] = field(init=False, factory=dict)

    def __call__(self, _: Aligned, texts: Texts) -> dict[int, str]:
        """Index of each segment → the missing names."""
        found = {}
        for index, (reference, hypothesis) in enumerate(zip(texts.references, texts.hypotheses, strict=True)):
            names = self._names(index, reference)
            if not names or names.keys() <= set(_WORD.findall(hypothesis)):
                continue
            present = {word.casefold() for word in self._words(hypothesis)}
            missing = [name for name, bare in names.items() if bare.casefold() not in present]
            if missing:
                found[index] = f"missing: {', '.join(missing)}"
        return found

    def _names(self, index: int, reference: str) -> dict[str, str]:
        """Names of a reference with their bare forms, found once for all systems."""
        key = index, reference
        if key not in self._known:
            names = {name: self._bare(name) for name in names_in(reference)}
            if names and self.sources is not None:
                present = self._words(self.sources[index])
                names = {name: bare for name, bare in names.items() if bare in present}
            self._known[key] = names
        return self._known[key]

    def _words(self, text: str) -> set[str]:
        """The words of a text, and the parts of those with hyphens."""
        words = _WORD.findall(text)
        return {self._bare(part) for word in words for part in (word, *(word.split("-") if "-" in word else ()))}


def without_endings(word: str) -> str:
    """A word without accents and without the ending of a plural or genitive."""
    plain = word if word.isascii() else "".join(one for one in normalize("NFD", word) if not combining(one))
    return _ENDING.sub("", plain)


def _script(texts: Iterable[str]) -> str:
    """The most frequent script of the first letters, such as LATIN; empty if there are none."""
    letters = islice((letter for text in texts for letter in text if letter.isalpha()), SCRIPT_LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    return max(scripts, key=scripts.__getitem__, default="")


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence."""
    return [match[0] for match in _WORD.finditer(text) if match[0][0].isupper() and _is_within(text[: match.start()])]


def _is_within(before: str) -> bool:
    """Whether a word after this text begins no sentence."""
    if before and before[-1] in _OPENING:
        before = before[:-1]
    rest = before.rstrip()
    return len(rest) < len(before) and bool(rest) and (rest[-1].isalnum() or rest[-1] in _WITHIN_SENTENCE)


def _negated(system: Aligned, _: Texts) -> dict[int, str]:
    negations = open_negations("negations-en")
    flags = np.array([word in negations.words or word.endswith(negations.endings) for word in system.words()], bool)
    sides = (texts.any(flags[texts.flat]) for texts in (system.reference, system.hypothesis))
    return _segments(np.flatnonzero(np.not_equal(*sides)))


CHECKS: Mapping[str, Check] = {
    "empty hypothesis": _empty,
    "repeated words": _repeated,
    "dropped text": _dropped,
    "other numbers": _other_numbers,
    "numbers missing": _numbers_missing,
}
"""Check by name, for any language."""


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

    Args:
        systems: segments of each system.
        texts: texts as they were written; None: words joined by spaces, which often have no capitals.
        language: code of the language; English text is checked for negations, too. German nouns are capitalized: German
            text is checked for names only with sources in its script.
        sources: source of each segment.
    """
    written = [Texts.joined(system) for system in systems] if texts is None else texts
    literal = sources if sources is not None and _script(sources) == _script(written[0].references) else None
    checks: dict[str, Check] = {
        **CHECKS,
        **({} if language == "de" and literal is None else {"names missing": MissingNames(literal)}),
        **({"negation on one side only": _negated} if language == "en" else {}),
        "duplicate hypothesis": lambda _, texts: _same([(text,) for text in texts.hypotheses]),
        "duplicate references": lambda _, texts: _same([*map(tuple, texts.given)]),
        **({} if sources is None else _source_checks(sources)),
    }
    found = {name: [check(*both) for both in zip(systems, written, strict=True)] for name, check in checks.items()}
    return {
        name: [{index: visible(words) for index, words in each.items()} for each in listed]
        for name, listed in found.items()
    }
