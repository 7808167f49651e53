"""Rows of human judgments, in which each value has a role, and the columns that identify segments and texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal, NamedTuple

from attrs import field, frozen

from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch
from meteorlib.inputs.cells import id_of, parse_cell, plain_id
from meteorlib.inputs.columns import columns_of, find_column, listed_columns, usual_columns
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.table import Cell, Table

Segment = tuple[str, ...]
"""Parts of a segment's id, such as document and number; empty if nothing identifies the segment."""

Several = Literal["mean", "each"]
"""Treatment of several ratings of a text: use their mean, or each of them."""


class JudgmentRow(NamedTuple):
    """A row of a table or folder of judgments: a text with its ratings, ratings of a text or system, or a preference.

    Attributes:
        where: file and line, for messages.
        lp: name of the language pair; empty if unknown.
        segment: id of the segment; empty for a system, and where nothing identifies the segments.
        system: name of the system; empty if unknown.
        texts: the text and its references; None if another row has them.
        ratings: ratings of the text, or of the system if there is no segment; higher is better.
        better: system whose text was preferred; empty for other rows.
        worse: system of the other text.
        times: number of times that it was preferred.
    """

    where: str
    lp: str
    segment: Segment = ()
    system: str = ""
    texts: Pair | None = None
    ratings: Sequence[float] = ()
    better: str = ""
    worse: str = ""
    times: int = 1


@frozen
class Columns:
    """Names of columns; empty for the usual ones.

    Attributes:
        lp: column of the language pair.
        segments: columns that together identify the segment.
        system: column of the system.
        hypothesis: column of the judged text.
        references: columns of references.
        human: column of the rating.
    """

    lp: str = ""
    segments: tuple[str, ...] = ()
    system: str = ""
    hypothesis: str = ""
    references: tuple[str, ...] = ()
    human: str = ""

    def key_of(self, table: Table, *, of_texts: bool = True) -> IdColumns:
        """Find the columns that identify the text of a row, or only its segment.

        Raises:
            UnknownName: a named column does not exist.
            InputMismatch: several columns have usual names of the same role.
        """
        others = (self.lp, self.system, self.hypothesis, *self.references, self.human)
        lp = find_column(table, "lp", self.lp)
        system = find_column(table, "system", self.system) if of_texts else None
        segments = [*columns_of(table, self.segments)]
        if not segments and (found := find_column(table, "segment", without=others)):
            segments = [*usual_columns(table, "document", without=others), found]
        return IdColumns(lp, tuple(segments), system, _plain_name(table.name))


@frozen
class IdColumns:
    """Columns that identify the text of a row; None or empty where a table lacks one."""

    lp: str | None
    segments: tuple[str, ...]
    system: str | None
    table: str

    @property
    def columns(self) -> list[str]:
        """Names of these columns."""
        return [name for name in (self.lp, *self.segments, self.system) if name]

    def check_same_ids(self, table: Table, segment: Segment) -> None:
        """Check that segments are identified by as many columns as in the table of texts.

        Args:
            table: table of these columns.
            segment: a segment of the table of texts.

        Raises:
            InputMismatch: the numbers of columns differ.
        """
        if len(segment) != len(self.segments):
            raise InputMismatch(
                f"{table.name}: segments are identified by {listed_columns(self.segments)}, but by "
                f"{len(segment)} {'column' if len(segment) == 1 else 'columns'} in the judged texts; name columns that "
                "both have: --segment-column NAME (repeatable)"
            )

    def of(self, where: str, cells: Sequence[Cell]) -> tuple[str, Segment, str]:
        """Language pair, segment and system of a row; without such columns the name of the table, `()` and ``""``.

        Args:
            where: location of the row.
            cells: cells of the row, those of `columns` first.

        Raises:
            InvalidText: a cell is a list or an object, or is empty (only the system may be).
        """
        kinds = [id_of] * (bool(self.lp) + len(self.segments)) + [plain_id] * bool(self.system)
        ids = [
            parse_cell(kind, cell, where, column)
            for kind, cell, column in zip(kinds, cells, self.columns, strict=False)
        ]
        lp = ids.pop(0) if self.lp else self.table
        system = ids.pop() if self.system else ""
        return lp, tuple(ids), system


@frozen
class Asked:
    """Options for reading judgments.

    Attributes:
        pairs: table of pairwise judgments, with columns segment, better, worse and optionally count; empty for none.
        systems: table of human scores per system; empty for none.
        columns: names of the columns.
        dialect: format of the files.
        several: treatment of several ratings of a text.
        lower_is_better: whether lower ratings are better (HTER, error counts).
        lps: language pairs to read; empty for all.
    """

    pairs: str = ""
    systems: str = ""
    columns: Columns = field(factory=Columns)
    dialect: Dialect = field(factory=Dialect)
    several: Several = "mean"
    lower_is_better: bool = False
    lps: tuple[str, ...] = ()

    @property
    def sign(self) -> int:
        """Factor of the ratings: -1 if lower ones are better."""
        return -1 if self.lower_is_better else 1


def open_judgment_table(name: str, dialect: Dialect) -> Table:
    """Open a table of judgments.

    Raises:
        InputMismatch: the file does not exist, or its format is unknown.
        InvalidText: the file is malformed.
    """
    return open_table(name, dialect, "hyp", columns=True)


def _plain_name(name: str) -> str:
    """Name of a file without its suffixes."""
    return PurePath(name).name.partition(".")[0] or name
