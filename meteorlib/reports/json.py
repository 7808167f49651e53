"""JSON report of a scored corpus, in full double precision."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.rows import json_text
from meteorlib.reports.groups import groups_data
from meteorlib.reports.summary import Summary


class JsonReport:
    """One JSON object; ``segments``, if requested, is a list with one segment per line, with ids if there are any."""

    def __init__(self, ids: Sequence[str] = ()) -> None:
        self._ids = ids

    def head(self, summary: Summary, *, segments: bool) -> str:
        """The object up to its segments."""
        data = {
            **summary.scored.to_dict(),
            "segment_count": summary.segment_count,
            "mean_segment_score": summary.mean_segment_score,
            "empty_hypotheses": summary.empty_hypotheses,
            "empty_references": summary.empty_references,
            "references": summary.references,
            "preset": summary.preset,
            "signature": summary.full_signature,
        }
        if summary.groups:
            data["groups"] = groups_data(summary.groups)
        text = json_text(data, indent=1).removesuffix("\n}")
        return text + (',\n "segments": [' if segments else "")

    def segment(self, number: int, scored: ScoreBreakdown) -> str:
        """One element of the list."""
        comma = "" if number == 1 else ","
        label = {"id": self._ids[number - 1]} if self._ids else {}
        return f"{comma}\n  {json_text(label | scored.to_dict())}"

    def tail(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The rest of the object."""
        return "\n ]\n}\n" if segments else "\n}\n"
