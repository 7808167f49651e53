"""Vowels, regions, suffixes and steps that Porter's two English stemmers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from re import Pattern
from re import compile as pattern
from typing import Literal, NamedTuple

_VOWELS = frozenset("aeiouy")
_NO_SHORT_END = _VOWELS | frozenset("wxY")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_BEFORE_REGION = "[^aeiouy]*[aeiouy]+[^aeiouy]"


class SuffixTables(NamedTuple):
    """Suffix tables that the compiled form of a stemmer reads.

    Attributes:
        rules: variant of steps and conditions: Snowball's English, Porter's of 1980, or NLTK's.
        step_2: suffix → what replaces it.
        step_3: suffix → what replaces it.
        step_4: suffixes that are removed.
        whole_words: exceptions: word → stem.
        kept: words that are stems after the removal of -s.
        beginnings: beginnings after which the first region starts.
    """

    rules: Literal["english", "1980", "nltk"]
    step_2: Mapping[str, str]
    step_3: Mapping[str, str]
    step_4: Iterable[str]
    whole_words: Mapping[str, str] = {}
    kept: Iterable[str] = ()
    beginnings: Iterable[str] = ()


Suffixes = Mapping[str, Sequence[str]]
"""Suffixes by their last two letters, the longest first, so that most words are ruled out at once."""


def by_last_letters(suffixes: Iterable[str]) -> Suffixes:
    """Group suffixes by their last two letters, for `longest_suffix`."""
    found: dict[str, list[str]] = {}
    for suffix in sorted(suffixes, key=len, reverse=True):
        found.setdefault(suffix[-2:], []).append(suffix)
    return found


def longest_suffix(word: str, suffixes: Suffixes) -> str | None:
    """The longest of `suffixes` that `word` ends in; its last two letters must be a key of `suffixes`."""
    for suffix in suffixes[word[-2:]]:
        if word.endswith(suffix):
            return suffix
    return None


def stem_with_y(word: str, without_endings: Callable[[str], str]) -> str:
    """The stem of a word; y as a consonant is written Y for `without_endings`."""
    if "y" not in word:
        return without_endings(word)
    marked = _mark_consonants(word)
    found = without_endings(marked)
    return found if marked == word else found.replace("Y", "y")


def _mark_consonants(word: str) -> str:
    """Write Y for each y that is a consonant: at the start or after a vowel."""
    letters = list(word)
    vowel = True
    for index, letter in enumerate(letters):
        if letter == "y" and vowel:
            letters[index] = "Y"
            vowel = False
        else:
            vowel = letter in _VOWELS
    return "".join(letters)


def regions_pattern(*beginnings: str) -> Pattern[str]:
    """Pattern of the text before R1, as a group, and before R2; words with one of `beginnings` have R1 after it."""
    return pattern(rf"({'|'.join((*beginnings, _BEFORE_REGION))})(?:{_BEFORE_REGION})?")


def region_starts(word: str, before: Pattern[str]) -> tuple[int, int]:
    """Start of R1, after the first consonant that follows a vowel, and of R2, found the same way within R1."""
    end = len(word)
    found = before.match(word)
    if found is None:
        return end, end
    first, second = found.end(1), found.end()
    return first, end if second == first else second


def is_vowel(letter: str) -> bool:
    """Whether a letter is a vowel; y is, Y is not."""
    return letter in _VOWELS


def has_vowel(letters: str) -> bool:
    """Whether any of the letters is a vowel."""
    return not _VOWELS.isdisjoint(letters)


def ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable of three letters."""
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def repair_root(rest: str, first: int, is_short: Callable[[str], bool]) -> str:
    """Restore the e that a root lost before -ed or -ing, or undo the doubling of its last letter."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:] in _DOUBLES:
        return rest[:-1]
    return rest + "e" if len(rest) == first and is_short(rest) else rest


def remove_step_4_suffix(word: str, suffixes: Suffixes, second: int) -> str:
    """Step 4: remove a suffix that lies in R2."""
    ending = longest_suffix(word, suffixes)
    if ending is None:
        return word
    start = len(word) - len(ending)
    if start < second or (ending == "ion" and word[start - 1] not in "st"):
        return word
    return word[:start]
