"""TSV report of a scored corpus, in full double precision."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.formula import NUMBERS
from meteorlib.core.rows import exact, tsv_row
from meteorlib.reports.summary import Summary

COLUMNS = ("segment", *NUMBERS, "chunks", "reference_index", "preset", "signature")

SEGMENT_COUNT = "segment_count"
"""Extra column of reports with groups."""

ID = "id"
"""Last column, if rows were joined by id."""


class TsvReport:
    """A line of column names, a row for each segment, each group and the corpus; undefined values are empty.

    The first column has the number of the segment, ``document=LABEL`` of a group, or ``corpus``. Preset and signature
    are the same for all, so only the last row, that of the corpus, has them.
    """

    def __init__(self, ids: Sequence[str] = (), *, grouped: bool = False) -> None:
        self._ids, self._grouped = ids, grouped

    def head(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The names of the columns."""
        return tsv_row([*COLUMNS, *([SEGMENT_COUNT] if self._grouped else []), *([ID] if self._ids else [])])

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """One row."""
        return self._row(str(number), scored, label=self._ids[number - 1] if self._ids else "")

    def tail(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The rows of groups, and that of the corpus."""
        groups = "".join(self._row(f"{group.by}={group.label}", group.scored) for group in summary.groups)
        return groups + self._row("corpus", summary.scored, summary.preset, summary.full_signature)

    def _row(self, first: str, scored: ScoreBreakdown, preset: str = "", signature: str = "", label: str = "") -> str:
        numbers = [exact(getattr(scored, name)) for name in NUMBERS]
        reference = "" if scored.reference_index is None else str(scored.reference_index)
        count = [str(scored.segment_count or 1)] if self._grouped else []
        cells = [first, *numbers, str(scored.statistics.chunks), reference, preset, signature, *count]
        cells += [label] if self._ids else []
        return tsv_row(cells)
