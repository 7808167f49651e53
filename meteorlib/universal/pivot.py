"""Pivot paraphrases: phrases with a shared translation (Bannard & Callison-Burch 2005), merged over their pivots."""

from __future__ import annotations

import heapq
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

from meteorlib.core.numbers_and_letters import (
    CONTROLS_AND_SPACE,
    from_java_units,
    java_double,
    java_units,
    parse_java_double,
)
from meteorlib.errors import InputMismatch
from meteorlib.universal.phrases import Phrases
from meteorlib.universal.texts import (
    PROGRESS_INTERVAL,
    SEPARATOR,
    Progress,
    Row,
    Text,
    read_row,
    single_spaced,
)

MINIMUM = 0.001
"""Probability of a translation, and of a paraphrase by one pivot, below which it is left out."""

SYMBOLS = re.compile(r"""[~`!@#$%^&*()\-_=+\[{\]}\\|;:'",<.>/?]""")
"""No phrase with one of these characters is taken."""

NumberedRow = tuple[int, Row]
"""A row, and its number in the file."""


@frozen
class PivotParaphraser:
    """Paraphrases of wanted phrases by pivot, from the rows of a phrase table; `foreign`, `target`: common words."""

    foreign: frozenset[str]
    target: frozenset[str]
    wanted: Phrases
    minimum: float = MINIMUM

    def accepts(self, row: Row) -> bool:
        """Whether both sides of a row have no symbol, and some word that is not common."""
        return not (
            SYMBOLS.search(row.phrase)
            or SYMBOLS.search(row.foreign)
            or self.target.issuperset(row.words)
            or self.foreign.issuperset(row.pivot.split(" "))
            or not row.pivot
        )

    def paraphrase_lines(self, rows: Iterable[NumberedRow]) -> Iterator[tuple[int, str]]:
        """The lines that the rows of one foreign phrase give, each with the number of its row."""
        taken = [(number, row) for number, row in rows if self.accepts(row)]
        if len(taken) < 2:
            return
        kept = [
            (" ".join(row.words), row.inverse)
            for _, row in taken
            if not row.inverse < self.minimum and row.words in self.wanted
        ]
        if not kept:
            return
        for number, row in taken:
            if row.direct < self.minimum:
                continue
            phrase = " ".join(row.words)
            for reference, inverse in kept:
                probability = inverse * row.direct
                if reference != phrase and not probability < self.minimum:
                    yield number, f"{reference} ||| {row.phrase} ||| {row.foreign} ||| {java_double(probability)}"


def raw_paraphrases(
    table: Text,
    paraphrasing: PivotParaphraser,
    scratch: Path,
    skipped: Callable[[str], object],
    progress: Progress,
    *,
    grouped: bool,
) -> Iterator[str]:
    """All paraphrases that a phrase table holds, by each pivot: ``reference ||| paraphrase ||| pivot ||| probability``.

    They come in the order of the rows with the paraphrases, and of those with the references. The table may be in any
    order; one that is sorted by its first field, as Moses writes it, takes less time, and one that is `grouped`, which
    has the rows of each foreign phrase together. `skipped` is called with each unreadable row and the reason.
    """
    if grouped or _is_sorted(table):
        rows = ((number, row) for number, row, _ in _read(table, skipped, progress))
        for _, group in groupby(rows, key=lambda numbered: numbered[1].pivot):
            for _, line in paraphrasing.paraphrase_lines(group):
                yield line
        return
    with Sorter(scratch) as by_pivot, Sorter(scratch) as by_row:
        by_pivot.extend(f"{row.pivot}\0{number:015d}\0{line}" for number, row, line in _read(table, skipped, progress))
        for _, lines in groupby(map(_fields, by_pivot), key=itemgetter(0)):
            paraphrases = paraphrasing.paraphrase_lines((int(number), read_row(line)) for _, number, line in lines)
            by_row.extend(f"{number:015d}\0{order:015d}\0{line}" for order, (number, line) in enumerate(paraphrases))
        for line in by_row:
            yield _fields(line)[2]


def _fields(line: str) -> list[str]:
    return line.split("\0", 2)


def _read(table: Text, skipped: Callable[[str], object], progress: Progress) -> Iterator[tuple[int, Row, str]]:
    read = number = 0
    first = ""
    for number, line in enumerate(table.lines(progress), 1):
        try:
            row = read_row(line)
        except ValueError as error:
            first = first or f"{table.name}:{number}: {error}"
            skipped(f"{table.name}:{number}: {error}")
            continue
        read += 1
        yield number, row, line
    if number and not read:
        raise InputMismatch(f"{table.name}: no row can be read; is it a Moses phrase table? {first}")


def _is_sorted(table: Text) -> bool:
    """Whether the rows are sorted, so that those of each foreign phrase are adjacent."""
    before = ""
    for line in table.lines():
        pivot = single_spaced(line.partition(SEPARATOR)[0].strip(CONTROLS_AND_SPACE)) + f" {SEPARATOR}"
        if pivot < before:
            return False
        before = pivot
    return True


MAX_LINES = 400_000
"""Lines in memory; some 60 MB."""

MAX_FILES = 128
"""Sorted files that are merged at a time."""


class Sorter:
    """Lines in the order of Java's strings (UTF-16 code units): added in any order, read when all are there.

    Lines may contain anything but a line feed. They are sorted in portions, which are written to files in a temporary
    folder in `folder`, removed at the end of the ``with`` block, and merged when they are read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: list[str] = []
        self._runs: list[Path] = []
        self._numbers = count()
        self._added = 0

    def __enter__(self) -> Sorter:
        self._place = tempfile.TemporaryDirectory(prefix="sort-", dir=self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.clear()
        with suppress(OSError):
            self._place.cleanup()

    def extend(self, lines: Iterable[str]) -> None:
        """Add lines."""
        for line in lines:
            self._added += 1
            self._lines.append(java_units(line))
            if len(self._lines) >= MAX_LINES:
                self._lines.sort()
                self._runs.append(self._write(self._lines))
                self._lines = []
                if len(self._runs) >= MAX_FILES:
                    merged = self._write(heapq.merge(*map(_read_run, self._runs)))
                    for run in self._runs:
                        run.unlink()
                    self._runs = [merged]

    def __len__(self) -> int:
        return self._added

    def __iter__(self) -> Iterator[str]:
        """All lines, sorted."""
        self._lines.sort()
        for line in heapq.merge(*map(_read_run, self._runs), self._lines):
            yield line if line.isascii() else from_java_units(line)

    def _write(self, lines: Iterable[str]) -> Path:
        path = Path(self._place.name, str(next(self._numbers)))
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
        return path


def _read_run(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        for line in file:
            yield line[:-1]


MINIMUM_SUM = 0.01
"""Sum of probabilities below which a paraphrase is left out."""


Line = tuple[str, str, str]
"""A phrase, one that it can be replaced with, and how probable that is, in Java's way of writing."""


class Paraphrase(NamedTuple):
    """A phrase, its paraphrase and their probability."""

    reference: str
    phrase: str
    probability: float

    @property
    def line(self) -> str:
        """``reference ||| phrase ||| probability``."""
        return f"{self.reference} ||| {self.phrase} ||| {java_double(self.probability)}"

    @property
    def entry(self) -> str:
        """The three lines of a METEOR paraphrase table."""
        return f"{java_double(self.probability)}\n{self.reference}\n{self.phrase}"


def sort_paraphrases(raw: Iterable[str], scratch: Path, progress: Progress) -> Iterator[Line]:
    """Lines of `raw_paraphrases` sorted by reference and phrase; equal ones stay in their order."""
    with Sorter(scratch) as lines:
        lines.extend(_sort_key(number, line) for number, line in enumerate(raw))
        for number, line in enumerate(lines):
            if number % PROGRESS_INTERVAL == 0:
                progress(number, len(lines))
            reference, phrase, _, probability = line.split("\0")
            yield reference, phrase, probability


def _sort_key(number: int, line: str) -> str:
    reference, phrase, _, probability = line.split(" ||| ")
    return f"{single_spaced(reference)}\0{single_spaced(phrase)}\0{number:015d}\0{probability}"


def merge_paraphrases(lines: Iterable[Line]) -> Iterator[Paraphrase]:
    """Merge adjacent equal paraphrases into one, with probabilities summed in their order.

    A paraphrase is left out if the sum is below `MINIMUM_SUM`, or if one of the two phrases contains the other.
    """
    for (reference, phrase), equal in groupby(lines, key=itemgetter(0, 1)):
        total = 0.0
        for _, _, probability in equal:
            total += parse_java_double(probability)
        if total >= MINIMUM_SUM and not _is_part_of(reference, phrase) and not _is_part_of(phrase, reference):
            yield Paraphrase(reference, phrase, total)


def _is_part_of(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} "
