"""Names: capitalized words within a sentence, and which of them a hypothesis lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import groupby, islice, pairwise
from unicodedata import combining, normalize
from unicodedata import name as character_name

from attrs import field, frozen

SCRIPT_LETTERS = 10_000
"""Letters by which the script of texts is known."""

NEAR = 0.8
NEAR_LETTERS = 4
"""Minimum similarity (`difflib`) and length of two spellings of a name: Griboyedov and Griboedov, not EU and EUR."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_JOINT = re.compile("[-'’]")

_ENDING = re.compile("['’]?s$", re.IGNORECASE)

_OPENING = "\"“‘'("
_WITHIN_SENTENCE = "_,;)’'\"”"
"""Characters besides letters and digits after which a word begins no sentence."""


@frozen
class Names:
    """Names of the references, and whether hypotheses have them.

    Case, accents, spaces, apostrophes, points of initials, and the ending of a plural or genitive do not matter.

    Attributes:
        sources: source of each segment, if its script is the references': only names that stand there, too, letter by
            letter, count; None: all do.
    """

    sources: Sequence[str] | None
    _bare: Callable[[str], str] = field(init=False, factory=lambda: cache(without_endings))
    _folded: Callable[[str], str] = field(
        init=False, factory=lambda: cache(lambda word: without_endings(word).casefold())
    )
    _known: dict[tuple[int, str], dict[str, str]] = field(init=False, factory=dict)

    def found(self, references: Sequence[str], hypotheses: Sequence[str]) -> tuple[dict[int, str], dict[int, str]]:
        """Index of each segment that lacks names → these names; the same for names with a similar word instead."""
        lacking, respelled = {}, {}
        for index, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
            names = self._names(index, reference)
            if not names:
                continue
            present = _words(hypothesis)
            absent = [name for name in names if name not in present]
            if absent:
                folded = set(map(self._folded, present))
                absent = [name for name in absent if not self._is_among(names[name], folded)]
            if not absent:
                continue
            words = [(self._bare(word).casefold(), word) for word in _WORD.findall(hypothesis)]
            joined = {_JOINT.sub("", word) for word, _ in words}
            joined |= {_JOINT.sub("", one + other) for (one, _), (other, _) in pairwise(words)}
            initials = groupby((word for _, word in words), lambda word: len(word) == 1)
            joined |= {self._bare("".join(run)).casefold() for single, run in initials if single}
            absent = [name for name in absent if _JOINT.sub("", names[name]).casefold() not in joined]
            others = set(map(self._folded, _words(reference)))
            spellings = {folded: word for folded, word in words if folded not in others and not word.islower()}
            near = {name: spellings[word] for name in absent if (word := _near(names[name].casefold(), spellings))}
            if len(near) < len(absent):
                lacking[index] = f"missing: {', '.join(name for name in absent if name not in near)}"
            if near:
                respelled[index] = ", ".join(f"{name}: {word}" for name, word in near.items())
        return lacking, respelled

    def _is_among(self, bare: str, present: set[str]) -> bool:
        """Whether a name, or all its parts between hyphens, are among words in lower case."""
        return bare.casefold() in present or all(self._folded(part) in present for part in bare.split("-"))

    def _names(self, index: int, reference: str) -> dict[str, str]:
        """Names of a reference with their bare forms, found once for all systems."""
        key = index, reference
        if key not in self._known:
            names = {name: self._bare(name) for name in names_in(reference)}
            if names and self.sources is not None:
                present = set(map(self._bare, _words(self.sources[index])))
                names = {name: bare for name, bare in names.items() if bare in present}
            self._known[key] = names
        return self._known[key]


def _words(text: str) -> set[str]:
    """The words of a text, and the parts of those with hyphens."""
    words = set(_WORD.findall(text))
    return words.union(*(word.split("-") for word in words if "-" in word)) if "-" in text else words


def _near(name: str, words: Iterable[str]) -> str | None:
    """The word that is most similar to a name; both are in lower case."""
    candidates = [word for word in words if min(len(word), len(name)) >= NEAR_LETTERS]
    return next(iter(get_close_matches(name, candidates, 1, NEAR)), None)


def without_endings(word: str) -> str:
    """A word without accents and without the ending of a plural or genitive."""
    plain = word if word.isascii() else "".join(one for one in normalize("NFD", word) if not combining(one))
    return _ENDING.sub("", plain)


def script_of(texts: Iterable[str]) -> str:
    """The most frequent script of the first letters, such as LATIN; empty if there are none."""
    letters = islice((letter for text in texts for letter in text if letter.isalpha()), SCRIPT_LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    return max(scripts, key=scripts.__getitem__, default="")


def names_in(text: str) -> list[str]:
    """Capitalized words that begin no sentence; initials are not names."""
    found, end = [], 0
    for match in _WORD.finditer(text):
        # a word is preceded by the last letter of the one before: a look at all the text would take quadratic time
        if match[0][0].isupper() and len(match[0]) > 1 and _is_within(text[max(end - 1, 0) : match.start()]):
            found.append(match[0])
        end = match.end()
    return found


def _is_within(before: str) -> bool:
    """Whether a word after this text begins no sentence."""
    if before and before[-1] in _OPENING:
        before = before[:-1]
    rest = before.rstrip()
    return len(rest) < len(before) and bool(rest) and (rest[-1].isalnum() or rest[-1] in _WITHIN_SENTENCE)
