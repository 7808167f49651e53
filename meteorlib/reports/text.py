"""Reports for people."""

from __future__ import annotations

from math import isnan

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.reports.summary import Summary

PARTS = ("score", "precision", "recall", "f_mean", "fragmentation", "penalty")
SEGMENT_PARTS = ("score", "precision", "recall", "penalty")


def _digits(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}"


class TextReport:
    """Aligned columns with four digits."""

    def head(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The names of the columns."""
        if not segments:
            return ""
        return "segment  " + "".join(f"{name:>11}" for name in (*SEGMENT_PARTS, "chunks", "reference")) + "\n"

    def segment(self, number: int, scored: ScoreBreakdown, stages: tuple[str, ...]) -> str:  # noqa: ARG002
        """One line."""
        cells = [_digits(getattr(scored, name)) for name in SEGMENT_PARTS]
        reference = "–" if scored.reference_index is None else str(scored.reference_index + 1)
        return f"{number:<9}" + "".join(f"{cell:>11}" for cell in (*cells, scored.statistics.chunks, reference)) + "\n"

    def tail(self, summary: Summary, *, segments: bool) -> str:
        """The score of the corpus with its parts, a line each."""
        statistics = summary.scored.statistics
        matches = [f"{name} {count}" for name, count in zip(summary.stages, statistics.matches, strict=True)]
        unmatched = statistics.hypothesis_length - sum(statistics.matches)
        lines = [
            *((name, _digits(getattr(summary.scored, name))) for name in PARTS),
            ("chunks", str(statistics.chunks)),
            ("matches", ", ".join([*matches, f"none {unmatched}"])),
            ("length", f"hypothesis {statistics.hypothesis_length}, reference {statistics.reference_length}"),
            ("segments", f"{summary.segment_count}, mean of their scores {_digits(summary.mean_segment_score)}"),
            ("signature", summary.signature),
        ]
        return ("\n" if segments else "") + "".join(f"{label:<15}{value}\n" for label, value in lines)
