"""Make the packaged language data again, out of what their sources are: the same input gives the same bytes.

    python tools/build_data.py --jar meteor-1.5.jar --wordnet /usr/share/wordnet
    python tools/build_data.py --mythes /usr/share/mythes
    python tools/build_data.py --function-words --word-weights

METEOR 1.5's data come out of its jar, those of WordNet 3.0 out of Debian's wordnet-base, and the thesauri out of
LibreOffice's, as Debian has them (mythes-de mythes-es mythes-fr mythes-ru); of these, opposites, broader and narrower
terms and terms of several words are left out. The program prints the size, crc32 and sha256 of each file for the
catalog and for meteorlib/resources/catalog.py.

The package wordfreq (`pip install wordfreq==3.1.1 regex sacrebleu`; Robyn Speer, https://github.com/rspeer/wordfreq)
says how often a word is used in Wikipedia, subtitles, news, books, the Web and on social media; its data are under CC
BY-SA 4.0, and so is what is made of them:

Function words, by METEOR's rule more than a thousandth of all words, of the languages that METEOR 1.5 has no list for.
Words are split as the preset of the language splits text, but for Chinese, Japanese and Korean, whose words wordfreq
finds with the same dictionaries. Words with digits are left out, as METEOR's own lists have none. wordfreq counts no
signs, so those are added that most of METEOR's six lists have, in the forms of the script. What wordfreq has put into
another form is put back: the last sigma of Greek words; Serbian is there in both alphabets, and Romanian also with the
cedillas of older texts. A list has the most frequent word first, then the signs.

Word weights: each word's information in whole numbers of 1/10,000: −ln of the chance that a text of 40 words has it, in
units of ln 1,000,000. Words are split as METEOR splits text (``don't`` → ``don 't``), and the parts' frequencies are
summed. Words that are rarer than one in a million are not there, and no numbers of several digits, for which wordfreq
has shapes only (``0000``); their information is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib import Scorer
from meteorlib.core.languages import TUNED_LANGUAGES
from meteorlib.core.segment import SCALE
from meteorlib.engine.build import make_text
from meteorlib.registry import TEXTS
from meteorlib.resources.catalog import FUNCTION_WORDS, PACKAGED_WEIGHTS, THESAURI, packaged_path
from meteorlib.resources.lexicons import ADJECTIVE, ADVERB, IRREGULAR, NAME_LINES, NOUN, POS_FACTOR, VERB
from meteorlib.resources.store.compression import SourceFile
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.synonym_compiler import number_meanings
from meteorlib.resources.synonym_sources import read_mythes
from meteorlib.universal.texts import COMMON_WORD_SHARE

FILES = {"en": "english", "cz": "czech", "fr": "french", "de": "german", "es": "spanish", "ru": "russian"}
PARTS_OF_SPEECH = {"noun": NOUN, "verb": VERB, "adj": ADJECTIVE, "adv": ADVERB}
MYTHES = {"de": "th_de_DE_v2.dat", "es": "th_es_ES_v2.dat", "fr": "thes_fr.dat", "ru": "th_ru_RU_v2.dat"}

CODES = {"cz": "cs", "sr": "sh", "tl": "fil"}
"""Languages that wordfreq has under another code."""
UNSPLIT = ("ja", "ko", "zh")
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

WORDS_OF_TEXT, RAREST, SHAPE = 40, 1e-6, 2
"""Words of a text; the share of all words that a word with a weight has; digits that wordfreq has as shapes."""


def main() -> None:
    """Write the data of the sources that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, help="meteor-1.5.jar; with --wordnet")
    parser.add_argument("--wordnet", type=Path, help="folder with data.noun, index.noun, noun.exc, …")
    parser.add_argument("--mythes", type=Path, help="folder of LibreOffice's thesauri")
    parser.add_argument("--function-words", action="store_true", help="the lists out of wordfreq")
    parser.add_argument("--word-weights", action="store_true", help="the tables out of wordfreq: some minutes")
    parser.add_argument("--output", type=Path, default=packaged_path("wordnet-en").parent, help="default: the package")
    given = parser.parse_args()
    made: list[str] = []

    def path_of(name: str) -> Path:
        made.append(name)
        return Path(given.output, packaged_path(name).name)

    if given.jar and given.wordnet:
        with zipfile.ZipFile(given.jar) as jar:
            for code in TUNED_LANGUAGES:
                path_of(f"function-words-{code}").write_bytes(jar.read(f"function/{FILES[code]}.words"))
                path_of(f"prefixes-{code}").write_bytes(jar.read(f"nonbreaking/{FILES[code]}.prefixes"))
            write_offsets(
                dict(pairs(jar.read("synonym/english.synsets").decode("ascii"))),
                pairs(jar.read("synonym/english.exceptions").decode("ascii")),
                path_of("wordnet-en-offsets"),
            )
        write_wordnet(given.wordnet, path_of("wordnet-en"))
    if given.mythes:
        for code in THESAURI:
            name = f"thesaurus-{code}"
            meanings = number_meanings(read_mythes(SourceFile(given.mythes / MYTHES[code], name)))
            save_records(meanings, path_of(name))
    if given.function_words:
        for language in FUNCTION_WORDS:
            if language not in TUNED_LANGUAGES:
                words = [*function_words(language), *SIGNS, *OWN_SIGNS.get(language, "")]
                text = "".join(f"{word}\n" for word in dict.fromkeys(words))
                path_of(f"function-words-{language}").write_bytes(text.encode())
    if given.word_weights:
        for name in PACKAGED_WEIGHTS:
            save_records(information(name.partition("-")[2]).items(), path_of(name))
    for name in made:
        print(name, *checks(Path(given.output, packaged_path(name).name)))  # noqa: T201


def pairs(text: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of a file that has a key and its values on alternating lines."""
    lines = text.split("\n")
    for key, values in zip(lines[::2], lines[1::2], strict=False):
        yield key, values.split()


def write_offsets(synsets: dict[str, list[str]], exceptions: Iterable[tuple[str, list[str]]], target: Path) -> None:
    """Compile METEOR's table of offsets with its exception list (base and forms; some bases stand there twice)."""
    records = {(word, int(offset)) for word, offsets in synsets.items() for offset in offsets}
    for base, forms in exceptions:
        for form in forms:
            records.add((form, IRREGULAR))
            records.update((form, IRREGULAR + int(offset)) for offset in synsets.get(base, ()))
    save_records(records, target)


def write_wordnet(source: Path, target: Path) -> None:
    """Compile WordNet: words → synsets, synset → names."""
    target.mkdir(parents=True, exist_ok=True)
    records: set[tuple[str, int]] = set()
    names: dict[int, list[str]] = {}
    for suffix, pos in PARTS_OF_SPEECH.items():
        senses = dict(index_entries(source / f"index.{suffix}"))
        records.update((word, pos * POS_FACTOR + offset) for word, offsets in senses.items() for offset in offsets)
        for form, bases in exception_entries(source / f"{suffix}.exc"):
            records.add((form, IRREGULAR + pos * POS_FACTOR))
            for base in bases:
                offsets = senses.get(base, [])
                records.update((form, IRREGULAR + pos * POS_FACTOR + offset) for offset in offsets)
        names.update((pos * POS_FACTOR + offset, words) for offset, words in data_entries(source / f"data.{suffix}"))
    save_records(records, target / "senses.records")
    lines = [" ".join(names[synset]) + "\n" for synset in sorted(names)]
    (target / "names.txt").write_text("".join(lines), "ascii", newline="\n")
    ends = [0, *accumulate(map(len, lines))]
    save_numbers(sorted(names), target / "synsets.u32")
    save_numbers([*ends[:-1:NAME_LINES], ends[-1]], target / "name_lines.u32")


def index_entries(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Lemma and synset offsets, out of an index file (wndb(5WN))."""
    for line in path.read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            yield fields[0], [int(offset) for offset in fields[-int(fields[2]) :]]


def data_entries(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Synset offset and names without adjective markers, out of a data file (wndb(5WN))."""
    for line in path.read_text("ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split(" ")
            words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            yield int(fields[0]), [re.sub(r"\(\w+\)$", "", word) for word in words]


def exception_entries(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Irregular form and its bases; where a form stands twice the later line holds, as for WordNet's readers."""
    entries = {}
    for line in path.read_text("ascii").splitlines():
        form, *bases = line.split()
        entries[form] = bases
    yield from entries.items()


def save_records(records: Iterable[tuple[str, int]], path: Path) -> None:
    """Write words with their numbers as one table."""
    path.write_bytes(RecordTable.of(records).data)


def save_numbers(numbers: list[int], path: Path) -> None:
    """Write a flat array, least significant byte first."""
    data = array("I", numbers)
    if sys.byteorder == "big":
        data.byteswap()
    path.write_bytes(data.tobytes())


def frequencies_of(language: str) -> dict[str, float]:
    """The words of wordfreq with their shares of all words."""
    import wordfreq  # noqa: PLC0415 – for these data only

    found: dict[str, float] = wordfreq.get_frequency_dict(CODES.get(language, language), wordlist="best")
    return found


def function_words(language: str) -> list[str]:
    """The words of a language that are more than a thousandth of all; the most frequent one first."""
    frequencies = frequencies_of(language)
    if language not in UNSPLIT:
        text = TEXTS.get("intl" if language in ELIDED else "uax29")()
        frequencies = summed(frequencies, text.words, COMMON_WORD_SHARE / 1000)
    common = sorted((-share, word) for word, share in frequencies.items() if share > COMMON_WORD_SHARE)
    return [form for _, word in common if not any(map(str.isdigit, word)) for form in forms(word, language)]


def summed(
    frequencies: Mapping[str, float], split: Callable[[str], Iterable[str]], least: float = 0
) -> dict[str, float]:
    """The frequencies of the words as they are split; the sum does not depend on their order."""
    parts: dict[str, list[float]] = {}
    for word, frequency in frequencies.items():
        for part in split(word) if frequency >= least else ():
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


def information(language: str) -> dict[str, int]:
    """Information content of words in units of 1/SCALE; punctuation, which has a weight of its own, is left out."""
    text = make_text(Scorer(f"meteor-1.5-{language}-core").config)
    return {
        word: round(SCALE * math.log(-math.expm1(-WORDS_OF_TEXT * frequency)) / math.log(RAREST))
        for word, frequency in summed(frequencies_of(language), text.words).items()
        if frequency > RAREST and any(map(str.isalnum, word)) and sum(map(str.isdigit, word)) < SHAPE
    }


def checks(path: Path) -> Iterator[tuple[str, int, str, str]]:
    """Name, size, crc32 and sha256 of each file of a resource."""
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        data = file.read_bytes()
        yield file.name, len(data), f"0x{zlib.crc32(data):08X}", hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    main()
