"""What the commands that score files share: their options, and the opening and checking of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Any

import click
from attrs import frozen

from meteorlib.core.pair import Pair
from meteorlib.corpus.portion import Lines, Portion
from meteorlib.corpus.source import STANDARD_INPUT
from meteorlib.corpus.textfile import PIECE, TextFile, check_same_length
from meteorlib.errors import InputMismatch
from meteorlib.formats.advice import table_taken_for_text
from meteorlib.formats.choice import Choice
from meteorlib.formats.joined import Joined
from meteorlib.formats.lines import TextTable
from meteorlib.formats.opening import FORMATS, Dialect
from meteorlib.formats.table import Table, shown

TEXT_ONLY = Choice(dialect=Dialect("text"))


def scored_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments `hypotheses` and `references` of a command, and `choice`: which columns of them are meant."""
    references = click.option(
        "-r",
        "--reference",
        "references",
        multiple=True,
        metavar="REF",
        help="File of references; repeat it for several references of each segment.",
    )
    return click.argument("hypotheses", metavar="HYP")(references(chosen_columns(command)))


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option `labels` of a command: what segments are grouped by."""
    return click.option(
        "--by",
        "labels",
        multiple=True,
        metavar="COLUMN",
        help="Also score groups (document, …); of text: NAME=FILE of labels.",
    )(command)


def chosen_columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument `choice` of a command: which columns of its files are meant, and how they are read."""

    @click.option(
        "--hyp-column", "hyp_columns", multiple=True, metavar="NAME", help="HYP is a table: its column of hypotheses."
    )
    @click.option(
        "--ref-column",
        "ref_columns",
        multiple=True,
        metavar="NAME",
        help="Column of references, of REF or else of HYP; repeatable.",
    )
    @click.option(
        "--input-format",
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}.  [default: by name]",
    )
    @click.option("--delimiter", metavar="CHAR", callback=_delimiter, help="Between fields of CSV, such as ; or tab.")
    @click.option("--header", metavar="A,B,…", help="Names of columns where a CSV or TSV has no line of them.")
    @wraps(command)
    def chosen(
        hyp_columns: tuple[str, ...],
        ref_columns: tuple[str, ...],
        input_format: str | None,
        delimiter: str,
        header: str | None,
        **others: Any,
    ) -> Any:
        names = () if header is None else tuple(name.strip() for name in header.split(","))
        dialect = Dialect(input_format, delimiter, names)
        return command(choice=Choice(hyp_columns, ref_columns, others.get("labels", ()), dialect), **others)

    return chosen


def _delimiter(context: click.Context, parameter: click.Parameter, value: str | None) -> str:  # noqa: ARG001 – click's
    if value is None:
        return ""
    character = {"tab": "\t", "\\t": "\t"}.get(value, value)
    if len(character) != 1 or character in '"\r\n\0' or ord(character) > 127:
        raise click.BadParameter(f"one ASCII character, or tab; got {value!r}")
    return character


def scored_systems(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of a command that scores several systems: `hypotheses`, `references`, `inputs` and `runs`.

    With `inputs`, `hypotheses` are references, as sacrebleu has it.
    """
    for add in (
        click.option("--runs", multiple=True, metavar="NAME=FILE,FILE,…", help="Several runs of a system."),
        click.option("-i", "--input", "inputs", multiple=True, metavar="HYP", help="HYP, as sacrebleu has it."),
        click.option(
            "-r", "--reference", "references", multiple=True, metavar="REF", help="References; repeat it for more."
        ),
        click.argument("hypotheses", metavar="HYP...", nargs=-1),
    ):
        command = add(command)
    return command


def format_option(formats: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `form` of a command: text, json, tsv, …."""
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(list(formats)),
        default="text",
        show_default=True,
        help="json and tsv are in full precision.",
    )


@frozen
class Inputs:
    """The segments of one system: lines of files, or rows of tables.

    Attributes:
        name: what the system is called: the file, or the column of a table.
        count: how many segments there are.
        references: how many references each has; None where they differ in that.
        labels: what the segments are grouped by.
    """

    name: str
    count: int
    references: int | None
    labels: tuple[str, ...]
    _texts: tuple[TextFile, ...]
    _joined: Joined | None = None
    _system: int = 0
    _advice: tuple[str, ...] = ()

    @classmethod
    def open(cls, references: Sequence[str], hypotheses: str, choice: Choice = TEXT_ONLY) -> Inputs:
        """Open and check the files of one system; see `systems`."""
        found = cls.systems(references, hypotheses, choice)
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            raise InputMismatch(f"{hypotheses}: holds several systems; name one by --hyp-column: {names}")
        return found[0]

    @classmethod
    def systems(cls, references: Sequence[str], hypotheses: str, choice: Choice = TEXT_ONLY) -> Sequence[Inputs]:
        """Open and check files: a system for each column of hypotheses, against the same references.

        Args:
            references: the files of references; none where they are columns of `hypotheses`.
            hypotheses: the file of hypotheses.
            choice: which columns are meant.

        Raises:
            InputMismatch: a file is not there, the counts differ, or there is nothing to score; it is not clear which
                columns are meant.
            InvalidText: a file is not what it should be.
        """
        files = [hypotheses, *references]
        labels = [name.partition("=")[2] for name in choice.labels]
        if [*files, *labels].count(STANDARD_INPUT) > 1:
            raise InputMismatch("standard input (-) can be read only once: give the other files by name")
        if choice.is_plain(files):
            return [cls._plain(files, advise=choice.dialect.form is None)]
        joined = choice.open(references, hypotheses)
        count, each = joined.check()
        texts = tuple(table.file for table in joined.tables if isinstance(table, TextTable))
        return [
            cls(_name(hypotheses, field.column, joined), count, each, choice.label_names, texts, joined, system)
            for system, field in enumerate(joined.hypotheses)
        ]

    @classmethod
    def _plain(cls, names: Sequence[str], *, advise: bool) -> Inputs:
        if len(names) == 1:
            raise click.UsageError("Missing option '-r' / '--reference'.", click.get_current_context(silent=True))
        files = tuple(map(TextFile.open, names))
        advice: tuple[str, ...] = ()
        if advise:
            looked_at = zip(files, names, ["hyp", *["ref"] * len(files)], strict=False)
            found = (table_taken_for_text(file, name, _command(), role) for file, name, role in looked_at)
            advice = tuple(filter(None, found))
        count = check_same_length(files)
        return cls(names[0], count, len(names) - 1, (), files, advice=advice)

    @property
    def tables(self) -> Sequence[Table]:
        """The files that have columns, that of the hypotheses first; none where all is text."""
        tables = self._joined.tables if self._joined is not None else ()
        return [table for table in tables if not isinstance(table, TextTable)]

    def segments(self) -> Iterator[Pair]:
        """The texts of each segment."""
        if self._joined is not None:
            return self._joined.pairs(self._system)
        lines = zip(*(file.lines() for file in self._texts), strict=True)
        return (Pair(references, hypothesis) for hypothesis, *references in lines)

    def pieces(self) -> Iterator[Portion]:
        """The same in batches, for `score_stream`."""
        if self._joined is None:
            return map(Lines, zip(*(file.pieces(PIECE) for file in self._texts), strict=True))
        return self._joined.portions(self._system)

    def notes(self) -> Iterator[str]:
        """What is odd: files that look like tables, begin with a byte order mark, have CR that end no line, …."""
        for advice in self._advice:
            yield f"note: {advice}"
        for file in self._texts:
            if file.has_byte_order_mark:
                yield f"note: {file.name} begins with a byte order mark, which counts as text (METEOR's rule)"
            yield from carriage_returns(file.name, file.census.carriage_returns, file.census.first)
        for note in dict.fromkeys(self._joined.notes if self._joined else ()):
            yield f"note: {note}"

    def note_oddities(self) -> None:
        """Say on standard error what is odd."""
        for note in self.notes():
            click.echo(note, err=True)


def _name(file: str, column: str, joined: Joined) -> str:
    return file if isinstance(joined.tables[0], TextTable) else shown(column)


def _command() -> str:
    context = click.get_current_context(silent=True)
    return "meteorlib score" if context is None else context.command_path


def note_carriage_returns(name: str, count: int, first: int) -> None:
    """Say on standard error what `carriage_returns` has to say."""
    for note in carriage_returns(name, count, first):
        click.echo(note, err=True)


def carriage_returns(name: str, count: int, first: int) -> Iterator[str]:
    """How many CR end no line, and in which line the first is; nothing where there is none."""
    if count == 1:
        told = f"a carriage return (CR) that ends no line, in line {first}; it is"
    elif count:
        told = f"{count} carriage returns (CR) that end no line, the first in line {first}; they are"
    else:
        return
    yield f"note: {name} has {told} white space: only LF and CRLF end a line"
