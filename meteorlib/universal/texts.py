"""Texts of a build: lines, common words, rows of a phrase table, packed files of lines, word alignments by eflomal."""

from __future__ import annotations

import gzip
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain, compress, islice
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from attrs import frozen

from meteorlib.core.numbers_and_letters import CONTROLS_AND_SPACE, parse_java_double
from meteorlib.errors import MeteorError
from meteorlib.extras import import_extra
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.resources.store.shared_files import atomic_writer
from meteorlib.text.case import lowercase
from meteorlib.text.token import split

COMMON_WORD_SHARE = 0.001
"""Share of all words above which a word is common."""

SEPARATOR = "|||"
"""Between the fields of a row."""

Progress = Callable[[float, float], object]
"""Callback with the work done and the total."""

PROGRESS_INTERVAL = 10_000
"""Lines between two calls of the progress callback."""


def no_progress(_done: float, _count: float) -> None:
    """Progress callback that does nothing."""


def partial_progress(progress: Progress, begin: float, end: float) -> Progress:
    """A callback that maps the progress of one part of the work to `progress` of the whole."""
    return lambda done, count: progress(begin + (end - begin) * min(done / max(count, 1), 1.0), 1.0)


@frozen
class Text:
    """A file of lines, lowercased if `lower`; the `first` lines, or all of them for 0."""

    file: TextFile
    lower: bool = True
    first: int = 0

    @classmethod
    def open(cls, name: str, *, lower: bool = True) -> Text:
        """The file called `name`, read as Java reads it: LF, CR and CRLF end a line.

        Raises:
            InputMismatch: the file does not exist or cannot be read.
        """
        return cls(TextFile.open(name, carriage_return_ends=True), lower)

    @property
    def name(self) -> str:
        """The file."""
        return self.file.name

    @property
    def count(self) -> int:
        """Number of lines used; the first call checks every byte of the file.

        Raises:
            InvalidText: bytes that are not UTF-8, a NUL, damaged compressed data.
        """
        return min(self.first or self.file.count, self.file.count)

    def lines(self, progress: Progress = no_progress) -> Iterator[str]:
        """The lines, without their ends."""
        count = self.count
        for number, line in enumerate(self.file.lines()):
            if number == count:
                break
            if number % PROGRESS_INTERVAL == 0:
                progress(number, count)
            yield lowercase(line) if self.lower else line

    def words(self, progress: Progress = no_progress) -> Iterator[list[str]]:
        """The words of each line."""
        return map(split, self.lines(progress))


def common_words(
    text: Text, progress: Progress = no_progress, words_of: Callable[[str], Iterable[str]] = split
) -> tuple[str, ...]:
    """The words that are more than `COMMON_WORD_SHARE` of all words of a text; the most frequent one first.

    Args:
        text: the text.
        progress: callback, called with the number of lines read and the total.
        words_of: a function from a line to its words; by default it is split at blanks.
    """
    counts: Counter[str] = Counter()
    for line in text.lines(progress):
        counts.update(words_of(line))
    total = counts.total()
    common = [(-count, word) for word, count in counts.items() if count / total > COMMON_WORD_SHARE]
    return tuple(word for _, word in sorted(common))


def single_spaced(phrase: str) -> str:
    """The words of `phrase` with single spaces."""
    if phrase.isprintable() and "  " not in phrase:  # the only printable white space is the space
        return phrase.strip(" ")
    return " ".join(split(phrase))


class Row(NamedTuple):
    """A row of a phrase table.

    Attributes:
        foreign: a phrase of the other language, unchanged.
        pivot: the foreign phrase with single spaces.
        phrase: a phrase of the language, unchanged.
        words: the words of `phrase`.
        inverse: probability of the foreign phrase, given this one.
        direct: probability of this phrase, given the foreign one.
    """

    foreign: str
    pivot: str
    phrase: str
    words: list[str]
    inverse: float
    direct: float


def read_row(line: str) -> Row:
    """A row of a Moses phrase table, ``f ||| e ||| φ(f|e) lex(f|e) φ(e|f) …``; `ValueError` says why it is none."""
    fields = line.split(SEPARATOR, 3)
    if len(fields) < 3:
        raise ValueError(f"a row has at least three fields between {SEPARATOR}; here are {len(fields)}")
    numbers = split(fields[2])
    if len(numbers) < 3:
        raise ValueError(f"the third field has at least three numbers; here are {len(numbers)}")
    foreign, phrase = fields[0].strip(CONTROLS_AND_SPACE), fields[1].strip(CONTROLS_AND_SPACE)
    inverse, direct = parse_java_double(numbers[0]), parse_java_double(numbers[2])
    return Row(foreign, single_spaced(foreign), phrase, split(phrase), inverse, direct)


_LEVEL = 6


@contextmanager
def packed_lines(path: Path) -> Iterator[Callable[[str], object]]:
    """Open `path` for writing lines; the file appears only when the block ends without an error."""
    held: list[str] = []
    with atomic_writer(path) as file, gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as packed:

        def write() -> None:
            packed.write("".join(f"{line}\n" for line in held).encode())
            held.clear()

        def add(line: str) -> None:
            held.append(line)
            if len(held) == PROGRESS_INTERVAL:
                write()

        yield add
        write()


def unpacked_lines(path: Path, progress: Progress = no_progress) -> Iterator[str]:
    """The lines of such a file; `progress` is called with the number of bytes read."""
    size = path.stat().st_size
    with (
        path.open("rb") as raw,
        TextIOWrapper(open_decompressed(raw, str(path)), encoding="utf-8", newline="\n") as file,
    ):
        for number, line in enumerate(file):
            if number % PROGRESS_INTERVAL == 0:
                progress(raw.tell(), size)
            yield line[:-1]


MAX_SENTENCE_LENGTH = 100
"""Words of a sentence; pairs with a longer one are left out."""

MAX_LENGTH_RATIO = 9
"""Largest ratio of the words of both sentences; pairs with a larger one are left out."""


MAX_WORDS = 12_000_000
"""Maximum number of words passed to the aligner at a time; it takes some 150 bytes of memory for each."""


def eflomal() -> ModuleType:
    """The aligner."""
    return import_extra("eflomal", "universal")


def is_aligned(foreign: Sequence[str], target: Sequence[str]) -> bool:
    """Whether a sentence pair is used: neither empty nor too long nor too different in length."""
    short, long = sorted((len(foreign), len(target)))
    return short > 0 and long <= min(MAX_SENTENCE_LENGTH, MAX_LENGTH_RATIO * short)


def write_links(foreign: Text, target: Text, path: Path, scratch: Path, progress: Progress = no_progress) -> None:
    """Align the sentence pairs of two texts, and write the links of those that `is_aligned`, a line each.

    The file is packed with gzip: ``0-0 1-2 …``, foreign word first. The aligner receives words as numbers, so that both
    agree on what a word is. It keeps all text in memory; text of more than `MAX_WORDS` words is divided into parts of
    equal size, which are aligned separately.
    """
    sizes = _pair_lengths(foreign, target)
    chosen = [size > 0 for size in sizes]
    sides = [_numbered_lines(side, chosen) for side in (foreign, target)]
    parts = ([islice(side, portion) for side in sides] for portion in part_sizes(sizes))
    pairs = chain.from_iterable(_align(part, scratch) for part in parts)
    count, done = sum(chosen), 0
    with packed_lines(path) as add:
        for done, pair in enumerate(pairs, 1):
            if done % PROGRESS_INTERVAL == 0:
                progress(done, count)
            add(" ".join([f"{i}-{j}" for i, j in grow_diag_final_and(*map(_links, pair))]))
        if done != count:
            raise MeteorError(f"eflomal aligned {done:,} of {count:,} sentence pairs; is there enough memory?")


def part_sizes(sizes: Sequence[int]) -> list[int]:
    """Sentence pairs in each part of about `MAX_WORDS` words; sizes are words of a pair, 0 where it is not aligned."""
    total = sum(sizes)
    count = -(-total // MAX_WORDS)
    parts = [0] * count
    words = 0
    for size in filter(None, sizes):
        parts[words * count // total] += 1
        words += size
    return [part for part in parts if part]


def _pair_lengths(foreign: Text, target: Text) -> Sequence[int]:
    """Words of the longer sentence of each pair; 0 where it is not `is_aligned`."""
    pairs = zip(foreign.words(), target.words(), strict=True)
    return array("H", (max(map(len, pair)) if is_aligned(*pair) else 0 for pair in pairs))


def _align(sides: Iterable[Iterator[str]], scratch: Path) -> Iterator[tuple[str, str]]:
    """The links of each sentence pair, in both directions, as the aligner writes them."""
    forward, reverse = scratch / "forward", scratch / "reverse"
    try:
        eflomal().Aligner().align(*sides, links_filename_fwd=str(forward), links_filename_rev=str(reverse))
    except (OSError, RuntimeError, ValueError) as error:
        raise MeteorError(f"eflomal could not align the text ({error})") from error
    with forward.open() as links, reverse.open() as reverse_links:
        yield from zip(links, reverse_links, strict=False)


def read_links(path: Path) -> Iterator[list[Link]]:
    """The links of each sentence pair of such a file."""
    return map(_links, unpacked_lines(path))


def aligned_words(text: Text, foreign: Text, target: Text) -> Iterator[list[str]]:
    """The sentences of `text`, which is one of the two, whose pairs are aligned."""
    return compress(text.words(), map(is_aligned, foreign.words(), target.words()))


def _numbered_lines(text: Text, chosen: Sequence[bool]) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for words in compress(text.words(), chosen):
        yield " ".join([str(numbers.setdefault(word, len(numbers))) for word in words]) + "\n"


def _links(line: str) -> list[Link]:
    links = []
    for link in line.split():
        foreign, _, target = link.partition("-")
        links.append((int(foreign), int(target)))
    return links


Link = tuple[int, int]
"""Position of a foreign word, and of a word of the language."""

_NEIGHBORS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: Iterable[Link], reverse: Iterable[Link]) -> list[Link]:
    """The symmetrized links (Koehn, Och & Marcu 2003; Koehn 2010, section 4.5.3), sorted.

    Start with the links of both alignments. Then repeatedly add links of either alignment that are neighbors (also
    diagonal ones) of a link, if one of their words has no link yet. Finally add links whose words both have none, first
    those of `forward`, then those of `reverse`.
    """
    forward, reverse = set(forward), set(reverse)
    if forward == reverse:
        return sorted(forward)
    either = forward | reverse
    in_order = sorted(either, key=lambda link: link[::-1])
    links = forward & reverse
    foreign, target = {i for i, _ in links}, {j for _, j in links}

    def add(link: Link) -> None:
        links.add(link)
        foreign.add(link[0])
        target.add(link[1])

    grown = True
    while grown:
        grown = False
        for link in in_order:
            if link not in links:
                continue
            for down, right in _NEIGHBORS:
                new = link[0] + down, link[1] + right
                if new in either and new not in links and not (new[0] in foreign and new[1] in target):
                    add(new)
                    grown = True
    for direction in (forward, reverse):
        for link in sorted(direction):
            if link[0] not in foreign and link[1] not in target:
                add(link)
    return sorted(links)
