"""What the commands that score files share: their options, and the opening and checking of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click
from attrs import frozen

from meteorlib.corpus.textfile import PIECE, STANDARD_INPUT, TextFile, check_same_length
from meteorlib.errors import InputMismatch


def scored_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments `hypotheses` and `references` of a command."""
    references = click.option(
        "-r",
        "--reference",
        "references",
        multiple=True,
        required=True,
        metavar="REF",
        help="File of references; repeat it for several references of each segment.",
    )
    return click.argument("hypotheses", metavar="HYP")(references(command))


def format_option(formats: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `form` of a command: text, json or tsv."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(list(formats)),
        default="text",
        show_default=True,
        help="text is for people; json and tsv are in full precision.",
    )


@frozen
class Inputs:
    """Files of segments that belong together.

    Attributes:
        files: the hypotheses, then the references.
        count: how many segments each has.
    """

    files: tuple[TextFile, ...]
    count: int

    @classmethod
    def open(cls, hypotheses: str, references: Sequence[str]) -> Inputs:
        """Open and check the files.

        Raises:
            InputMismatch: a file is not there, the counts differ, or there is nothing to score.
            InvalidText: a file is not text.
        """
        if [hypotheses, *references].count(STANDARD_INPUT) > 1:
            raise InputMismatch("standard input (-) can be read only once: give the other files by name")
        files = tuple(map(TextFile.open, (hypotheses, *references)))
        return cls(files, check_same_length(files[0], files[1:]))

    def segments(self) -> Iterator[tuple[str, ...]]:
        """The hypothesis and the references of each segment."""
        return zip(*(file.lines() for file in self.files), strict=True)

    def pieces(self) -> Iterator[tuple[bytes, ...]]:
        """The same in batches, for `score_stream`."""
        return zip(*(file.pieces(PIECE) for file in self.files), strict=True)

    def note_oddities(self) -> None:
        """Say on standard error which files begin with a byte order mark, or have CR that end no line."""
        for file in self.files:
            if file.has_byte_order_mark:
                note = "begins with a byte order mark, which counts as text (METEOR's rule)"
                click.echo(f"note: {file.name} {note}", err=True)
            note_carriage_returns(file.name, file.census.carriage_returns, file.census.first)


def note_carriage_returns(name: str, count: int, first: int) -> None:
    """Say how many CR end no line, and in which line the first is; nothing where there is none."""
    if count == 1:
        told = f"a carriage return (CR) that ends no line, in line {first}; it is"
    elif count:
        told = f"{count} carriage returns (CR) that end no line, the first in line {first}; they are"
    else:
        return
    click.echo(f"note: {name} has {told} white space: only LF and CRLF end a line", err=True)
