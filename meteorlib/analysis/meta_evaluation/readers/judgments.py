"""Reader of judgments from tables with named columns and from folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from attrs import field, frozen

from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.readers.collection import (
    JudgmentCollector,
    Key,
    check_systems,
    known_language_pair,
)
from meteorlib.analysis.meta_evaluation.readers.columns import Columns, IdColumns, open_judgment_table
from meteorlib.analysis.meta_evaluation.readers.mt_metrics_eval import is_mt_metrics_eval, read_mt_metrics_eval
from meteorlib.analysis.meta_evaluation.readers.rankings import read_rankings
from meteorlib.analysis.meta_evaluation.readers.trainer import is_trainer, read_trainer
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import BadCell, count_of, id_of, number_of, numbers_of, pair_of, parse_cell, rows_of
from meteorlib.inputs.columns import (
    columns_of,
    find_column,
    id_like_columns,
    listed_columns,
    required_column,
    unused_columns,
    usual_columns,
    without_role,
)
from meteorlib.inputs.formats import Dialect
from meteorlib.inputs.table import Table

Several = Literal["mean", "each"]
"""Treatment of several ratings of a text: use their mean, or each of them."""


@frozen
class Asked:
    """Options for reading judgments.

    Attributes:
        pairs: table of pairwise judgments, with columns segment, better, worse and optionally count; empty for none.
        systems: table of human scores per system; empty for none.
        columns: names of the columns.
        dialect: format of the files.
        several: treatment of several ratings of a text.
        lower_is_better: whether lower ratings are better (HTER, error counts).
        lps: language pairs to read; empty for all.
    """

    pairs: str = ""
    systems: str = ""
    columns: Columns = field(factory=Columns)
    dialect: Dialect = field(factory=Dialect)
    several: Several = "mean"
    lower_is_better: bool = False
    lps: tuple[str, ...] = ()


def read_judgments(name: str, asked: Asked) -> list[Judgments]:
    """Read the judgments of each language pair.

    Args:
        name: table of texts (with their ratings, unless pairs or systems are judged) or a folder: WMT rankings
            (``LP.segments``, ``LP.hyps`` and ``LP.pairs`` for each language pair LP, as ``.tsv`` or another table
            format, also compressed), a test set of mt-metrics-eval, or data of METEOR's trainer.
        asked: options for reading.

    Raises:
        InputMismatch: a file is missing; columns are ambiguous; a system has no output.
        InvalidText: a file is malformed; a rating is missing or not a number; texts contradict each other; a segment
            is unknown. The message names the location.
        UnknownName: a column or language pair does not exist.
    """
    rows, notes = None, list[str]()
    if Path(name).is_dir():
        if asked.pairs or asked.systems:
            raise InputMismatch(f"{name}: is a folder with its own judgments; give a table of texts")
        folder = Path(name)
        if is_mt_metrics_eval(folder):
            found = read_mt_metrics_eval(folder, asked.columns, asked.lps, lower_is_better=asked.lower_is_better)
        elif is_trainer(folder):
            found = read_trainer(folder, lower_is_better=asked.lower_is_better)
        else:
            found = read_rankings(folder, asked.dialect)
    else:
        found, rows = _read_texts(name, asked, notes)
        if asked.pairs and rows is not None:
            raise InputMismatch(
                f"{name}: no column of segments, which {asked.pairs} refers to; say --segment-column NAME"
            )
        if asked.pairs:
            _read_pairs(found, asked, notes)
        if asked.systems:
            _read_systems(found, asked, notes)
    for lp in asked.lps:
        if lp not in found:
            raise UnknownName("language pair", lp, found)
    chosen = [found[lp] for lp in dict.fromkeys(asked.lps or found)]
    for one in chosen[:1]:
        one.notes += notes
    judged = [one.judgments(each=asked.several == "each", rows=rows) for one in chosen]
    return [one for one in judged if one.texts]


_Rows = list[tuple[str, Key]]
"""Language pair and text of each row of a table."""


def _read_texts(name: str, asked: Asked, notes: list[str]) -> tuple[dict[str, JudgmentCollector], _Rows | None]:
    """Read the texts by language pair, and the rows if no column identifies segments."""
    table, columns = open_judgment_table(name, asked.dialect), asked.columns
    key = columns.key_of(table)
    hypothesis = required_column(table, "hyp", columns.hypothesis)
    references = [*columns_of(table, columns.references)] or [required_column(table, "ref")]
    human = None
    if columns.human or not (asked.pairs or asked.systems):
        human = required_column(table, "human", columns.human)
    every = [*key.columns, hypothesis, *references, *([human] if human else [])]
    notes += _without_role(table, key, every)
    sign = -1 if asked.lower_is_better else 1
    found: dict[str, JudgmentCollector] = {}
    rows: _Rows = []
    named, nameless = False, ""
    for where, cells in rows_of(table, every):
        lp, segment, system = key.of(where, cells)
        named, nameless = named or bool(system), nameless or ("" if system else where)
        if named and nameless and key.system:
            reason = "expected an id, got an empty cell; other rows name a system"
            raise InvalidText(nameless, f"column {without_role(key.system)!r}: {reason}")
        texts = cells[len(key.columns) :]
        try:
            pair = pair_of(texts[0], texts[1 : 1 + len(references)])
        except BadCell as error:
            raise InvalidText(where, str(error)) from None
        one = found.setdefault(lp, JudgmentCollector(lp))
        text = one.add_text(segment, system, pair, where)
        rows.append((lp, text))
        if human:
            one.ratings += [(text, sign * value) for value in parse_cell(numbers_of, texts[-1], where, human)]
    if not found:
        raise InputMismatch(f"{table.name}: has no row")
    return found, None if key.segments else rows


def _without_role(table: Table, key: IdColumns, used: Sequence[str]) -> Iterator[str]:
    """Note on unused columns that may contain ids."""
    roles = (("language pairs", "lp", key.lp), ("segments", "segment", key.segments), ("systems", "system", key.system))
    missing = [(what, f"--{option}-column") for what, option, columns in roles if not columns]
    left = unused_columns(table, used)
    if missing and left:
        named, options = zip(*missing, strict=True)
        yield (
            f"{table.name}: no column of {' or '.join(named)} ({', '.join(options)}); "
            f"columns without a role: {listed_columns(left)}"
        )
    elif left := id_like_columns(left):
        yield (
            f"{table.name}: columns with names like ids that are not used: {listed_columns(left)}; "
            f"segments are identified by {listed_columns(key.segments)} (--segment-column, repeatable)"
        )


def _read_pairs(found: dict[str, JudgmentCollector], asked: Asked, notes: list[str]) -> None:
    table = open_judgment_table(asked.pairs, asked.dialect)
    key = asked.columns.key_of(table, of_texts=False)
    if not key.segments:
        raise InputMismatch(f"{table.name}: no column of segments; say --segment-column NAME")
    key.check_same_ids(table, next(iter(next(iter(found.values())).segments)))
    sides = [required_column(table, "better"), required_column(table, "worse")]
    count = find_column(table, "count", without=key.columns)
    every = [*key.columns, *sides, *([count] if count else [])]
    if left := unused_columns(table, every):
        hint = "" if count else "; a column of counts is called 'count'"
        notes.append(f"{table.name}: columns that are not used: {listed_columns(left)}{hint}")
    for where, cells in rows_of(table, every):
        lp, segment, _ = key.of(where, cells)
        one = _language_pair(found, lp if key.lp else None, where)
        judged = cells[len(key.columns) :]
        better, worse = (parse_cell(id_of, cell, where, side) for cell, side in zip(judged, sides, strict=False))
        times = parse_cell(count_of, judged[-1], where, count) if count else 1
        one.add_pair(segment, better, worse, times, where)
    if not any(one.pairs for one in found.values()):
        raise InputMismatch(f"{table.name}: has no row")


def _read_systems(found: dict[str, JudgmentCollector], asked: Asked, notes: list[str]) -> None:
    table = open_judgment_table(asked.systems, asked.dialect)
    lp = find_column(table, "lp", asked.columns.lp if asked.columns.lp in table.columns else "")
    system = required_column(table, "system", asked.columns.system if asked.columns.system in table.columns else "")
    human = _score_column(table, {lp, system})
    every = [system, human, *([lp] if lp else [])]
    if left := unused_columns(table, every):
        notes.append(f"{table.name}: columns that are not used: {listed_columns(left)}")
    sign = -1 if asked.lower_is_better else 1
    for where, cells in rows_of(table, every):
        name = parse_cell(id_of, cells[0], where, system)
        one = _language_pair(found, parse_cell(id_of, cells[2], where, lp) if lp else None, where)
        if name in one.systems:
            raise InvalidText(where, f"system {name!r} of {one.name} is judged twice")
        one.systems[name] = sign * parse_cell(number_of, cells[1], where, human)
    if not any(one.systems for one in found.values()):
        raise InputMismatch(f"{table.name}: has no row")
    for one in found.values():
        check_systems(one, table.name)


def _score_column(table: Table, others: set[str | None]) -> str:
    usual = usual_columns(table, "human")
    named = [column for column in table.columns if column in usual or column.casefold() == "score"]
    found = named or [column for column in table.columns if column not in others]
    if len(found) != 1:
        raise InputMismatch(f"{table.name}: no column of human scores; call it 'human'")
    return found[0]


def _language_pair(found: dict[str, JudgmentCollector], name: str | None, where: str) -> JudgmentCollector:
    if name is not None:
        return known_language_pair(found, name, where)
    if len(found) > 1:
        raise InvalidText(where, f"no column of language pairs: {', '.join(found)}")
    return next(iter(found.values()))
