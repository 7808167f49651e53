"""Text report of systems, for terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, repeat

from meteorlib.core.breakdown import ScoreBreakdown, breakdown_rows
from meteorlib.core.rows import digits, listing
from meteorlib.core.safe_text import harmless
from meteorlib.reports.grid import fit_columns, notes_block, wrap_sentence
from meteorlib.reports.groups import groups_text, shown_label
from meteorlib.reports.systems.table import (
    Systems,
    difference_cells,
    metric_cells,
    notes,
    score_cells,
    score_of,
)

SEGMENT_PARTS = ("score", "precision", "recall", "penalty")
"""Numbers of a segment."""

BAR = 40
"""Width of the longest bar, in characters."""


def text(systems: Systems) -> Iterator[str]:
    """Tables of scores and differences, with notes below; all lines but the signature fit a terminal.

    For two systems there is also a histogram of the differences between segments. A single system without intervals has
    a list instead: its score, with its parts if `verbose`, and where it comes from.
    """
    yield from _compared(systems) if systems.comparison.samples else _single(systems)


def segment(number: int, scored: ScoreBreakdown, width: int, scale: int) -> str:
    """The line of a segment of a single system; numbers times `scale` have `width` digits."""
    cells = [digits(scale * getattr(scored, name), width) for name in SEGMENT_PARTS]
    reference = "–" if scored.reference_index is None else str(scored.reference_index + 1)
    return f"{number:<9}" + "".join(f"{cell:>11}" for cell in (*cells, scored.statistics.chunks, reference)) + "\n"


def _single(systems: Systems) -> Iterator[str]:
    (system,), scale = systems.comparison.systems, systems.scale
    if systems.segments is not None:
        names = "".join(f"{name:>11}" for name in (*SEGMENT_PARTS, "chunks", "reference"))
        yield f"segment  {names}{'  id' if systems.ids else ''}\n"
        for number, line in enumerate(systems.lines[system.name]):
            yield f"{line[:-1]}  {harmless(systems.ids[number])}\n" if systems.ids else line
        yield "\n"
    yield groups_text(systems.groups.get(system.name, ()), *((systems.width, scale) if scale > 1 else ()))
    meanings = {
        "score": f" ({'in percent; 100' if scale > 1 else 'from 0 to 1; 1'} is best)",
        "fragmentation": " (how scattered the matches are; lower is better)",
    }
    parts = breakdown_rows(system.scored, systems.width, scale)
    mean = systems.number(system.mean_segment_score)
    lines = [
        *((name, value + meanings.get(name, "")) for name, value in (parts if systems.verbose else parts[:1])),
        ("segments", f"{systems.comparison.segment_count}, mean of their scores {mean}"),
        ("variant", f"{systems.variant}; preset {systems.preset}" if systems.variant else f"preset {systems.preset}"),
        ("cite", _citation(systems.source)),
        ("signature", systems.signature),
    ]
    yield listing(lines) + "\n"


def _citation(source: str) -> str:
    """The paper or program of the preset, to be cited, without remarks and page names."""
    source = re.sub(r", docs/\S+$", "", source.partition(";")[0]).replace("this project", "meteorlib")
    return f"{source}; with the signature" if source else "meteorlib and your preset, with the signature"


def _compared(systems: Systems) -> Iterator[str]:
    parts = [*_groups(systems), fit_columns(score_cells(systems))]
    if systems.segments is not None:
        parts.insert(0, _segments(systems))
    parts += [fit_columns(metric_cells(systems, metric)) for metric in systems.metrics]
    if differences := difference_cells(systems):
        parts.append(fit_columns(differences))
    if len(systems.comparison.systems) == 2 and not systems.columns:
        parts.append(_changes(systems))
    *explanations, signature = notes(systems)
    yield "\n\n".join([*parts, notes_block(explanations, [signature])]) + "\n"


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
