"""Input texts of a build, their lines, words and common words; rows of a phrase table; packed files of lines."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

from meteorlib.core.numbers_and_letters import parse_java_double
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store.atomic_file import atomic_writer
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.text.case import lowercase
from meteorlib.text.token import split

COMMON_WORD_SHARE = 0.001
"""Share of all words above which a word is common."""

SEPARATOR = "|||"
"""Between the fields of a row."""

CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))
"""Characters that Java's ``trim`` removes from the ends of a text."""

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
    found = [(-count, word) for word, count in counts.items() if count / total > COMMON_WORD_SHARE]
    return tuple(word for _, word in sorted(found))


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
