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
    """What the compiled form of a stemmer reads.

    Attributes:
        rules: whose steps and conditions: Snowball's English, Porter's of 1980, or NLTK's.
        step_2: suffix → what replaces it.
        step_3: suffix → what replaces it.
        step_4: suffixes that are removed.
        whole_words: word → its stem, for exceptions.
        kept: words that are stems once their -s is gone.
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
"""Suffixes by their last two letters, the longest first: most words are told from them at once."""


def by_last_letters(suffixes: Iterable[str]) -> Suffixes:
    """Suffixes to be looked for with `longest_suffix`."""
    found: dict[str, list[str]] = {}
    for suffix in sorted(suffixes, key=len, reverse=True):
        found.setdefault(suffix[-2:], []).append(suffix)
    return found


def longest_suffix(word: str, suffixes: Suffixes) -> str | None:
    """The longest of `suffixes` that `word` ends in; its last two letters are those of one."""
    for suffix in suffixes[word[-2:]]:
        if word.endswith(suffix):
            return suffix
    return None


def stem_with_y(word: str, without_endings: Callable[[str], str]) -> str:
    """The stem of a word whose y's are vowels, or else Y."""
    if "y" not in word:
        return without_endings(word)
    marked = _mark_consonants(word)
    found = without_endings(marked)
    return found if marked == word else found.replace("Y", "y")


def _mark_consonants(word: str) -> str:
    """Write Y for a y that is a consonant: the first letter, or behind a vowel."""
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
    """What stands before R1, as a group, and before R2; `beginnings` of words stand before R1 as they are."""
    return pattern(rf"({'|'.join((*beginnings, _BEFORE_REGION))})(?:{_BEFORE_REGION})?")


def region_starts(word: str, before: Pattern[str]) -> tuple[int, int]:
    """Where R1 and R2 begin: behind the first consonant that follows a vowel; the same again behind that."""
    end = len(word)
    found = before.match(word)
    if found is None:
        return end, end
    first, second = found.end(1), found.end()
    return first, end if second == first else second


def is_vowel(letter: str) -> bool:
    """Whether a letter is a vowel; y is one, Y is none."""
    return letter in _VOWELS


def has_vowel(letters: str) -> bool:
    """Whether one of the letters is a vowel."""
    return not _VOWELS.isdisjoint(letters)


def ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable, of three letters."""
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def repair_root(rest: str, first: int, is_short: Callable[[str], bool]) -> str:
    """What is left of a word without -ed or -ing, with the e that was lost, without the letter that was doubled."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:] in _DOUBLES:
        return rest[:-1]
    return rest + "e" if len(rest) == first and is_short(rest) else rest


def remove_step_4_suffix(word: str, suffixes: Suffixes, second: int) -> str:
    """A word without what is left of its suffixes in R2: step 4."""
    ending = longest_suffix(word, suffixes)
    if ending is None:
        return word
    start = len(word) - len(ending)
    if start < second or (ending == "ion" and word[start - 1] not in "st"):
        return word
    return word[:start]
