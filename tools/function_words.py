"""Make the packaged lists of function words out of the word frequencies of wordfreq.

    pip install wordfreq==3.1.1 regex sacrebleu
    python tools/function_words.py

METEOR's rule: a function word is more than a thousandth of all words. wordfreq (Robyn Speer;
https://github.com/rspeer/wordfreq) says how often a word is used in Wikipedia, subtitles, news, books, the Web and on
social media; its data are under CC BY-SA 4.0, and so are the lists. The lists are of the languages that METEOR 1.5 has
none for. Words are split as the preset of the language splits text, but for Chinese, Japanese and Korean, whose words
wordfreq finds with the same dictionaries. Words with digits are left out, as METEOR's own lists have none.

wordfreq counts no signs, so those are added that most of METEOR's six lists have, in the forms of the script. What
wordfreq has put into another form is put back: the last sigma of Greek words; Serbian is there in both alphabets, and
Romanian also with the cedillas of older texts.

A list has the most frequent word first, then the signs. Prints what belongs into meteorlib/resources/digests.py.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import wordfreq

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib.registry import TEXTS
from meteorlib.resources.catalog import FUNCTION_WORDS, LANGUAGES, packaged_path
from meteorlib.universal.texts import COMMON_WORD_SHARE

CODES = {"sr": "sh", "tl": "fil"}
"""Languages that wordfreq has under another code."""
SCALE = ("ja", "ko", "zh")
"""Languages whose words are taken as wordfreq has them."""
ELIDED = ("ca", "it")
"""Languages whose presets part words at apostrophes: *l'home*."""

SIGNS = ',."():?-'
"""Signs that four of METEOR's six lists have."""
OWN_SIGNS = {
    "ar": "،؟",
    "bn": "।",
    "el": ";",
    "fa": "،؟",
    "hi": "।",
    "ja": "、。「」（）？：",
    "ur": "،؟۔",
    "zh": "，。、“”（）？：",
}
"""Marks in other scripts."""

CYRILLIC = [
    *zip(("lj", "nj", "dž"), "љњџ", strict=True),
    *zip("abcčćdđefghijklmnoprsštuvzž", "абцчћдђефгхијклмнопрсштувзж", strict=True),
]


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=packaged_path("wordnet-en").parent, help="the folder")
    folder = parser.parse_args().output
    for language in FUNCTION_WORDS:
        if language in LANGUAGES:
            continue
        words = [*function_words(language), *SIGNS, *OWN_SIGNS.get(language, "")]
        data = "".join(f"{word}\n" for word in dict.fromkeys(words)).encode()
        name = f"function-words-{language}"
        (folder / f"{name}.txt").write_bytes(data)
        digest, size, check = hashlib.sha256(data).hexdigest(), f"{len(data):_}", f"0x{zlib.crc32(data):08X}"
        print(f'    "{name}": ("{digest}", {size}),')  # noqa: T201
        print(f'    "{name}": {{"{name}.txt": ({size}, {check})}},')  # noqa: T201


def function_words(language: str) -> list[str]:
    """The words of a language that are more than a thousandth of all; the most frequent one first."""
    frequencies = wordfreq.get_frequency_dict(CODES.get(language, language), wordlist="best")
    if language not in SCALE:
        text = TEXTS.get("intl" if language in ELIDED else "uax29")()
        frequencies = summed(frequencies, text.words)
    common = sorted((-share, word) for word, share in frequencies.items() if share > COMMON_WORD_SHARE)
    return [form for _, word in common if not any(map(str.isdigit, word)) for form in forms(word, language)]


def summed(frequencies: Mapping[str, float], split: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """The frequencies of the words as they are split; the sum does not depend on their order."""
    parts: dict[str, list[float]] = {}
    for word, frequency in frequencies.items():
        if frequency < COMMON_WORD_SHARE / 1000:
            continue
        for part in split(word):
            parts.setdefault(part, []).append(frequency)
    return {word: math.fsum(every) for word, every in parts.items()}


def forms(word: str, language: str) -> list[str]:
    """A word of wordfreq as texts have it."""
    if language == "el" and len(word) > 1 and word.endswith("σ"):
        return [word[:-1] + "ς"]
    if language == "ro":
        return [word, word.translate(str.maketrans("șț", "şţ"))]
    if language == "sr":
        cyrillic = word
        for latin, letter in CYRILLIC:
            cyrillic = cyrillic.replace(latin, letter)
        return [word, cyrillic] if cyrillic.isalpha() and not cyrillic.isascii() else [word]
    return [word]


if __name__ == "__main__":
    main()
