"""Porter's two English stemmers, written from their descriptions (M. Porter, snowballstem.org), for speed.

`stem_english` is METEOR 1.5's: Snowball's of about 2010, "The English (Porter2) stemming algorithm". `stem_1980` is
METEOR 2005's: Snowball's version of "The Porter stemming algorithm". Snowballstemmer's generated code takes 45 µs a
word, which is more than all the rest of a segment. The tests compare both with that code (of 1980's: version 1.2.1) on
every word available to them. The suffix tables are also those of NLTK's stemmer (`porter_nltk`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from re import Pattern
from re import compile as pattern
from typing import Literal, NamedTuple

_COMMON_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "entli": "ent", "izer": "ize", "ization": "ize", "ational": "ate",
    "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful", "ousli": "ous",
    "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
STEP_2_1980 = _COMMON_STEP_2 | {"abli": "able", "eli": "e"}
STEP_2_NLTK = _COMMON_STEP_2 | {"bli": "ble", "eli": "e", "fulli": "ful"}
STEP_2_ENGLISH = _COMMON_STEP_2 | {
    "abli": "able", "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
STEP_3 = {"alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ative": "", "ful": "", "ness": ""}
STEP_3_ENGLISH = STEP_3 | {"tional": "tion", "ational": "ate"}
STEP_4_ENGLISH = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(),  # noqa: SIM905
    "",
)
STEP_4 = STEP_4_ENGLISH | {"ou": ""}

_VOWELS = frozenset("aeiouy")
_NO_SHORT_END = _VOWELS | frozenset("wxY")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_BEFORE_REGION = "[^aeiouy]*[aeiouy]+[^aeiouy]"


class SuffixTables(NamedTuple):
    """Suffix tables that the compiled form of a stemmer reads.

    Attributes:
        rules: variant of steps and conditions: Snowball's English, Porter's of 1980, or NLTK's.
        step_2, step_3: suffix → what replaces it.
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


_Suffixes = Mapping[str, Sequence[tuple[str, str]]]
"""Suffixes with what replaces them, the longest first, by their last two letters, which rule most words out at once."""


def _by_last_letters(replacements: Mapping[str, str]) -> _Suffixes:
    suffixes: dict[str, list[tuple[str, str]]] = {}
    for suffix in sorted(replacements, key=len, reverse=True):
        suffixes.setdefault(suffix[-2:], []).append((suffix, replacements[suffix]))
    return suffixes


_LETTERS_BEFORE = {"li": frozenset("cdeghkmnrt"), "ogi": frozenset("l"), "ion": frozenset("st")}
"""Letters behind one of which a suffix must stand to be replaced."""


def _replace_suffix(word: str, suffixes: _Suffixes, begin: int) -> str:
    """Replace the longest of `suffixes`, if it does not begin before `begin`; the word's last two letters are a key."""
    for suffix, replacement in suffixes[word[-2:]]:
        if word.endswith(suffix):
            start = len(word) - len(suffix)
            if start < begin or word[start - 1 : start] not in _LETTERS_BEFORE.get(suffix, word):
                return word
            return word[:start] + replacement
    return word


def _stem_with_y(word: str, without_endings: Callable[[str], str]) -> str:
    """The stem of a word; y as a consonant is written Y for `without_endings`."""
    if "y" not in word:
        return without_endings(word)
    marked = _mark_consonants(word)
    stem = without_endings(marked)
    return stem if marked == word else stem.replace("Y", "y")


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


def _regions_pattern(*beginnings: str) -> Pattern[str]:
    """Pattern of the text before R1, as a group, and before R2; words with one of `beginnings` have R1 after it."""
    return pattern(rf"({'|'.join((*beginnings, _BEFORE_REGION))})(?:{_BEFORE_REGION})?")


def _region_starts(word: str, before: Pattern[str]) -> tuple[int, int]:
    """Start of R1, after the first consonant that follows a vowel, and of R2, found the same way within R1."""
    end = len(word)
    regions = before.match(word)
    if regions is None:
        return end, end
    first, second = regions.end(1), regions.end()
    return first, end if second == first else second


def _has_vowel(letters: str) -> bool:
    return not _VOWELS.isdisjoint(letters)


def _ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable of three letters."""
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _repair_root(rest: str, first: int, is_short: Callable[[str], bool]) -> str:
    """Restore the e that a root lost before -ed or -ing, or undo the doubling of its last letter."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:] in _DOUBLES:
        return rest[:-1]
    return rest + "e" if len(rest) == first and is_short(rest) else rest


WHOLE_WORDS = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
KEPT = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}
_Y = frozenset("yY")
_E_OR_L = frozenset("el")
_KEPT_S = frozenset(("us", "ss"))

BEGINNINGS = ("gener", "commun", "arsen")
_BEFORE_REGIONS_ENGLISH = _regions_pattern(*BEGINNINGS)

_ENDS_2, _ENDS_3, _ENDS_4 = map(_by_last_letters, (STEP_2_ENGLISH, STEP_3_ENGLISH, STEP_4_ENGLISH))
_ENDS_1B = {"ed": ("eed", "ed"), "ng": ("ing",), "ly": ("eedly", "ingly", "edly")}
# Words with other endings are stems, apart from an initial apostrophe.
_LAST = frozenset("sey'Y")
_ENDS = frozenset(("ed", "ng", "ll", *_ENDS_2, *_ENDS_3, *_ENDS_4))


def english_tables() -> SuffixTables:
    """Suffix tables of `stem_english` for the compiled engine."""
    return SuffixTables("english", STEP_2_ENGLISH, STEP_3_ENGLISH, STEP_4_ENGLISH, WHOLE_WORDS, KEPT, BEGINNINGS)


def stem_english(word: str) -> str:
    """The stem of a word; uppercase letters count as consonants, as in the original."""
    if len(word) < 3:
        return word
    if word[-1] not in _LAST and word[-2:] not in _ENDS and "Y" not in word:
        return word.removeprefix("'")
    if word in WHOLE_WORDS:
        return WHOLE_WORDS[word]
    return _stem_with_y(word.removeprefix("'"), _remove_endings_english)


def _remove_endings_english(word: str) -> str:
    whole = word
    if word[-1] in "s'" or word.endswith("ied"):
        word = _step_1a_english(word)
        if word[-1:] not in _LAST and word[-2:] not in _ENDS:
            return word
    first, second = _region_starts(whole, _BEFORE_REGIONS_ENGLISH)
    if word[-2:] in _ENDS_1B:
        if word in KEPT:
            return word
        word = _step_1b_english(word, first)
    if word[-1:] in _Y and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _replace_suffix(word, _ENDS_2, first)
    if word[-2:] in _ENDS_3:
        word = _replace_suffix(word, _ENDS_3, second if word.endswith("ative") else first)
    if word[-2:] in _ENDS_4:
        word = _replace_suffix(word, _ENDS_4, second)
    return _step_5_english(word, first, second) if word[-1:] in _E_OR_L else word


def _ends_short_english(word: str) -> bool:
    """Whether `word` ends in a short syllable; two letters can be one, too."""
    return word[0] in _VOWELS and word[1] not in _VOWELS if len(word) == 2 else _ends_short(word)


def _step_1a_english(word: str) -> str:
    if "'" in word:
        for ending in ("'s'", "'s", "'"):
            if word.endswith(ending):
                word = word.removesuffix(ending)
                break
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and word[-2:] not in _KEPT_S and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _step_1b_english(word: str, first: int) -> str:
    ending = next((ending for ending in _ENDS_1B[word[-2:]] if word.endswith(ending)), None)
    if ending is None:
        return word
    rest = word[: -len(ending)]
    if ending.startswith("eed"):
        return rest + "ee" if len(rest) >= first else word
    return _repair_root(rest, first, _ends_short_english) if _has_vowel(rest) else word


def _step_5_english(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not _ends_short_english(word[:end]))):
        return word[:end]
    if word.endswith("ll") and end >= second:
        return word[:end]
    return word


_BEFORE_REGIONS_1980 = _regions_pattern()
_ENDS_2_1980, _ENDS_3_1980, _ENDS_4_1980 = map(_by_last_letters, (STEP_2_1980, STEP_3, STEP_4))
_LAST_1980 = frozenset("sdgyYel") | frozenset(
    end[1] for ends in (_ENDS_2_1980, _ENDS_3_1980, _ENDS_4_1980) for end in ends
)


def tables_1980() -> SuffixTables:
    """Suffix tables of `stem_1980` for the compiled engine."""
    return SuffixTables("1980", STEP_2_1980, STEP_3, STEP_4)


def stem_1980(word: str) -> str:
    """The stem of a word; uppercase letters count as consonants, as in the original."""
    if word[-1:] not in _LAST_1980 and "Y" not in word:
        return word
    return _stem_with_y(word, _remove_endings_1980)


def _remove_endings_1980(word: str) -> str:
    first, second = _region_starts(word, _BEFORE_REGIONS_1980)
    if word[-1] == "s":
        word = _step_1a_1980(word)
    if word.endswith(("ed", "ing")):
        word = _step_1b_1980(word, first)
    if word.endswith(("y", "Y")) and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2_1980:
        word = _replace_suffix(word, _ENDS_2_1980, first)
    if word[-2:] in _ENDS_3_1980:
        word = _replace_suffix(word, _ENDS_3_1980, first)
    if word[-2:] in _ENDS_4_1980:
        word = _replace_suffix(word, _ENDS_4_1980, second)
    return _step_5_1980(word, first, second)


def _step_1a_1980(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _step_1b_1980(word: str, first: int) -> str:
    if word.endswith("eed"):
        return word[:-1] if len(word) - 3 >= first else word
    rest = word[:-2] if word.endswith("ed") else word[:-3]
    return _repair_root(rest, first, _ends_short) if _has_vowel(rest) else word


def _step_5_1980(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not _ends_short(word[:end]))):
        word = word[:end]
        end -= 1
    return word[:end] if word.endswith("ll") and end >= second else word
