"""Text report of compared systems, for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, repeat

from meteorlib.reports.grid import fit_columns, notes_block, wrap_sentence
from meteorlib.reports.groups import shown_label
from meteorlib.reports.systems.table import (
    Systems,
    difference_cells,
    metric_cells,
    notes,
    score_cells,
    score_of,
)

BAR = 40
"""Width of the longest bar, in characters."""


def text(systems: Systems) -> str:
    """Tables of scores and differences, with notes below; all lines but the signature fit a terminal.

    For two systems there is also a histogram of the differences between segments.
    """
    parts = [*_groups(systems), fit_columns(score_cells(systems))]
    if systems.segments is not None:
        parts.insert(0, _segments(systems))
    parts += [fit_columns(metric_cells(systems, metric)) for metric in systems.metrics]
    if differences := difference_cells(systems):
        parts.append(fit_columns(differences))
    if len(systems.comparison.systems) == 2 and not systems.columns:
        parts.append(_changes(systems))
    *explanations, signature = notes(systems)
    return "\n\n".join([*parts, notes_block(explanations, [signature])]) + "\n"


def _segments(systems: Systems) -> str:
    scores = systems.segments or {}
    ids: Iterable[list[str]] = [[label] for label in systems.ids] or repeat([])
    rows = [["segment", *(["id"] if systems.ids else []), *scores]]
    for number, (label, segment) in enumerate(zip(ids, zip(*scores.values(), strict=True), strict=False), 1):
        rows.append([str(number), *label, *(systems.number(score) for score in segment)])
    return fit_columns(rows)


def _groups(systems: Systems) -> Iterator[str]:
    """A table for each grouping column: one row per group, one column per system."""
    by_group = zip(*systems.groups.values(), strict=True)
    for by, some in groupby(by_group, lambda groups: groups[0].by):
        rows = [[by, "segments", *systems.groups]]
        for groups in some:
            scores = [score_of(group, systems.comparison) for group in groups]
            label = shown_label(groups[0].label)
            rows.append([label, str(groups[0].segment_count), *(systems.number(score) for score in scores)])
        yield fit_columns(rows)


def _changes(systems: Systems) -> str:
    """Histogram of segment differences, from the first to the last non-empty band."""
    comparison, scale = systems.comparison, systems.scale
    (system,) = (one for one in comparison.systems if one.difference is not None)
    assert system.difference is not None  # noqa: S101 – one of two is not the baseline
    changes = system.difference.changes
    counts = f"{changes.better} better, {changes.worse} worse, {changes.unchanged} unchanged"
    lines = wrap_sentence(f"segments of {system.name} against {comparison.baseline}: {counts}")
    filled = [place for place, count in enumerate(changes.bands) if count]
    if filled:
        most = max(changes.bands)
        half = len(changes.bands) // 2
        for place in range(filled[0], filled[-1] + 1):
            low, high = scale * (place - half) / half, scale * (place + 1 - half) / half
            count = changes.bands[place]
            bar = "#" * -(-BAR * count // most)
            lines.append(f"{low:+5.1f} to {high:+5.1f} {count:>7}  {bar}".rstrip())
    return "\n".join(lines)
