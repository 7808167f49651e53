"""Advice on text files that look like tables: the command that reads them by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from attrs import frozen

from meteorlib.errors import InputMismatch, MeteorError
from meteorlib.files.byte_source import STANDARD_INPUT
from meteorlib.files.column_choice import ColumnChoice
from meteorlib.files.guess import looks_like
from meteorlib.files.readers import NON_TEXT_FORMATS, Dialect, form_of, table_of
from meteorlib.files.text_file import TextFile

FORMAT_NAMES = {"csv": "CSV", "tsv": "TSV", "jsonl": "JSONL", "parquet": "Parquet", "sgml": "SGML", "xml": "XML"}

_USUAL_COLUMNS = {
    "hyp": ("hyp", "hypothesis", "hypotheses", "mt", "system", "translation", "prediction", "predictions", "output"),
    "ref": ("ref", "refs", "reference", "references", "target", "gold"),
}
"""Usual names of columns, by their contents."""


@frozen
class InputFile:
    """A file named on the command line, and the format it looks like.

    Attributes:
        given: name of the file on the command line.
        role: ``hyp`` or ``ref``.
        form: actual or likely format; None for text.
        name: name in messages if the file is read as text.
        columns: column names, if the file is read as text and looks like a table.
    """

    given: str
    role: str
    form: str | None
    name: str = ""
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: str, role: str, text: TextFile | None) -> InputFile:
        """Look at a file.

        Args:
            given: its name on the command line.
            role: ``hyp`` or ``ref``.
            text: the file; None if it is read by columns.

        Raises:
            InputMismatch: the file is read as text but is Parquet.
        """
        if text is None:
            return cls(given, role, form_of(given))
        form = form_of(given) or looks_like(text.source)
        if form == "parquet":
            add = "" if form_of(given) else " --input-format parquet"
            raise InputMismatch(f"{text.name}: is Parquet, not text: add{add} --{role}-column NAME")
        return cls(given, role, form, text.name, _columns(text, form))

    @property
    def is_mistaken(self) -> bool:
        """Whether the file is read as text but looks like a table."""
        return bool(self.name and self.form)

    @property
    def format_option(self) -> str:
        """The option that says its format, which its name may already do."""
        return "" if form_of(self.given) else f" --input-format {self.form}"

    def __str__(self) -> str:
        columns = f" (columns: {', '.join(self.columns)})" if self.columns else ""
        return f"{self.name} looks like {FORMAT_NAMES[self.form or '']}{columns}"


def advice(
    files: Sequence[InputFile], runs: Mapping[str, Sequence[str]], choice: ColumnChoice, command: str, option: str
) -> Iterator[str]:
    """Notes on files that are read as text but look like something else.

    Args:
        files: all files of the command, each once.
        runs: for each system of several runs, its files.
        choice: the columns that were asked for.
        command: the command without its arguments, such as ``meteorlib score``.
        option: text before each file of references, such as ``-r``, with a space.
    """
    mistaken = [file for file in files if file.is_mistaken]
    for file in mistaken:
        if file.form in NON_TEXT_FORMATS:
            yield f"{file} and is read as text, one segment per line; to read it as such, add{file.format_option}"
    tables = [file for file in mistaken if file.form not in NON_TEXT_FORMATS]
    if tables:
        are = " and is" if len(tables) == 1 else ". They are"
        by_columns = _command(files, tables, runs, choice, command, option)
        yield f"{'; '.join(map(str, tables))}{are} read as text, one segment per line; by columns: {by_columns}"


def _command(
    files: Sequence[InputFile],
    tables: Sequence[InputFile],
    runs: Mapping[str, Sequence[str]],
    choice: ColumnChoice,
    command: str,
    option: str,
) -> str:
    """The whole command that reads `tables` by their columns; before it, commands that rename files if needed."""
    # --input-format is that of all hypotheses and tables, so files of several formats need names that say theirs
    forms = {file.form for file in files if file.role == "hyp" or file.form}
    unnamed = [file for file in tables if file.format_option]
    renamed = {file.given: f"{file.given}.{file.form}" for file in unnamed} if len(forms) > 1 else {}
    if STANDARD_INPUT in renamed:
        renamed[STANDARD_INPUT] = "FILE"
    of_runs = {file for listed in runs.values() for file in listed}
    names = {file: renamed.get(file.given, file.given) for file in files}
    parts = [f"ln {quote(old)} {quote(new)} &&" for old, new in renamed.items() if old != STANDARD_INPUT]
    parts += [command, *(quote(names[file]) for file in files if file.role == "hyp" and file.given not in of_runs)]
    for name, listed in runs.items():
        parts.append(f"--runs {quote(f'{name}=' + ','.join(renamed.get(file, file) for file in listed))}")
    parts += [f"{option}{quote(names[file])}" for file in files if file.role == "ref"]
    if unnamed and not renamed:
        parts.append(unnamed[0].format_option.strip())
    for role, chosen in (("hyp", choice.hypotheses), ("ref", choice.references)):
        likely = {_likely_column(file.columns, role) for file in tables if file.role == role}
        parts += [f"--{role}-column {quote(name)}" for name in chosen or (likely if len(likely) < 2 else {"NAME"})]
    return " ".join(parts)


def _columns(file: TextFile, form: str | None) -> tuple[str, ...]:
    if form is None or form in NON_TEXT_FORMATS:
        return ()
    try:
        return tuple(table_of(file.source, form, Dialect(form), "hyp").columns)
    except MeteorError:
        return ()


def _likely_column(columns: Sequence[str], role: str) -> str:
    return next((column for column in columns if column.casefold() in _USUAL_COLUMNS[role]), "NAME")
