"""Reports as JSON, in full double precision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isnan
from typing import Any

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.statistics import Statistics
from meteorlib.reports.summary import NUMBERS, Summary


def statistics_data(statistics: Statistics, stages: Sequence[str]) -> dict[str, Any]:
    """The counts by name; those of each stage with its matcher's name."""
    return {
        "hypothesis_length": statistics.hypothesis_length,
        "reference_length": statistics.reference_length,
        "hypothesis_function_words": statistics.hypothesis_function_words,
        "reference_function_words": statistics.reference_function_words,
        "stages": [
            {"matcher": name, **counts._asdict()} for name, counts in zip(stages, statistics.stages, strict=True)
        ],
        "chunks": statistics.chunks,
        "penalized_chunks": statistics.penalized_chunks,
        "hypothesis_matches": statistics.hypothesis_matches,
        "reference_matches": statistics.reference_matches,
    }


def breakdown_data(scored: ScoreBreakdown, stages: Sequence[str]) -> dict[str, Any]:
    """A breakdown as plain data; what has no value (NaN) is None."""
    numbers = {name: getattr(scored, name) for name in NUMBERS}
    return {
        **{name: None if isnan(value) else value for name, value in numbers.items()},
        "chunks": scored.statistics.chunks,
        "statistics": statistics_data(scored.statistics, stages),
        "optimal": scored.optimal,
    }


def segment_data(scored: ScoreBreakdown, stages: Sequence[str]) -> dict[str, Any]:
    """A segment's breakdown as plain data, with its matches; positions count from 0."""
    matches = () if scored.alignment is None else scored.alignment.matches
    return {
        **breakdown_data(scored, stages),
        "reference_index": scored.reference_index,
        "matches": [{**match._asdict(), "stage": stages[match.stage]} for match in matches],
    }


class JsonReport:
    """One object; its ``segments``, where asked for, are a list with a segment a line."""

    def head(self, summary: Summary, *, segments: bool) -> str:
        """The object up to its segments."""
        data = {
            **breakdown_data(summary.scored, summary.stages),
            "segment_count": summary.segment_count,
            "mean_segment_score": summary.mean_segment_score,
            "empty_hypotheses": summary.empty_hypotheses,
            "empty_references": summary.empty_references,
            "preset": summary.preset,
            "signature": summary.signature,
        }
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False).removesuffix("\n}")
        return text + (',\n "segments": [' if segments else "")

    def segment(self, number: int, scored: ScoreBreakdown, stages: tuple[str, ...]) -> str:
        """One element of the list."""
        comma = "" if number == 1 else ","
        return f"{comma}\n  {json.dumps(segment_data(scored, stages), ensure_ascii=False, allow_nan=False)}"

    def tail(self, summary: Summary, *, segments: bool) -> str:  # noqa: ARG002
        """The rest of the object."""
        return "\n ]\n}\n" if segments else "\n}\n"
