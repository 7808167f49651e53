"""METEOR 1.5's English stemmer: Snowball's of about 2010, also called Porter2.

Written from its description (M. Porter, "The English (Porter2) stemming algorithm", snowballstem.org), for speed: the
generated code of snowballstemmer takes 45 µs a word, which is more than all the rest of a segment. The tests compare
the two on every word available to them.
"""

from __future__ import annotations

from meteorlib.resources.stemmers.porter_steps import (
    SuffixTables,
    by_last_letters,
    ends_short,
    has_vowel,
    is_vowel,
    longest_suffix,
    region_starts,
    regions_pattern,
    remove_step_4_suffix,
    repair_root,
    stem_with_y,
)

WHOLE_WORDS = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
KEPT = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}
_Y = frozenset("yY")
_E_OR_L = frozenset("el")
_KEPT_S = frozenset(("us", "ss"))
_BEFORE_LI = frozenset("cdeghkmnrt")

BEGINNINGS = ("gener", "commun", "arsen")
_BEFORE_REGIONS = regions_pattern(*BEGINNINGS)

STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize", "ization": "ize",
    "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "ogi": "og",
    "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
STEP_3 = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
}  # fmt: skip
STEP_4 = "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split()  # noqa: SIM905

_ENDS_2, _ENDS_3, _ENDS_4 = by_last_letters(STEP_2), by_last_letters(STEP_3), by_last_letters(STEP_4)
_ENDS_1B = {"ed": ("eed", "ed"), "ng": ("ing",), "ly": ("eedly", "ingly", "edly")}
# Words with other endings are stems, apart from an initial apostrophe.
_LAST = frozenset("sey'Y")
_ENDS = frozenset(("ed", "ng", "ll", *_ENDS_2, *_ENDS_3, *_ENDS_4))


def tables() -> SuffixTables:
    """Suffix tables for the compiled engine."""
    return SuffixTables("english", STEP_2, STEP_3, STEP_4, WHOLE_WORDS, KEPT, BEGINNINGS)


def stem(word: str) -> str:
    """The stem of a word; uppercase letters count as consonants, as in the original."""
    if len(word) < 3:
        return word
    if word[-1] not in _LAST and word[-2:] not in _ENDS and "Y" not in word:
        return word.removeprefix("'")
    if word in WHOLE_WORDS:
        return WHOLE_WORDS[word]
    return stem_with_y(word.removeprefix("'"), _remove_endings)


def _remove_endings(word: str) -> str:
    whole = word
    if word[-1] in "s'" or word.endswith("ied"):
        word = _step_1a(word)
        if word[-1:] not in _LAST and word[-2:] not in _ENDS:
            return word
    first, second = region_starts(whole, _BEFORE_REGIONS)
    if word[-2:] in _ENDS_1B:
        if word in KEPT:
            return word
        word = _step_1b(word, first)
    if word[-1:] in _Y and len(word) > 2 and not is_vowel(word[-2]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _step_2(word, first)
    if word[-2:] in _ENDS_3:
        word = _step_3(word, first, second)
    if word[-2:] in _ENDS_4:
        word = remove_step_4_suffix(word, _ENDS_4, second)
    return _step_5(word, first, second) if word[-1:] in _E_OR_L else word


def _ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable; two letters can be one, too."""
    return is_vowel(word[0]) and not is_vowel(word[1]) if len(word) == 2 else ends_short(word)


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
    if word.endswith("s") and word[-2:] not in _KEPT_S and has_vowel(word[:-2]):
        return word[:-1]
    return word


def _step_1b(word: str, first: int) -> str:
    ending = longest_suffix(word, _ENDS_1B)
    if ending is None:
        return word
    rest = word[: -len(ending)]
    if ending.startswith("eed"):
        return rest + "ee" if len(rest) >= first else word
    return repair_root(rest, first, _ends_short) if has_vowel(rest) else word


def _step_2(word: str, first: int) -> str:
    ending = longest_suffix(word, _ENDS_2)
    if ending is None:
        return word
    start = len(word) - len(ending)
    if start < first:
        return word
    before = word[start - 1] if start else ""
    if (ending == "li" and before not in _BEFORE_LI) or (ending == "ogi" and before != "l"):
        return word
    return word[:start] + STEP_2[ending]


def _step_3(word: str, first: int, second: int) -> str:
    ending = longest_suffix(word, _ENDS_3)
    if ending is None or len(word) - len(ending) < (second if ending == "ative" else first):
        return word
    return word[: -len(ending)] + STEP_3[ending]


def _step_5(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not _ends_short(word[:end]))):
        return word[:end]
    if word.endswith("ll") and end >= second:
        return word[:end]
    return word
