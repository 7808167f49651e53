"""Labels of the words of references, such as parts of speech, from text files or a column of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import parsed_column, text_of
from meteorlib.inputs.columns import first_column
from meteorlib.inputs.parallel_texts import ParallelTexts
from meteorlib.inputs.table import Table
from meteorlib.inputs.text_file import TEXT, TextTable


@frozen(eq=False)
class WordLabels:
    """Labels of the tokens of each reference, separated by white space like the tokens.

    Attributes:
        name: kind of the labels: ``pos``, ``entity``, …
        columns: for each reference, the table and the column of its labels, with a row for each segment.
    """

    name: str
    columns: Sequence[tuple[Table, str]]

    @classmethod
    def open(cls, given: str, joined: ParallelTexts | None, references: int | None, count: int) -> Self:
        """Open the labels that an option gives.

        Args:
            given: ``NAME=FILE``, with a file for each reference, separated by commas; or the name of a column.
            joined: the tables of hypotheses and references; the column is one of a table of references. None if all are
                text.
            references: number of references of each segment; None if it varies.
            count: number of segments.

        Raises:
            InputMismatch: a file does not exist or has another number of lines; not one file for each reference; the
                tables have different orders, so a file may be parallel to either.
            UnknownName: there is no such column.
        """
        name, equals, files = given.partition("=")
        if not name or (equals and not files):
            raise InputMismatch(f"--word-labels {given}: expected NAME=FILE, or the name of a column")
        columns = [(_open(file, joined), TEXT) for file in files.split(",")] if equals else [_find(name, joined)]
        if len(columns) != references:
            number = "a varying number of" if references is None else references
            option = f"--word-labels {name}={','.join(['FILE'] * (references or 1))}"
            advice = f"give one for each: {option}" if references else "labels need the same number in all segments"
            raise InputMismatch(f"--word-labels {given}: labels of {len(columns)} of {number} references; {advice}")
        for table, _ in columns:
            if isinstance(table, TextTable) and table.file.count != count:
                raise InputMismatch(
                    f"{table.name}: {table.file.count} lines of labels for {count} segments; give a line per segment"
                )
        return cls(name, columns)

    def of(self, references: Sequence[Sequence[str]]) -> list[list[str]]:
        """The labels of each reference of each segment.

        Args:
            references: the references of each segment.

        Raises:
            InputMismatch: a reference has more or fewer tokens than labels.
            InvalidText: a row without labels.
        """
        rows = zip(*(parsed_column(table, column, text_of) for table, column in self.columns), strict=True)
        return [
            [
                _checked(place, labels, text, number)
                for number, ((place, labels), text) in enumerate(zip(cells, texts, strict=True), 1)
            ]
            for cells, texts in zip(rows, references, strict=True)
        ]


def _checked(place: str, labels: str, text: str, number: int) -> str:
    """The labels, of which there must be as many as tokens of the text."""
    found, wanted = len(labels.split()), len(text.split())
    if found != wanted:
        raise InputMismatch(
            f"{place}: {found} labels for {wanted} tokens of reference {number}, {text[:60]!r}; give each token "
            "between spaces one label, without spaces in it"
        )
    return labels


def _open(file: str, joined: ParallelTexts | None) -> TextTable:
    """A file of labels, which must be parallel to all tables."""
    table = TextTable.of(Source.open(file))
    if joined is not None:
        joined.order.put([*joined.tables, table])
    return table


def _find(name: str, joined: ParallelTexts | None) -> tuple[Table, str]:
    """The first table of references with such a column, and the column."""
    if joined is not None and (found := first_column(joined.reference_tables, name)):
        return found
    raise InputMismatch(
        f"references that are text have no column {name!r}; give a file with the labels: --word-labels {name}=FILE"
    )
