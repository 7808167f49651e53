"""Scores by group, such as documents or domains, as text and JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from meteorlib.analysis.results import Group
from meteorlib.core.rows import DIGITS, digits
from meteorlib.core.safe_text import harmless

PARTS = ("score", "precision", "recall", "penalty")

NO_LABEL = "–"
"""Sign for segments without a label."""


def shown_label(label: str, escaped: Callable[[str], str] = harmless) -> str:
    """A label for people: a dash if segments have none, so that a label that is a dash is quoted."""
    shown = escaped(label) or NO_LABEL
    return f'"{shown}"' if label and shown.strip('"') == NO_LABEL else shown


def groups_text(groups: Sequence[Group], width: int = DIGITS, scale: int = 1) -> str:
    """A table for each grouping column, with one line per group; numbers times `scale` have `width` digits."""
    if not groups:
        return ""
    from meteorlib.reports.grid import fit_columns  # noqa: PLC0415 – loads rich

    tables = []
    for by, some in groupby(groups, lambda group: group.by):
        rows = [[by, "segments", *PARTS]]
        for group in some:
            cells = [digits(scale * getattr(group.scored, name), width) for name in PARTS]
            rows.append([shown_label(group.label), str(group.segment_count), *cells])
        tables.append(f"{fit_columns(rows)}\n\n")
    return "".join(tables)


def groups_data(groups: Sequence[Group]) -> dict[str, list[dict[str, Any]]]:
    """Plain data for JSON: grouping column → its groups."""
    return {
        by: [
            {
                "label": group.label,
                "segment_count": group.segment_count,
                "mean_segment_score": group.mean_segment_score,
                **group.scored.to_dict(),
            }
            for group in some
        ]
        for by, some in groupby(groups, lambda group: group.by)
    }
