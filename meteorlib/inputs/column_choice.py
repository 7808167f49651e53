"""The choice of columns that hold hypotheses, references and labels."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from meteorlib.inputs.readers import NON_TEXT_FORMATS, Dialect, form_of


@frozen
class ColumnChoice:
    """The columns and the dialect that the user asked for.

    Attributes:
        hypotheses: columns of hypotheses, one per system.
        references: columns of references.
        labels: groupings of the segments: a column, or ``NAME=FILE`` for a file with one label per line.
        ids: the columns that join the rows of several files; empty for columns of usual names that the files share,
            `NONE` for rows that are joined by position.
        dialect: options for reading the files.
    """

    hypotheses: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    dialect: Dialect = field(factory=Dialect)

    def is_plain(self, files: Sequence[str]) -> bool:
        """Whether all files are text with one segment per line, and nothing is grouped."""
        if self.names_columns or self.labels or self.ids:
            return False
        if self.dialect.form is not None:
            return self.dialect.form == "text"
        return all(form_of(name) not in NON_TEXT_FORMATS for name in files)

    @property
    def names_columns(self) -> bool:
        """Whether columns were asked for, so that some file is a table."""
        return bool(self.hypotheses or self.references or self.dialect.delimiter or self.dialect.header)

    @property
    def label_names(self) -> tuple[str, ...]:
        """Names of the labels: the columns, and the names before files."""
        return tuple(name.partition("=")[0] for name in self.labels)
