"""JSON report of systems, in full double precision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.rows import json_text
from meteorlib.reports.groups import groups_data
from meteorlib.reports.systems.table import Systems

_LIST = '"segments": ""'
"""Stands in the text for the segments of a system; no other value of this key is a text."""


def segment(_number: int, scored: ScoreBreakdown) -> str:
    """The line of a segment, an object."""
    return json_text(scored.to_dict()) + "\n"


def json(systems: Systems) -> Iterator[str]:
    """One JSON object: `SystemComparison.to_dict`, the preset and the signature, in pieces.

    Systems have `segments`, one in a line, and `groups` if requested. `metrics` has the scores of other metrics, if
    there are any. ``docs/score.schema.json`` describes it.
    """
    data: dict[str, Any] = systems.comparison.to_dict() | {"signature": systems.signature}
    data |= {"references": systems.references, "preset": systems.preset}
    if systems.metrics:
        data["metrics"] = [metric.to_dict(segments=systems.segments is not None) for metric in systems.metrics]
    for system in data["systems"]:
        if system["name"] in systems.groups:
            system["groups"] = groups_data(systems.groups[system["name"]])
        if systems.segments is not None:
            system["segments"] = ""
    first, *others = (json_text(data, indent=1) + "\n").split(_LIST)
    yield first
    for system, after in zip(systems.comparison.systems, others, strict=False):
        yield '"segments": ['
        for number, line in enumerate(_lines(systems, system.name)):
            label = f"{json_text({'id': systems.ids[number]})[:-1]}, " if systems.ids else "{"
            yield f"{',' if number else ''}\n    {label}{line[1:-1]}"
        yield f"\n   ]{after}"


def _lines(systems: Systems, name: str) -> Iterable[str]:
    """The line of each segment; of a system with several runs, its mean score."""
    if name in systems.lines:
        return systems.lines[name]
    return (json_text({"score": score}) + "\n" for score in (systems.segments or {})[name])
