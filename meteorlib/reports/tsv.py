"""Reports as tab-separated values, in full double precision."""

from __future__ import annotations

from math import isnan

from meteorlib.core.breakdown import NUMBERS, ScoreBreakdown
from meteorlib.reports.summary import Summary

COLUMNS = ("segment", *NUMBERS, "chunks", "reference_index", "preset", "signature")


def _row(label: str, scored: ScoreBreakdown, preset: str = "", signature: str = "") -> str:
    values = [getattr(scored, name) for name in NUMBERS]
    reference = "" if scored.reference_index is None else str(scored.reference_index)
    numbers = ["" if isnan(value) else repr(value) for value in values]
    return "\t".join([label, *numbers, str(scored.statistics.chunks), reference, preset, signature]) + "\n"


class TsvReport:
    """A line of column names, a row for each segment, a row for the corpus; what has no value is empty.

    Preset and signature, which are the same for all, stand in the last row, that of the corpus.
    """

    def head(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The names of the columns."""
        return "\t".join(COLUMNS) + "\n"

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """One row."""
        return _row(str(number), scored)

    def tail(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The row of the corpus."""
        return _row("corpus", summary.scored, " ".join(summary.preset.split()), summary.full_signature)
