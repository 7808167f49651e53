"""Porter's original stemmer of 1980 in Snowball's version, used by METEOR 2005.

Written from its description (M. Porter, "The Porter stemming algorithm", snowballstem.org), for speed, like `porter2`.
The tests compare it with the generated code of snowballstemmer 1.2.1 on every word available to them.
"""

from __future__ import annotations

from collections.abc import Mapping

from meteorlib.resources.stemmers.porter_steps import (
    Suffixes,
    SuffixTables,
    by_last_letters,
    ends_short,
    has_vowel,
    longest_suffix,
    region_starts,
    regions_pattern,
    remove_step_4_suffix,
    repair_root,
    stem_with_y,
)

_BEFORE_REGIONS = regions_pattern()
STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "eli": "e", "izer": "ize",
    "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alli": "al", "alism": "al", "aliti": "al",
    "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
STEP_3 = {"alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ative": "", "ful": "", "ness": ""}
STEP_4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()  # noqa: SIM905
_ENDS_2, _ENDS_3, _ENDS_4 = by_last_letters(STEP_2), by_last_letters(STEP_3), by_last_letters(STEP_4)
_LAST = frozenset("sdgyYel") | frozenset(end[1] for ends in (_ENDS_2, _ENDS_3, _ENDS_4) for end in ends)


def tables() -> SuffixTables:
    """Suffix tables for the compiled engine."""
    return SuffixTables("1980", STEP_2, STEP_3, STEP_4)


def stem(word: str) -> str:
    """The stem of a word; uppercase letters count as consonants, as in the original."""
    if word[-1:] not in _LAST and "Y" not in word:
        return word
    return stem_with_y(word, _remove_endings)


def _remove_endings(word: str) -> str:
    first, second = region_starts(word, _BEFORE_REGIONS)
    if word[-1] == "s":
        word = _step_1a(word)
    if word.endswith(("ed", "ing")):
        word = _step_1b(word, first)
    if word.endswith(("y", "Y")) and has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _replace_suffix(word, _ENDS_2, STEP_2, first)
    if word[-2:] in _ENDS_3:
        word = _replace_suffix(word, _ENDS_3, STEP_3, first)
    if word[-2:] in _ENDS_4:
        word = remove_step_4_suffix(word, _ENDS_4, second)
    return _step_5(word, first, second)


def _replace_suffix(word: str, suffixes: Suffixes, replacements: Mapping[str, str], first: int) -> str:
    ending = longest_suffix(word, suffixes)
    if ending is None:
        return word
    start = len(word) - len(ending)
    return word[:start] + replacements[ending] if start >= first else word


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _step_1b(word: str, first: int) -> str:
    if word.endswith("eed"):
        return word[:-1] if len(word) - 3 >= first else word
    rest = word[:-2] if word.endswith("ed") else word[:-3]
    return repair_root(rest, first, ends_short) if has_vowel(rest) else word


def _step_5(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not ends_short(word[:end]))):
        word = word[:end]
        end -= 1
    return word[:end] if word.endswith("ll") and end >= second else word
