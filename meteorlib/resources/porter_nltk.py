"""Porter's stemmer as NLTK 3.10.4 runs it by default.

Porter, An algorithm for suffix stripping, Program 14.3 (1980), with what Porter later added to his own programs and
with NLTK's changes to it (the mode ``NLTK_EXTENSIONS`` of ``nltk.stem.porter``): irregular forms, words of one or two
letters kept, short words in -ies and -ied, y → i behind consonants only, -alli first, -fulli and -logi.
"""

from __future__ import annotations

from collections.abc import Iterator

from meteorlib.resources.porter import STEP_2_NLTK, STEP_3, STEP_4, SuffixTables

IRREGULAR = {
    "dying": "die", "lying": "lie", "tying": "tie", "skies": "sky", "sky": "sky", "cannings": "canning",
    "innings": "inning", "outings": "outing",
    **{word: word for word in ("canning", "exceed", "howe", "inning", "news", "outing", "proceed", "succeed")},
}  # fmt: skip
_LONGEST_SUFFIX = 7
_ENDS_2, _ENDS_3, _ENDS_4 = (  # the last two letters rule most words out
    frozenset(suffix[-2:] for suffix in suffixes) for suffixes in ((*STEP_2_NLTK, "logi"), STEP_3, STEP_4)
)
_LAST = frozenset("sdgyel") | frozenset(suffix[-1] for suffix in (*STEP_2_NLTK, *STEP_3, *STEP_4))


def tables() -> SuffixTables:
    """Suffix tables for the compiled engine."""
    return SuffixTables("nltk", STEP_2_NLTK, STEP_3, STEP_4, IRREGULAR)


def stem(word: str) -> str:
    """The lowercase stem of `word`, which may be any string."""
    lower = word.lower()
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    if len(word) <= 2 or lower[-1] not in _LAST:
        return lower
    return _step_5(_step_4(_step_3(_step_2(_step_1c(_step_1b(_step_1a(lower)))))))


def _form(word: str) -> str:
    """Pattern of a word: c for each consonant, v for each vowel; y is a vowel after a consonant."""
    form = ""
    for letter in word:
        vowel = form[-1:] == "c" if letter == "y" else letter in "aeiou"
        form += "v" if vowel else "c"
    return form


def _measure(word: str) -> int:
    """Porter's measure m: how often a consonant follows a vowel."""
    return _form(word).count("vc")


def _is_short(word: str) -> bool:
    """Porter's condition ``*o``, and NLTK's for words of two letters."""
    form = _form(word)
    return form == "vc" or (form.endswith("cvc") and word[-1] not in "wxy")


def _suffixes(word: str) -> Iterator[tuple[str, str]]:
    """Splits of `word` into root and suffix, the longest suffix first."""
    for length in range(min(_LONGEST_SUFFIX, len(word)), 1, -1):
        yield word[:-length], word[-length:]


def _step_1a(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    root = word.removesuffix("ed") if word.endswith("ed") else word.removesuffix("ing")
    if "v" not in _form(root):
        return word
    return _repair_root(root)


def _repair_root(root: str) -> str:
    """Restore the e that a root lost before -ed or -ing, or undo the doubling of its last letter."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if root[-1] == root[-2:-1] and _form(root).endswith("c"):
        return root if root[-1] in "lsz" else root[:-1]
    if root.endswith("*d"):  # NLTK treats its own notation for a double consonant as a suffix
        return root[:-2] + "d"
    return root + "e" if _measure(root) == 1 and _is_short(root) else root


def _step_1c(word: str) -> str:
    root = word[:-1]
    return root + "i" if word.endswith("y") and len(root) > 1 and _form(root).endswith("c") else word


def _step_2(word: str) -> str:
    if word[-2:] not in _ENDS_2:
        return word
    if word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    for root, suffix in _suffixes(word):
        if suffix in STEP_2_NLTK:
            return root + STEP_2_NLTK[suffix] if _measure(root) else word
        if suffix == "logi":  # the l is counted with the stem, so that geology is treated like archaeology
            return word[:-1] if _measure(root + "l") else word
    return word


def _step_3(word: str) -> str:
    if word[-2:] not in _ENDS_3:
        return word
    for root, suffix in _suffixes(word):
        if suffix in STEP_3:
            return root + STEP_3[suffix] if _measure(root) else word
    return word


def _step_4(word: str) -> str:
    if word[-2:] not in _ENDS_4:
        return word
    for root, suffix in _suffixes(word):
        if suffix in STEP_4:
            return root if _measure(root) > 1 and (suffix != "ion" or root[-1] in "st") else word
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        measure = _measure(root)
        if measure > 1 or (measure == 1 and not _is_short(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
