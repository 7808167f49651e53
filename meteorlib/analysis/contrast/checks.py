"""Named checks of the segments of a system: faults that a score alone does not show, names among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import groupby, islice, pairwise
from string import ascii_letters
from unicodedata import combining, normalize
from unicodedata import name as character_name

import numpy as np
from attrs import field, frozen

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Ragged, ahead
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

NEAR = 0.8
NEAR_LETTERS = 4
"""Minimum similarity (`difflib`) and length of two spellings of a name: Griboyedov and Griboedov, not EU and EUR."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_JOINTS = frozenset("-'’")
_JOINT = re.compile("[-'’]")

_WIDE_LETTER = re.compile(r"[^\W\d_a-zA-Z]")

_COMPARED = bytes([ord(letter.lower()) if letter in ascii_letters else 32 for letter in map(chr, range(256))])
"""Letters of ASCII → small ones, other bytes → space."""

_ENDING = re.compile("['’]?s$", re.IGNORECASE)

_INNER_WORD = re.compile(rf"""(?:(?<=\w)|(?<=[,;)’'"”]))\s+["“‘'(]?(?![a-z])({_WORD.pattern})""")
"""A word that begins no sentence, by the character before the white space; few of them begin with a small letter."""


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


@frozen
class Names:
    """Names of the references, and whether hypotheses have them.

    Case, accents, spaces, apostrophes, points of initials, and the ending of a plural or genitive do not matter.
    """

    # source of each segment, if its script is the references': only names that stand there, too, letter by letter,
    # count; None: all do
    sources: Sequence[str] | None
    _bare: Callable[[str], str] = field(init=False, factory=lambda: cache(without_endings))
    _folded: Callable[[str], str] = field(
        init=False, factory=lambda: cache(lambda word: without_endings(word).casefold())
    )
    # a bit for each letter
    _letters: Callable[[str], int] = field(
        init=False, factory=lambda: cache(lambda word: sum({1 << (ord(letter) & 63) for letter in word}))
    )
    _known: dict[tuple[int, str], tuple[str, ...]] = field(init=False, factory=dict)

    def found(self, references: Sequence[str], hypotheses: Sequence[str]) -> tuple[dict[int, str], dict[int, str]]:
        """Index of each segment that lacks names → these names; the same for names with a similar word instead."""
        lacking, respelled = {}, {}
        for index, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
            unseen = [name for name in self._names(index, reference) if not _stands_in(hypothesis, name)]
            absent = self._absent(unseen, hypothesis) if unseen else ()
            if not absent:
                continue
            near = self._respelled(absent, reference, hypothesis)
            if len(near) < len(absent):
                lacking[index] = f"missing: {', '.join(name for name in absent if name not in near)}"
            if near:
                respelled[index] = ", ".join(f"{name}: {word}" for name, word in near.items())
        return lacking, respelled

    def _absent(self, names: Sequence[str], text: str) -> Sequence[str]:
        """The names that a text has in no form."""
        likely = names
        if _is_plain(text):
            words = _compared(text)
            likely = [name for name in names if "-" in name or _may_be_in(words, _compared(self._folded(name)))]
        if not likely:
            return names
        found = _WORD.findall(text)
        small = set(map(self._folded, _with_parts(found)))
        present = [name for name in likely if self._is_among(name, small)]
        if len(present) < len(likely):
            parts = f" {_JOINT.sub('', ' '.join(map(self._folded, found)))} "
            if 1 in map(len, found):
                initials = groupby(found, lambda word: len(word) == 1)
                parts += "".join([f" {self._folded(''.join(run))} " for single, run in initials if single])
            present += [name for name in likely if _is_joined(parts, _JOINT.sub("", self._folded(name)))]
        return [name for name in names if name not in present]

    def _is_among(self, name: str, present: set[str]) -> bool:
        """Whether a name, or all its parts between hyphens, are among words in lower case."""
        return self._folded(name) in present or all(
            map(present.__contains__, map(self._folded, self._bare(name).split("-")))
        )

    def _respelled(self, names: Sequence[str], reference: str, hypothesis: str) -> dict[str, str]:
        """Names of a reference → similar words of a hypothesis that the reference lacks."""
        spellings = {self._folded(word): word for word in _capitalized(hypothesis)}
        likely = {name: near for name in names if (near := self._similar(self._folded(name), spellings))}
        if not likely:
            return {}
        others = set(map(self._folded, _with_parts(_WORD.findall(reference))))
        found = {
            name: next(
                iter(get_close_matches(self._folded(name), [word for word in near if word not in others], 1, NEAR)), ""
            )
            for name, near in likely.items()
        }
        return {name: spellings[word] for name, word in found.items() if word}

    def _similar(self, name: str, words: Iterable[str]) -> list[str]:
        """The words that may be similar to a name, by lengths and letters; both are in lower case."""
        found, size, letters = list[str](), len(name), self._letters(name)
        for word in words if size >= NEAR_LETTERS else ():
            length = len(word)
            if length >= NEAR_LETTERS and 2 * min(size, length) / (size + length) >= NEAR:
                others = self._letters(word)
                shared = min(size - (letters & ~others).bit_count(), length - (others & ~letters).bit_count())
                if 2 * shared / (size + length) >= NEAR:
                    shared = sum([min(word.count(letter), name.count(letter)) for letter in {*name}])
                    if 2 * shared / (size + length) >= NEAR:
                        found.append(word)
        return found

    def _names(self, index: int, reference: str) -> tuple[str, ...]:
        """Names of a reference, found once for all systems."""
        key = index, reference
        if key not in self._known:
            names = tuple(dict.fromkeys(names_in(reference)))
            if names and self.sources is not None:
                present = set(map(self._bare, _with_parts(_WORD.findall(self.sources[index]))))
                names = tuple([name for name in names if self._bare(name) in present])
            self._known[key] = names
        return self._known[key]


def _with_parts(words: Iterable[str]) -> set[str]:
    """Words, and the parts of those with hyphens."""
    return {*words, *(part for word in words if "-" in word for part in word.split("-"))}


def _stands_in(text: str, name: str) -> bool:
    """Whether a name is a whole word of a text where it first occurs."""
    first = text.find(name)
    end = first + len(name)
    before, after = text[first - 1 : first], text[end : end + 1]
    return first >= 0 and not (before.isalnum() or after.isalnum() or before in _JOINTS or after in _JOINTS)


def _is_joined(words: str, name: str) -> bool:
    """Whether a name is one of these words, or two in a row."""
    return f" {name} " in words or any(f" {name[:end]} {name[end:]} " in words for end in range(1, len(name)))


def _is_plain(text: str) -> bool:
    """Whether all letters of a text are of ASCII."""
    return text.isascii() or _WIDE_LETTER.search(text) is None


def _compared(text: str) -> list[bytes]:
    """The letters of each word that all forms of a name share: small ones without ``s``, which may be an ending."""
    return text.encode().translate(_COMPARED, b"sS").split()


def _may_be_in(words: Sequence[bytes], name: Sequence[bytes]) -> bool:
    """Whether a text may have a form of a name, in one word or over several; for both see `_compared`."""
    letters = b"".join(name)
    if letters not in b"".join(words):
        return False
    text = b" %b " % b" ".join(words)
    return not letters or any(
        b" %b %b" % (letters[:end], letters[end : end + 1]) in text for end in range(1, len(letters) + 1)
    )


def _capitalized(text: str) -> list[str]:
    """The words of a text that are not in lower case."""
    if _is_plain(text):
        text = " ".join([token for token in text.split() if not token.islower()])
    return [word for word in _WORD.findall(text) if not word.islower()]


def without_endings(word: str) -> str:
    """A word without accents and without the ending of a plural or genitive."""
    plain = word if word.isascii() else "".join(sign for sign in normalize("NFD", word) if not combining(sign))
    return _ENDING.sub("", plain)


def script_of(texts: Iterable[str]) -> str:
    """The most frequent script of the first letters, such as LATIN; empty if there are none."""
    letters = islice((letter for text in texts for letter in text if letter.isalpha()), SCRIPT_LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    return max(scripts, key=scripts.__getitem__, default="")


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence; initials are not names."""
    return [word for word in _INNER_WORD.findall(text) if word[0].isupper() and len(word) > 1]
