"""Scores by group, such as documents or domains: computed, and as text and JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import fsum
from typing import Any

from attrs import evolve, frozen

from meteorlib.core.breakdown import ScoreBreakdown, reduce_breakdowns
from meteorlib.core.rows import DIGITS, digits
from meteorlib.core.safe_text import harmless
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.corpus.groups import Groups
from meteorlib.scorer import Scorer

PARTS = ("score", "precision", "recall", "penalty")

NO_LABEL = "–"
"""Sign for segments without a label."""


@frozen
class Group:
    """The segments that share a label, scored as a corpus.

    Attributes:
        by: the column that the label is from: ``document``, ``domain``, …
        label: the label; empty if the segments have none.
        scored: the formula applied to their summed statistics.
        mean_segment_score: the mean of their scores.
    """

    by: str
    label: str
    scored: ScoreBreakdown
    mean_segment_score: float

    @property
    def segment_count(self) -> int:
        """Number of segments in the group."""
        return self.scored.segment_count or 0


def shown_label(label: str, escaped: Callable[[str], str] = harmless) -> str:
    """A label for people: a dash if segments have none, so that a label that is a dash is quoted."""
    shown = escaped(label) or NO_LABEL
    return f'"{shown}"' if label and shown.strip('"') == NO_LABEL else shown


def groups_of(groups: Groups, scorer: Scorer) -> Sequence[Group]:
    """The score of each group, in order."""
    return [Group(by, label, *_scored(totals, scorer)) for by, label, totals in groups]


def mean_groups(runs: Sequence[Sequence[Group]]) -> Sequence[Group]:
    """The groups of a system with several runs: each number is the mean over the runs, the counts are their sum."""
    if len(runs) == 1:
        return runs[0]
    return [
        evolve(
            some[0],
            scored=reduce_breakdowns([group.scored for group in some], "mean"),
            mean_segment_score=fsum(group.mean_segment_score for group in some) / len(some),
        )
        for some in zip(*runs, strict=True)
    ]


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


def _scored(totals: Totals, scorer: Scorer) -> tuple[ScoreBreakdown, float]:
    scored = scorer.breakdown(totals.statistics, optimal=not totals.inexact)
    mean = totals.exact_sum / (totals.segment_count << SCORE_BITS)
    return evolve(scored, segment_count=totals.segment_count), mean
