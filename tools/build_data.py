"""Make the packaged language data out of METEOR 1.5's data files and WordNet 3.0.

    python tools/build_data.py --jar meteor-1.5.jar --wordnet /usr/share/wordnet

The WordNet folder is Debian's wordnet-base. The same input gives the same bytes. Prints the size and crc32 of
each file for the catalog.
"""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib.resources.catalog import LANGUAGES, packaged_path
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.wordnet.lexicon import ADJECTIVE, ADVERB, IRREGULAR, NAME_LINES, NOUN, POS_FACTOR, VERB

FILES = {"en": "english", "cz": "czech", "fr": "french", "de": "german", "es": "spanish", "ru": "russian"}
PARTS_OF_SPEECH = {"noun": NOUN, "verb": VERB, "adj": ADJECTIVE, "adv": ADVERB}


def main() -> None:
    """Write all packaged resources."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, required=True, help="meteor-1.5.jar")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with data.noun, index.noun, noun.exc, …")
    parser.add_argument("--output", type=Path, default=packaged_path("wordnet-en").parent, help="default: the package")
    arguments = parser.parse_args()

    def path_of(name: str) -> Path:
        return Path(arguments.output, packaged_path(name).name)

    path_of("wordnet-en").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(arguments.jar) as jar:
        for code in LANGUAGES:
            path_of(f"function-words-{code}").write_bytes(jar.read(f"function/{FILES[code]}.words"))
            path_of(f"prefixes-{code}").write_bytes(jar.read(f"nonbreaking/{FILES[code]}.prefixes"))
        write_offsets(
            dict(pairs(jar.read("synonym/english.synsets").decode("ascii"))),
            pairs(jar.read("synonym/english.exceptions").decode("ascii")),
            path_of("wordnet-en-offsets"),
        )
    write_wordnet(arguments.wordnet, path_of("wordnet-en"))
    names = ["wordnet-en-offsets", "wordnet-en"]
    names += [f"{kind}-{code}" for kind in ("function-words", "prefixes") for code in LANGUAGES]
    for name in names:
        print(name, checks(path_of(name)))  # noqa: T201


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


def save_records(records: set[tuple[str, int]], path: Path) -> None:
    """Write words with their numbers as one table."""
    path.write_bytes(RecordTable.of(records).data)


def save_numbers(numbers: list[int], path: Path) -> None:
    """Write a flat array, least significant byte first."""
    data = array("I", numbers)
    if sys.byteorder == "big":
        data.byteswap()
    path.write_bytes(data.tobytes())


def checks(path: Path) -> dict[str, tuple[int, str]]:
    """Size and crc32 of each file of a resource."""
    files = {file.name: file.read_bytes() for file in (sorted(path.iterdir()) if path.is_dir() else [path])}
    return {name: (len(data), f"0x{zlib.crc32(data):08X}") for name, data in files.items()}


if __name__ == "__main__":
    main()
