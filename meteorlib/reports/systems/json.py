"""JSON report of compared systems, in full double precision."""

from __future__ import annotations

from typing import Any

from meteorlib.core.rows import json_text
from meteorlib.reports.groups import groups_data
from meteorlib.reports.systems.table import Systems


def json(systems: Systems) -> str:
    """One JSON object: `SystemComparison.to_dict` and the signature.

    Systems have `segments` and `groups` if requested; `segment_ids` has the ids of the segments. `metrics` has the
    scores of other metrics, if there are any. ``docs/score.schema.json`` describes it.
    """
    data: dict[str, Any] = systems.comparison.to_dict() | {"signature": systems.signature}
    if systems.segments is not None:
        if systems.ids:
            data["segment_ids"] = [*systems.ids]
        for system in data["systems"]:
            system["segments"] = [*systems.segments[system["name"]]]
    if systems.metrics:
        data["metrics"] = [metric.to_dict(segments=systems.segments is not None) for metric in systems.metrics]
    for system in data["systems"]:
        if system["name"] in systems.groups:
            system["groups"] = groups_data(systems.groups[system["name"]])
    return json_text(data, indent=1) + "\n"
