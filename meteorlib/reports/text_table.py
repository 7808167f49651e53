"""Results of systems as text for terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, repeat
from typing import TYPE_CHECKING

from meteorlib.analysis.results import shown_label
from meteorlib.core.breakdown import MAIN_NUMBERS, ScoreBreakdown, breakdown_rows
from meteorlib.display.displayable import Grid, value_at
from meteorlib.display.text import digits, harmless, listing
from meteorlib.reports.system_table import OF_METRICS, Results, cells, difference_cells, notes, score_cells

if TYPE_CHECKING:
    from meteorlib.analysis.differences import Changes

BAR = 40
"""Width of the longest bar, in characters."""


def text_results(results: Results) -> Iterator[str]:
    """Tables of scores and differences, with notes below; all lines but the signature fit a terminal.

    For two systems there is also a histogram of the differences between segments. A single system without intervals has
    a list instead: its score, with its parts if `verbose`, and where it comes from.
    """
    yield from _compared_text(results) if results.comparison.samples else _single_text(results)


def text_segment(number: int, scored: ScoreBreakdown, width: int, scale: int) -> str:
    """The line of a segment of a single system; numbers times `scale` have `width` digits."""
    numbers = [digits(scale * getattr(scored, name), width) for name in MAIN_NUMBERS]
    reference = "–" if scored.reference_index is None else str(scored.reference_index + 1)
    return f"{number:<9}" + "".join(f"{value:>11}" for value in (*numbers, scored.statistics.chunks, reference)) + "\n"


def _single_text(results: Results) -> Iterator[str]:
    (system,), scale = results.comparison.systems, results.scale
    if results.segments:
        names = "".join(f"{name:>11}" for name in (*MAIN_NUMBERS, "chunks", "reference"))
        for number, line in enumerate(results.lines[system.name]):
            labels = results.labels(system.name, number)
            if not number:
                yield "  ".join([f"segment  {names}", *labels]) + "\n"
            widths = ((f"{harmless(str(said)):<{len(name)}}") for name, said in labels.items())
            yield "  ".join([line[:-1], *widths]).rstrip() + "\n"
        yield "\n"
    yield from (f"{table}\n\n" for table in _group_tables(results))
    meanings = {
        "score": f" ({'in percent; 100' if scale > 1 else 'from 0 to 1; 1'} is best)",
        "fragmentation": " (how scattered the matches are; lower is better)",
    }
    parts = breakdown_rows(system.scored, results.width, scale)
    mean = results.number(system.mean_segment_score)
    lines = [
        *((name, value + meanings.get(name, "")) for name, value in (parts if results.verbose else parts[:1])),
        ("segments", f"{results.comparison.segment_count}, mean of their scores {mean}"),
        ("variant", f"{results.variant}; preset {results.preset}" if results.variant else f"preset {results.preset}"),
        ("cite", _citation(results.source)),
        ("signature", results.signature),
    ]
    yield listing(lines) + "\n"


def _citation(source: str) -> str:
    """The paper or program of the preset, to be cited, without remarks and page names."""
    source = re.sub(r", docs/\S+$", "", source.partition(";")[0]).replace("this project", "meteorlib")
    return f"{source}; with the signature" if source else "meteorlib and your preset, with the signature"


def _compared_text(results: Results) -> Iterator[str]:
    from meteorlib.display.terminal import fit_columns, notes_block  # noqa: PLC0415 – loads rich

    parts = [*_group_tables(results), fit_columns(score_cells(results))]
    if results.segments:
        parts.insert(0, fit_columns(_segment_cells(results)))
    if differences := difference_cells(results):
        parts.append(fit_columns(differences))
    if len(results.comparison.systems) == 2 and not results.columns:
        parts.append(_changes(results))
    parts += [fit_columns(cells(results, OF_METRICS, metric)) for metric in results.metrics]
    *explanations, signature = notes(results)
    yield "\n\n".join([*parts, notes_block(explanations, [signature])]) + "\n"


def _segment_cells(results: Results) -> Grid:
    systems = results.comparison.systems
    ids: Iterable[list[str]] = [[label] for label in results.ids] or repeat([])
    scores = zip(*(system.segments.tolist() for system in systems if system.segments is not None), strict=True)
    return [
        ["segment", *(["id"] if results.ids else []), *(system.name for system in systems)],
        *(
            [str(number), *label, *map(results.number, segment)]
            for number, (label, segment) in enumerate(zip(ids, scores, strict=False), 1)
        ),
    ]


def _group_tables(results: Results) -> Iterator[str]:
    """A table for each grouping column: a row for each group, and the score of each system, or the parts of one's."""
    systems = results.comparison.systems
    for by, some in groupby(zip(*(system.groups for system in systems), strict=True), lambda groups: groups[0].by):
        from meteorlib.display.terminal import fit_columns  # noqa: PLC0415 – loads rich

        rows = [
            [by, "segments", *((system.name for system in systems) if results.comparison.samples else MAIN_NUMBERS)]
        ]
        for groups in some:
            numbers = [group.score for group in groups]
            if not results.comparison.samples:
                numbers = [getattr(groups[0].scored, part) for part in MAIN_NUMBERS]
            rows.append([shown_label(groups[0].label), str(groups[0].segment_count), *map(results.number, numbers)])
        yield fit_columns(rows)


def _changes(results: Results) -> str:
    """Histogram of segment differences, from the first to the last non-empty band."""
    from meteorlib.display.terminal import wrap_sentence  # noqa: PLC0415 – loads rich

    (system,) = (system for system in results.comparison.systems if system.difference is not None)
    changes: Changes = value_at(system, "difference.changes")
    counts = f"{changes.better} better, {changes.worse} worse, {changes.unchanged} unchanged"
    lines = wrap_sentence(f"segments of {system.name} against {results.comparison.baseline}: {counts}")
    filled = [place for place, count in enumerate(changes.bands) if count]
    half = len(changes.bands) // 2
    for place in range(filled[0], filled[-1] + 1) if filled else ():
        low, high = (results.scale * (place + end - half) / half for end in (0, 1))
        count = changes.bands[place]
        bar = "#" * -(-BAR * count // max(changes.bands))
        lines.append(f"{low:+5.1f} to {high:+5.1f} {count:>7}  {bar}".rstrip())
    return "\n".join(lines)
