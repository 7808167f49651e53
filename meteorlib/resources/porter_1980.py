"""Porter's first stemmer, of 1980, as Snowball has it: METEOR 2005's.

Written from its description (M. Porter, "The Porter stemming algorithm", snowballstem.org), for speed, like `english`.
The tests compare it with the generated code of snowballstemmer 1.2.1 on every word they can lay hands on.
"""

from __future__ import annotations

from re import compile as pattern

_VOWELS = frozenset("aeiouy")
_NO_SHORT_END = _VOWELS | frozenset("wxY")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_REGION = pattern(r"[^aeiouy]*[aeiouy]+[^aeiouy]")
_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "eli": "e", "izer": "ize",
    "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alli": "al", "alism": "al", "aliti": "al",
    "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ative": "", "ful": "", "ness": ""}
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(), ""  # noqa: SIM905
)  # fmt: skip
_ENDS_2, _ENDS_3, _ENDS_4 = (  # most words are told by their last two letters to have none
    frozenset(suffix[-2:] for suffix in suffixes) for suffixes in (_STEP_2, _STEP_3, _STEP_4)
)
_LAST = frozenset("sdgyYel") | frozenset(end[1] for ends in (_ENDS_2, _ENDS_3, _ENDS_4) for end in ends)


def stem(word: str) -> str:
    """The stem of a word; capital letters are taken for consonants, as the original does."""
    if word[-1:] not in _LAST and "Y" not in word:
        return word
    if "y" not in word:
        return _without_endings(word)
    marked = _marked(word)
    found = _without_endings(marked)
    return found if marked == word else found.replace("Y", "y")


def _marked(word: str) -> str:
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


def _without_endings(word: str) -> str:
    first, second = _regions(word)
    if word[-1] == "s":
        word = _step_1a(word)
    if word.endswith(("ed", "ing")):
        word = _step_1b(word, first)
    if word.endswith(("y", "Y")) and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _replaced(word, _STEP_2, first)
    if word[-2:] in _ENDS_3:
        word = _replaced(word, _STEP_3, first)
    if word[-2:] in _ENDS_4:
        word = _step_4(word, second)
    return _step_5(word, first, second)


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin: behind the first consonant that follows a vowel; the same again behind that."""
    found = _REGION.match(word)
    if found is None:
        return len(word), len(word)
    first = found.end()
    found = _REGION.match(word, first)
    return first, len(word) if found is None else found.end()


def _has_vowel(letters: str) -> bool:
    return not _VOWELS.isdisjoint(letters)


def _ends_short(word: str) -> bool:
    """Whether `word` ends in a short syllable."""
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _suffix(word: str, suffixes: dict[str, str]) -> str:
    """The longest of `suffixes` that `word` ends in, or nothing."""
    return next((word[-length:] for length in range(min(7, len(word)), 1, -1) if word[-length:] in suffixes), "")


def _replaced(word: str, suffixes: dict[str, str], first: int) -> str:
    ending = _suffix(word, suffixes)
    start = len(word) - len(ending)
    return word[:start] + suffixes[ending] if ending and start >= first else word


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _step_1b(word: str, first: int) -> str:
    if word.endswith("eed"):
        return word[:-1] if len(word) - 3 >= first else word
    rest = word[:-2] if word.endswith("ed") else word[:-3]
    if not _has_vowel(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:] in _DOUBLES:
        return rest[:-1]
    return rest + "e" if len(rest) == first and _ends_short(rest) else rest


def _step_4(word: str, second: int) -> str:
    ending = _suffix(word, _STEP_4)
    start = len(word) - len(ending)
    if not ending or start < second or (ending == "ion" and word[start - 1] not in "st"):
        return word
    return word[:start]


def _step_5(word: str, first: int, second: int) -> str:
    end = len(word) - 1
    if word.endswith("e") and (end >= second or (end >= first and not _ends_short(word[:end]))):
        word = word[:end]
        end -= 1
    return word[:end] if word.endswith("ll") and end >= second else word
