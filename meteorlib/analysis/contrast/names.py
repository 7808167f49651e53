"""Names of references, found by their capitals, and whether hypotheses have them, also in other spellings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import groupby
from string import ascii_letters
from unicodedata import combining, normalize

from attrs import field, frozen

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


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence; initials are not names."""
    return [word for word in _INNER_WORD.findall(text) if word[0].isupper() and len(word) > 1]
