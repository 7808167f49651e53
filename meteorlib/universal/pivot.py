"""Pivot paraphrases: phrases with a shared translation (Bannard & Callison-Burch 2005)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from attrs import frozen

from meteorlib.core.java import java_double
from meteorlib.errors import InputMismatch
from meteorlib.universal.external_sort import Sorter
from meteorlib.universal.phrases import Phrases
from meteorlib.universal.texts import CONTROLS_AND_SPACE, SEPARATOR, Progress, Row, Text, read_row, single_spaced

MINIMUM = 0.001
"""Probability of a translation, and of a paraphrase by one pivot, below which it is left out."""

SYMBOLS = re.compile(r"""[~`!@#$%^&*()\-_=+\[{\]}\\|;:'",<.>/?]""")
"""No phrase with one of these characters is taken."""

NumberedRow = tuple[int, Row]
"""A row, and its number in the file."""


@frozen
class PivotParaphraser:
    """Paraphrases by pivot, from the rows of a phrase table.

    Attributes:
        foreign: common words of the other language.
        target: common words of the language.
        wanted: the phrases to paraphrase.
        minimum: see `MINIMUM`.
    """

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

    They come in the order of the rows with the paraphrases, and of those with the references.

    Args:
        table: see `read_row`; in any order. One that is sorted by its first field, as Moses writes it, takes less time.
        paraphrasing: makes the paraphrases.
        scratch: folder for temporary files.
        skipped: callback, called with each unreadable row and the reason.
        progress: callback, called with the number of rows done and the total.
        grouped: whether the rows of each foreign phrase are known to be adjacent.

    Raises:
        InputMismatch: there are rows, and none of them can be read.
        InvalidText: the file is not text.
        OSError: the scratch folder cannot be written to.
    """
    if grouped or _is_sorted(table):
        for _, rows in groupby(_rows(table, skipped, progress), key=_pivot):
            for _, line in paraphrasing.paraphrase_lines(rows):
                yield line
        return
    with Sorter(scratch) as by_pivot, Sorter(scratch) as by_row:
        by_pivot.extend(f"{row.pivot}\0{number:015d}\0{line}" for number, row, line in _read(table, skipped, progress))
        for _, lines in groupby(map(_fields, by_pivot), key=itemgetter(0)):
            found = paraphrasing.paraphrase_lines((int(number), read_row(line)) for _, number, line in lines)
            by_row.extend(f"{number:015d}\0{order:015d}\0{line}" for order, (number, line) in enumerate(found))
        for line in by_row:
            yield _fields(line)[2]


def _fields(line: str) -> list[str]:
    return line.split("\0", 2)


def _pivot(row: NumberedRow) -> str:
    return row[1].pivot


def _rows(table: Text, skipped: Callable[[str], object], progress: Progress) -> Iterator[NumberedRow]:
    return ((number, row) for number, row, _ in _read(table, skipped, progress))


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
