"""The English stemmer that METEOR 1.5 carries: Snowball's of about 2010, also called Porter2.

Written from its description (M. Porter, "The English (Porter2) stemming algorithm", snowballstem.org), for speed: the
generated code of snowballstemmer takes 45 µs a word, which is more than all the rest of a segment. The tests compare
the two on every word they can lay hands on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from re import compile as pattern

_WHOLE_WORDS = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
_KEPT = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}
_VOWELS = frozenset("aeiouy")
_NO_SHORT_END = _VOWELS | frozenset("wxY")
_Y = frozenset("yY")
_E_OR_L = frozenset("el")
_KEPT_S = frozenset(("us", "ss"))
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_BEFORE_LI = frozenset("cdeghkmnrt")

_BEFORE_REGION = "[^aeiouy]*[aeiouy]+[^aeiouy]"
_REGIONS = pattern(rf"(gener|commun|arsen|{_BEFORE_REGION})(?:{_BEFORE_REGION})?")

_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize", "ization": "ize",
    "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "ogi": "og",
    "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
_STEP_3 = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(), ""  # noqa: SIM905
)  # fmt: skip


Suffixes = Mapping[str, Sequence[str]]
"""Suffixes by their last two letters, the longest first: most words are told from them at once."""


def _by_ends(suffixes: Iterable[str]) -> Suffixes:
    found: dict[str, list[str]] = {}
    for suffix in sorted(suffixes, key=len, reverse=True):
        found.setdefault(suffix[-2:], []).append(suffix)
    return found


_ENDS_2, _ENDS_3, _ENDS_4 = _by_ends(_STEP_2), _by_ends(_STEP_3), _by_ends(_STEP_4)
_ENDS_1B = {"ed": ("eed", "ed"), "ng": ("ing",), "ly": ("eedly", "ingly", "edly")}
# Words that end otherwise are stems, apart from an apostrophe at their start.
_LAST = frozenset("sey'Y")
_ENDS = frozenset(("ed", "ng", "ll", *_ENDS_2, *_ENDS_3, *_ENDS_4))


def stem(word: str) -> str:
    """The stem of a word; capital letters are taken for consonants, as the original does."""
    if len(word) < 3:
        return word
    if word[-1] not in _LAST and word[-2:] not in _ENDS and "Y" not in word:
        return word.removeprefix("'")
    if word in _WHOLE_WORDS:
        return _WHOLE_WORDS[word]
    word = word.removeprefix("'")
    if "y" not in word:
        return _without_endings(word)
    marked = _mark_consonants(word)
    found = _without_endings(marked)
    return found if marked == word else found.replace("Y", "y")


def _without_endings(word: str) -> str:
    whole = word
    if word[-1] in "s'" or word.endswith("ied"):
        word = _step_1a(word)
        if word[-1:] not in _LAST and word[-2:] not in _ENDS:
            return word
    first, second = _regions(whole)
    if word[-2:] in _ENDS_1B:
        if word in _KEPT:
            return word
        word = _step_1b(word, first)
    if word[-1:] in _Y and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _step_2(word, first)
    if word[-2:] in _ENDS_3:
        word = _step_3(word, first, second)
    if word[-2:] in _ENDS_4:
        word = _step_4(word, second)
    return _step_5(word, first, second) if word[-1:] in _E_OR_L else word


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


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin: behind the first consonant that follows a vowel; the same again behind that."""
    end = len(word)
    found = _REGIONS.match(word)
    if found is None:
        return end, end
    first, second = found.end(1), found.end()
    return first, end if second == first else second


def _suffix(word: str, suffixes: Suffixes) -> str | None:
    """The longest of `suffixes` that `word` ends in; its last two letters are those of one."""
    for suffix in suffixes[word[-2:]]:
        if word.endswith(suffix):
            return suffix
    return None


def _has_vowel(letters: str) -> bool:
    return not _VOWELS.isdisjoint(letters)


def _ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _step_1a(word: str) -> str:
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


def _step_1b(word: str, first: int) -> str:
    ending = _suffix(word, _ENDS_1B)
    if ending is None:
        return word
    rest = word[: -len(ending)]
    if ending.startswith("eed"):
        return rest + "ee" if len(rest) >= first else word
    return _repaired(rest, first) if _has_vowel(rest) else word


def _repaired(rest: str, first: int) -> str:
    """What is left of a word without -ed or -ing, with the e that was lost, without the letter that was doubled."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:] in _DOUBLES:
        return rest[:-1]
    return rest + "e" if len(rest) == first and _ends_short(rest) else rest


def _step_2(word: str, first: int) -> str:
    ending = _suffix(word, _ENDS_2)
    if ending is None:
        return word
    start = len(word) - len(ending)
    if start < first:
        return word
    before = word[start - 1] if start else ""
    if (ending == "li" and before not in _BEFORE_LI) or (ending == "ogi" and before != "l"):
        return word
    return word[:start] + _STEP_2[ending]


def _step_3(word: str, first: int, second: int) -> str:
    ending = _suffix(word, _ENDS_3)
    if ending is None or len(word) - len(ending) < (second if ending == "ative" else first):
        return word
    return word[: -len(ending)] + _STEP_3[ending]


def _step_4(word: str, second: int) -> str:
    ending = _suffix(word, _ENDS_4)
    if ending is None:
        return word
    start = len(word) - len(ending)
    if start < second or (ending == "ion" and word[start - 1] not in "st"):
        return word
    return word[:start]


def _step_5(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not _ends_short(word[:end]))):
        return word[:end]
    if word.endswith("ll") and end >= second:
        return word[:end]
    return word
