"""Human judgments in tables with named columns, read as rows in which each value has a role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import PurePath
from typing import Literal, NamedTuple

from attrs import evolve, field, frozen

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, did_you_mean
from meteorlib.inputs.cells import (
    TableRow,
    check_references,
    count_of,
    id_of,
    is_missing,
    number_of,
    numbers_of,
    plain_id,
    rows_of,
    text_of,
    texts_of,
)
from meteorlib.inputs.columns import (
    Cell,
    OptionalColumn,
    Table,
    columns_of,
    find_column,
    id_like_columns,
    listed_columns,
    required_column,
    score_column,
    unused_columns,
    usual_columns,
    without_role,
)
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.labels import Keep

Segment = tuple[str, ...]
"""Parts of a segment's id, such as document and number; empty if nothing identifies the segment."""

NOT_RATED = "None"
"""Mark of WMT's files where a text has no rating."""

Several = Literal["mean", "each"]
"""Treatment of several ratings of a text: use their mean, or each of them."""


class JudgmentRow(NamedTuple):
    """A row of a table or folder of judgments: a text with its ratings, ratings of a text or system, or a preference.

    Language pair and system are empty if they are unknown, the segment for a system and where nothing identifies it.
    Another row may have the texts. Higher ratings are better; without a segment they are the system's. A row with texts
    that is not `kept` is of a part that is left out.
    """

    where: str
    lp: str
    segment: Segment = ()
    system: str = ""
    texts: Pair | None = None
    ratings: Sequence[float] = ()
    better: str = ""
    worse: str = ""
    times: int = 1
    kept: bool = True


@frozen
class Columns:
    """Names of columns; empty for the usual ones.

    Attributes:
        lp: column of the language pair.
        segments: columns that together identify the segment.
        system: column of the system.
        hypothesis: column of the judged text.
        references: columns of references.
        human: column of the rating.
    """

    lp: str = ""
    segments: tuple[str, ...] = ()
    system: str = ""
    hypothesis: str = ""
    references: tuple[str, ...] = ()
    human: str = ""

    def in_table(self, table: Table) -> Columns:
        """Without the ids that this table calls otherwise than the table of texts does."""
        there = {name: name if name in table.columns else "" for name in (self.lp, self.system)}
        segments = self.segments if {*self.segments} <= {*table.columns} else ()
        return evolve(self, lp=there[self.lp], system=there[self.system], segments=segments)

    def key_of(self, table: Table, *, of_texts: bool = True) -> IdColumns:
        """Find the columns that identify the text of a row, or only its segment."""
        others = (self.lp, self.system, self.hypothesis, *self.references, self.human)
        lp = find_column(table, "lp", self.lp)
        system = find_column(table, "system", self.system) if of_texts else None
        segments = [*columns_of(table, self.segments)]
        if not segments and (found := find_column(table, "segment", without=others)):
            segments = [*usual_columns(table, "document", without=others), found]
        return IdColumns(lp, tuple(segments), system, PurePath(table.name).name.partition(".")[0] or table.name)


@frozen
class IdColumns:
    """Columns that identify the text of a row; None or empty where a table, whose file has this name, lacks one."""

    lp: str | None
    segments: tuple[str, ...]
    system: str | None
    file: str

    @property
    def columns(self) -> list[str]:
        """Names of these columns."""
        return [name for name in (self.lp, *self.segments, self.system) if name]

    def check_same_ids(self, table: Table, segment: Segment) -> None:
        """Check that segments of `table` are identified by as many columns as a segment of the judged texts."""
        if not self.segments:
            raise InputMismatch(f"{table.name}: no column of segments; say --segment-column NAME")
        if len(segment) != len(self.segments):
            theirs = f"{len(segment)} {'column' if len(segment) == 1 else 'columns'} in the judged texts"
            raise InputMismatch(
                f"{table.name}: segments are identified by {listed_columns(self.segments)}, but by {theirs}; name "
                "columns that both have: --segment-column NAME (repeatable)"
            )

    def of(self, row: TableRow) -> tuple[str, Segment, str]:
        """Language pair, segment and system of a row; without such columns the name of the file, `()` and ``""``.

        None may be a list or an object, and only the system may be empty.
        """
        lp = row.read(self.lp, id_of) if self.lp else self.file
        segment = tuple(row.read(column, id_of) for column in self.segments)
        return lp, segment, row.read(self.system, plain_id) if self.system else ""


@frozen
class Asked:
    """Options for reading judgments.

    Attributes:
        pairs: table of pairwise judgments, with columns segment, better, worse and optionally count; empty for none.
        systems: table of human scores per system; empty for none.
        ratings: table of the texts' ratings by segment and system; empty if they stand beside the texts.
        columns: names of the columns.
        dialect: format of the files.
        several: treatment of several ratings of a text.
        lower_is_better: whether lower ratings are better (HTER, error counts).
        lps: language pairs to read; empty for all.
        keep: conditions on the texts to use, as `labels.Keep` reads them.
    """

    pairs: str = ""
    systems: str = ""
    ratings: str = ""
    columns: Columns = field(factory=Columns)
    dialect: Dialect = field(factory=Dialect)
    several: Several = "mean"
    lower_is_better: bool = False
    lps: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    @property
    def apart(self) -> bool:
        """Whether judgments stand in tables of their own, apart from the texts."""
        return bool(self.pairs or self.systems or self.ratings)

    @property
    def sign(self) -> int:
        """Factor of the ratings: -1 if lower ones are better."""
        return -1 if self.lower_is_better else 1


Known = dict[str, set[str]]


def table_rows(name: str, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    """The rows of human judgments in tables; see `meteorlib.inputs.judgments.judgment_rows`."""
    known: Known = {}
    segment: Segment = ()
    for row in _text_rows(name, asked, notes):
        segment = segment or row.segment
        known.setdefault(row.lp, set()).add(row.system)
        yield row
    if (others := asked.ratings or asked.pairs) and not segment:
        raise InputMismatch(f"{name}: no column of segments, which {others} refers to; say --segment-column NAME")
    if asked.ratings:
        yield from _rating_rows(known, segment, asked, notes)
    if asked.pairs:
        yield from _pair_rows(known, segment, asked, notes)
    if asked.systems:
        yield from _system_rows(known, asked, notes)


def _text_rows(name: str, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    table, columns = open_table(name, asked.dialect), asked.columns
    key = columns.key_of(table)
    hypothesis = required_column(table, "hyp", columns.hypothesis)
    references = [*map(OptionalColumn, columns_of(table, columns.references) or [required_column(table, "ref")])]
    human = None
    if not asked.ratings and (columns.human or not asked.apart):
        human = required_column(table, "human", columns.human)
    elif asked.ratings and (found := usual_columns(table, "human")):
        notes.append(f"{table.name}: {listed_columns(found)}: not read; the ratings are those of {asked.ratings}")
    every = [*key.columns, hypothesis, *references, *([human] if human else [])]
    notes += _without_role(table, key, every)
    named, nameless = False, ""
    kept: Iterable[bool] = Keep.of(asked.keep).rows_of(table) if asked.keep else repeat(True)  # noqa: FBT003 – an iterator
    for row, keep in zip(_some_rows(table, every), kept, strict=False):
        lp, segment, system = key.of(row)
        named, nameless = named or bool(system), nameless or ("" if system else row.where)
        if named and nameless and key.system:
            reason = "expected an id, got an empty cell; other rows name a system"
            raise InvalidText(nameless, f"column {without_role(key.system)!r}: {reason}")
        texts = [text for column in references for text in row.read(column, texts_of)]
        check_references(texts, ((row, column) for column in references))
        pair = Pair(tuple(texts), row.read(hypothesis, text_of))
        ratings = [asked.sign * rating for rating in row.read(human, numbers_of)] if human else ()
        yield JudgmentRow(row.where, lp, segment, system, pair, ratings, kept=keep)


def _some_rows(table: Table, columns: Sequence[str]) -> Iterator[TableRow]:
    """The rows, of which there must be one."""
    row = None
    for row in rows_of(table, columns):
        yield row
    if row is None:
        raise InputMismatch(f"{table.name}: has no row")


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


def _rating_rows(known: Known, segment: Segment, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    """Ratings by segment and system; where there is none, the cell is empty, null or None, as WMT has it."""
    table = open_table(asked.ratings, asked.dialect)
    key = asked.columns.in_table(table).key_of(table)
    key.check_same_ids(table, segment)
    if key.system is None and any(systems != {""} for systems in known.values()):
        raise InputMismatch(f"{table.name}: no column of systems; say --system-column NAME")
    missing = "ratings; say --human-column NAME"
    human = _rating_column(table, key.columns, notes, missing, asked.columns.human)
    is_rated, without_texts = False, Counter[str]()
    for row in _some_rows(table, [*key.columns, human]):
        lp, place, system = key.of(row)
        lp = _known_language_pair(known, lp if key.lp else None, row.where)
        ratings = [asked.sign * rating for rating in row.read(human, _ratings_of)]
        if system in known[lp]:
            is_rated |= bool(ratings)
            yield JudgmentRow(row.where, lp, place, system, ratings=ratings)
        elif ratings:
            without_texts[system] += len(ratings)
    if without_texts:
        listed = ", ".join(f"{system!r} ({count:,})" for system, count in without_texts.items())
        notes.append(f"{table.name}: ratings of systems without texts are left out: {listed}")
    if not is_rated:
        systems = [sorted(names)[:3] for names in (without_texts, set[str]().union(*known.values()))]
        own, others = (", ".join(map(repr, names)) for names in systems)
        detail = f": it names systems such as {own}, and the table of texts {others}" if own else ""
        raise InputMismatch(f"{table.name}: has no rating of a text that is there{detail}")


def _rating_column(table: Table, others: Sequence[str], notes: list[str], missing: str, name: str = "") -> str:
    """The column of ratings in a table apart from the texts: one with a usual or this name, or of scores."""
    human = find_column(table, "human", name) or score_column(table, "score", others)
    if human is None:
        raise InputMismatch(f"{table.name}: no column of {missing}")
    _note_unused(table, [*others, human], notes)
    return human


def _note_unused(table: Table, used: Sequence[str], notes: list[str], hint: str = "") -> None:
    if left := unused_columns(table, used):
        notes.append(f"{table.name}: columns that are not used: {listed_columns(left)}{hint}")


def _ratings_of(cell: Cell) -> list[float]:
    return [] if is_missing(cell) or cell in ("", NOT_RATED) else numbers_of(cell)


def _pair_rows(known: Known, segment: Segment, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    table = open_table(asked.pairs, asked.dialect)
    key = asked.columns.key_of(table, of_texts=False)
    key.check_same_ids(table, segment)
    sides = [required_column(table, "better"), required_column(table, "worse")]
    count = find_column(table, "count", without=key.columns)
    every = [*key.columns, *sides, *([count] if count else [])]
    _note_unused(table, every, notes, "" if count else "; a column of counts is called 'count'")
    for row in _some_rows(table, every):
        lp, segment, _ = key.of(row)
        lp = _known_language_pair(known, lp if key.lp else None, row.where)
        better, worse = (row.read(side, id_of) for side in sides)
        times = row.read(count, count_of) if count else 1
        yield JudgmentRow(row.where, lp, segment, better=better, worse=worse, times=times)


def _system_rows(known: Known, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    table = open_table(asked.systems, asked.dialect)
    columns = asked.columns.in_table(table)
    lp, system = find_column(table, "lp", columns.lp), required_column(table, "system", columns.system)
    others = [system, *([lp] if lp else [])]
    human = _rating_column(table, others, notes, "human scores; call it 'human'")
    judged: dict[tuple[str, str], None] = {}
    for row in _some_rows(table, [*others, human]):
        name = row.read(system, id_of)
        pair = _known_language_pair(known, row.read(lp, id_of) if lp else None, row.where)
        if (pair, name) in judged:
            raise InvalidText(row.where, f"system {name!r} of {pair} is judged twice")
        judged[pair, name] = None
        yield JudgmentRow(row.where, pair, (), name, ratings=(asked.sign * row.read(human, number_of),))
    for pair, name in judged:
        if name not in known[pair]:
            meant = did_you_mean(name, known[pair])
            raise InputMismatch(f"{table.name}: system {name!r} of {pair} has no output{meant}")


def _known_language_pair(known: Known, name: str | None, where: str) -> str:
    """The language pair called `name`, or else the only one."""
    if name is None and len(known) > 1:
        raise InvalidText(where, f"no column of language pairs: {', '.join(known)}")
    if name is not None and name not in known:
        raise InvalidText(where, f"there is no text of language pair {name!r}{did_you_mean(name, known)}")
    return name or next(iter(known))
