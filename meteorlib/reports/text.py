"""Text report of a scored corpus, for terminals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from meteorlib.core.breakdown import ScoreBreakdown, breakdown_rows
from meteorlib.core.rows import DIGITS, digits, listing
from meteorlib.core.safe_text import harmless
from meteorlib.reports.groups import groups_text
from meteorlib.reports.summary import Summary

SEGMENT_PARTS = ("score", "precision", "recall", "penalty")


class TextReport:
    """Aligned columns for segments, then groups and the corpus.

    Attributes:
        width: digits after the decimal point.
        ids: ids of the segments, if their rows were joined by id.
        verbose: whether the corpus score is followed by its parts.
        scale: factor of the numbers: 100 for percent.
    """

    def __init__(
        self, width: int = DIGITS, ids: Sequence[str] = (), *, percent: bool = False, verbose: bool = False
    ) -> None:
        self.width = width
        self.verbose = verbose
        self.scale = 100 if percent else 1
        self.ids = ids

    def head(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The names of the columns."""
        if not segments:
            return ""
        return (
            "segment  "
            + "".join(f"{name:>11}" for name in (*SEGMENT_PARTS, "chunks", "reference"))
            + self._id("id")
            + "\n"
        )

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """One line."""
        cells = [digits(self.scale * getattr(scored, name), self.width) for name in SEGMENT_PARTS]
        reference = "–" if scored.reference_index is None else str(scored.reference_index + 1)
        line = f"{number:<9}" + "".join(f"{cell:>11}" for cell in (*cells, scored.statistics.chunks, reference))
        return line + self._id(self.ids[number - 1] if self.ids else "") + "\n"

    def _id(self, text: str) -> str:
        """The last cell of a line, because its width varies."""
        return f"  {harmless(text)}" if self.ids else ""

    def tail(self, summary: Summary, *, segments: bool) -> str:
        """The scores of the groups, then the corpus score, its parts if verbose, and its origin, one per line."""
        count = summary.segment_count
        best = "in percent; 100" if self.scale > 1 else "from 0 to 1; 1"
        meanings = {
            "score": f" ({best} is best)",
            "fragmentation": " (how scattered the matches are; lower is better)",
        }
        parts = breakdown_rows(summary.scored, self.width, self.scale)
        lines = [
            *((name, value + meanings.get(name, "")) for name, value in (parts if self.verbose else parts[:1])),
            (
                "segments",
                f"{count}, mean of their scores {self._mean(summary)}",
            ),
            ("variant", _variant(summary)),
            ("cite", _citation(summary)),
            ("signature", summary.full_signature),
        ]
        return (
            ("\n" if segments else "")
            + groups_text(summary.groups, *((self.width, self.scale) if self.scale > 1 else ()))
            + listing(lines)
            + "\n"
        )

    def _mean(self, summary: Summary) -> str:
        return digits(self.scale * summary.mean_segment_score, self.width)


def _variant(summary: Summary) -> str:
    """The variant of METEOR in words, with the name of its preset."""
    return f"{summary.variant}; preset {summary.preset}" if summary.variant else f"preset {summary.preset}"


def _citation(summary: Summary) -> str:
    """The paper or program of the preset, to be cited, without remarks and page names."""
    source = re.sub(r", docs/\S+$", "", summary.source.partition(";")[0]).replace("this project", "meteorlib")
    return f"{source}; with the signature" if source else "meteorlib and your preset, with the signature"
