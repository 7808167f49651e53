"""Make the packaged table of word weights out of the word frequencies of wordfreq.

    pip install wordfreq==3.1.1
    python tools/word_weights.py

wordfreq (Robyn Speer; https://github.com/rspeer/wordfreq) says how often a word is used in Wikipedia, subtitles, news,
books, the Web and on social media; its data are under CC BY-SA 4.0, and so is the table. Its words are split as
METEOR splits text (``don't`` → ``don 't``), and the parts' frequencies are summed. The table has for each word
its information in whole numbers of 1/10,000: −ln of the chance that a text of 40 words has it, in units of
ln 1,000,000. Words that are rarer than one in a million are not there, and no numbers of several digits, for which
wordfreq has shapes only (``0000``); their information is 1. The same release of wordfreq gives the same bytes.
Prints the number of words.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import wordfreq

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib import Scorer
from meteorlib.core.segment import SCALE
from meteorlib.engine.build import make_text
from meteorlib.resources.catalog import packaged_path
from meteorlib.resources.store.record_table import RecordTable

TEXT = 40
"""Words of a text."""
RAREST = 1e-6
"""The share of all words that a word must have to be in the table."""
SHAPE = 2
"""Digits of which wordfreq makes a shape."""
CODES = {"cz": "cs"}
"""METEOR's codes of languages that wordfreq has under another one."""


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="en", help="METEOR's code of the language; default: en")
    parser.add_argument("--output", type=Path, help="default: information-XX.records in the package")
    arguments = parser.parse_args()
    language = arguments.language
    target = arguments.output or packaged_path("wordnet-en").parent / f"information-{language}.records"
    frequencies = wordfreq.get_frequency_dict(CODES.get(language, language), wordlist="best")
    text = make_text(Scorer(f"meteor-1.5-{language}-core").config)
    table = information(summed(frequencies, text.words))
    write_table(table, target)
    print(len(table), "words")  # noqa: T201


def summed(frequencies: Mapping[str, float], split: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """The frequencies of METEOR's words; the sum does not depend on the order of the words."""
    parts: dict[str, list[float]] = {}
    for word, frequency in frequencies.items():
        for part in split(word):
            parts.setdefault(part, []).append(frequency)
    return {word: math.fsum(every) for word, every in parts.items()}


def information(frequencies: Mapping[str, float]) -> dict[str, int]:
    """Information content of words in units of 1/SCALE; punctuation, which has a weight of its own, is left out."""
    return {
        word: round(SCALE * math.log(-math.expm1(-TEXT * frequency)) / math.log(RAREST))
        for word, frequency in frequencies.items()
        if frequency > RAREST and any(map(str.isalnum, word)) and sum(map(str.isdigit, word)) < SHAPE
    }


def write_table(table: Mapping[str, int], target: Path) -> None:
    """Write the words and their weights."""
    target.write_bytes(RecordTable.of(table.items()).data)


if __name__ == "__main__":
    main()
