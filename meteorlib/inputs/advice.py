"""Text files that look like tables, and the options that read them by column."""

from __future__ import annotations

from attrs import frozen

from meteorlib.errors import InputMismatch, MeteorError
from meteorlib.inputs.formats import FORMATS, Dialect, form_of, looks_like, table_of
from meteorlib.inputs.text_file import TextFile


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
    def note(self) -> str:
        """The format that the file looks like, and the options by which it is read as such."""
        columns = f" (columns: {', '.join(self.columns)})" if self.columns else ""
        options = [] if form_of(self.given) else [f"--input-format {self.form}"]
        options += [] if FORMATS[self.form or "text"].magic else [f"--{self.role}-column NAME"]
        looks = f"{self.name} looks like {FORMATS[self.form or 'text'].title}{columns}"
        return f"{looks} and is read as text, one segment per line; to read it as such, add {' '.join(options)}"


def _columns(file: TextFile, form: str | None) -> tuple[str, ...]:
    if form is None or FORMATS[form].magic:
        return ()
    try:
        return tuple(table_of(file.source, form, Dialect(form), "hyp").columns)
    except MeteorError:
        return ()
