"""Text with one segment per line, as a table with one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.table import Row
from meteorlib.inputs.text_file import TextFile
from meteorlib.text.validation import LONGEST_TEXT

TEXT = "text"
"""The one column."""


@frozen
class TextTable:
    """A text file as a `Table` with one column.

    Attributes:
        file: the text.
    """

    file: TextFile
    columns: Sequence[str] = (TEXT,)
    nested: bool = False
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, source: Source) -> TextTable:
        """The lines of a file."""
        return cls(check_text_file(source))

    @property
    def name(self) -> str:
        """The path."""
        return self.file.name

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The lines."""
        for number, line in enumerate(self.file.lines(), 1):
            yield number, [line] * len(columns)

    def place(self, number: int) -> str:
        """File and line."""
        return f"{self.name}:{number}"


def check_text_file(source: Source, longest: int = LONGEST_TEXT) -> TextFile:
    """A text file whose lines have been checked in one pass.

    Args:
        source: its bytes.
        longest: characters of a line.

    Raises:
        InvalidText: see `TextFile.check_line_ends`.
    """
    file = TextFile(source, longest=longest)
    file.check_line_ends()
    return file
