"""Reader of WMT rankings: a folder of segments, outputs and pairwise judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import count_of, id_of, parse_cell, rows_of, text_of
from meteorlib.inputs.columns import USUAL_NAMES, column_of, find_column
from meteorlib.inputs.formats import Dialect
from meteorlib.inputs.judgment_rows import JudgmentRow, open_judgment_table
from meteorlib.inputs.table import Cell

PARTS = ("segments", "hyps", "pairs")
"""Tables of each language pair."""


_KINDS: Mapping[str, Callable[[Cell], Cell]] = {"reference": text_of, "hypothesis": text_of, "count": count_of}
"""Parsers of the columns that are not ids, by role."""


def ranking_rows(folder: Path, dialect: Dialect) -> Iterator[JudgmentRow]:
    """The texts and pairwise judgments of each language pair of a folder.

    Raises:
        InputMismatch: the folder has no such files, or a language pair lacks one.
        InvalidText: a file is malformed, a segment is unknown, or a system has no output.
    """
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        name, _, rest = path.name.partition(".")
        part = rest.partition(".")[0]
        if name and part in PARTS:
            if part in found.setdefault(name, {}):
                raise InputMismatch(
                    f"{path} and {found[name][part].name}: only one of them can be read; remove the other"
                )
            found[name][part] = path
    # texts without judgments are of no use
    judged = {name: parts for name, parts in found.items() if "pairs" in parts}
    if not judged:
        raise InputMismatch(
            f"{folder}: is not a folder of rankings: such a folder has LP.segments.tsv, "
            "LP.hyps.tsv and LP.pairs.tsv for each "
            "language pair LP (a test set of mt-metrics-eval has human-scores, a folder of METEOR's "
            "trainer *.rank or *.ter)"
        )
    for name, parts in judged.items():
        if missing := [part for part in PARTS if part not in parts]:
            raise InputMismatch(f"{folder}: there is no {name}.{missing[0]}.tsv beside {parts['pairs'].name}")
    for name, parts in judged.items():
        yield from _language_pair(name, parts, dialect)


def _language_pair(name: str, parts: Mapping[str, Path], dialect: Dialect) -> Iterator[JudgmentRow]:
    references: dict[str, str] = {}
    for where, (segment, reference) in _rows(name, parts["segments"], dialect, ("segment_id", "reference")):
        if references.setdefault(segment, reference) != reference:
            raise InvalidText(where, f"segment {segment!r} of {name} already has another reference")
    for where, (segment, system, hypothesis) in _rows(
        name, parts["hyps"], dialect, ("segment_id", "system", "hypothesis")
    ):
        if segment not in references:
            raise InvalidText(where, f"segment {segment!r} of {name} is unknown: it has no reference")
        yield JudgmentRow(where, name, (segment,), system, Pair((references[segment],), hypothesis))
    for where, (segment, better, worse, count) in _rows(
        name, parts["pairs"], dialect, ("segment_id", "better", "worse", "count")
    ):
        yield JudgmentRow(where, name, (segment,), better=better, worse=worse, times=count)


def _rows(lp: str, path: Path, dialect: Dialect, names: tuple[str, ...]) -> list[tuple[str, list[Cell]]]:
    """Location and cells of each row: texts, labels (numbers in some formats), and counts.

    Raises:
        InvalidText: a cell is malformed, or a column of language pairs contradicts the name of the file.
    """
    table = open_judgment_table(str(path), dialect)
    columns = [(name in USUAL_NAMES and find_column(table, name)) or column_of(table, name) for name in names]
    own = [*filter(None, [find_column(table, "lp")])]
    found = []
    for where, cells in rows_of(table, [*columns, *own]):
        for column, cell in zip(own, cells[len(names) :], strict=True):
            if (value := parse_cell(id_of, cell, where, column)) != lp:
                reason = f"is {value!r}, but the file's name says {lp!r}; correct one of them"
                raise InvalidText(f"{where}: column {column!r}", reason)
        named = zip(names, cells, strict=False)
        found.append((where, [parse_cell(_KINDS.get(name, id_of), cell, where, name) for name, cell in named]))
    return found
