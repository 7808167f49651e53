"""Scoring of table rows, shared by the adapters for all kinds of tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, compress, repeat
from operator import attrgetter, contains
from typing import Any, TypedDict, TypeVar

from attrs import field, fields, frozen, validators

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.faults import FaultCounts
from meteorlib.core.formula import NUMBERS
from meteorlib.core.segment import Pair
from meteorlib.core.statistics import OrderCounts, StageCounts, Statistics
from meteorlib.core.totals import Totals
from meteorlib.corpus.batch import new_pair
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch, InvalidText, UnknownName, blamed_segment
from meteorlib.inputs.cells import BadCell, has_reference, in_form, is_missing, text_of, texts_of
from meteorlib.inputs.columns import NO_REFERENCE, cells_in, check_once, split_form
from meteorlib.scorer import Scorer
from meteorlib.text.validation import OPENINGS, SEPARATOR, check_no_words, list_in, not_text_message, several_in_text

PREFIX = "meteor_"

NUMBERED = range(sys.maxsize)
"""Numbers of the rows of a whole table."""

_FEW = 3
"""Most columns of texts whose rows `check_no_words` cannot refuse: it needs three references."""

_T = TypeVar("_T")

_COUNTS = tuple(count.name for count in fields(Statistics) if count.name not in {"stages", "order", "faults"})


class InvalidRow(InvalidText):
    """A row that cannot be scored.

    Attributes:
        column: the column or columns with the fault.
        row: number of the row, counted from 0.
        reason: the fault.
        source: the file with the row; empty if there is none.
    """

    def __init__(self, column: str, row: int, reason: str, source: str = "") -> None:
        where = f"column {column!r}, row {row} (counted from 0)"
        super().__init__(f"{source}: {where}" if source else where, reason)
        self.column = column
        self.row = row
        self.source = source
        self.args: tuple[Any, ...] = (column, row, reason, source)  # what it is pickled with


def column_name(name: str) -> str:
    """The name of a column; those of pandas that are no text raise TypeError."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a column must be text, got {name!r}; rename the column")
    return name


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names of columns, given as one or several."""
    return tuple(map(column_name, given if isinstance(given, Iterable) and not isinstance(given, str) else [given]))


class Added(TypedDict, total=False):
    """The columns to add to a table; see `Columns`."""

    numbers: str | Sequence[str]
    statistics: bool
    prefix: str


@frozen(kw_only=True)
class Columns:
    """The columns of texts in a table, and the columns to add.

    Attributes:
        references: one or more columns of references; each row has a string or a list of strings.
        numbers: names from `NUMBERS`; each becomes a column of doubles, null if undefined.
        statistics: whether to add the counts as columns of integers.
        prefix: of the names of added columns.
    """

    references: tuple[str, ...] = field(converter=names_of, validator=validators.min_len(1))
    hypothesis: str = field(converter=column_name)
    numbers: tuple[str, ...] = field(default=("score",), converter=names_of)
    statistics: bool = False
    prefix: str = PREFIX

    def __attrs_post_init__(self) -> None:
        check_known("number", self.numbers, NUMBERS)
        check_once("number", self.numbers)
        check_once("column of references", self.texts[1:])
        if self.hypothesis and self.texts[0] in self.texts[1:]:
            raise InputMismatch(f"column {self.texts[0]!r} cannot have both the hypotheses and references")

    @property
    def texts(self) -> tuple[str, ...]:
        """Names of the columns to read."""
        return tuple(split_form(name)[0] for name in (self.hypothesis, *self.references))

    def added(self, config: ScorerConfig) -> dict[str, type[int] | type[float]]:
        """Names and types of the columns to add, in order."""
        counts = count_names(config, self.prefix) if self.statistics else ()
        return {f"{self.prefix}{name}": float for name in self.numbers} | dict.fromkeys(counts, int)

    def score(
        self,
        scorer: Scorer,
        values: Mapping[str, Sequence[Any]],
        corpus: Corpus,
        numbers: Sequence[int] = NUMBERED,
        source: str = "",
    ) -> dict[str, list[Any]]:
        """Score rows, given the columns of `texts`, and add them to `corpus`; the columns to add.

        Messages have the `numbers` of the rows, and the file `source`.
        """
        names = self.added(scorer.config)
        if self.numbers == ("score",) and not self.statistics:
            scores: list[float] = []
            corpus.add_totals(self.totals(scorer, values, None, scores, numbers, source))
            return dict.fromkeys(names, scores)
        segments: list[ScoreBreakdown] = []
        corpus.add_totals(self.totals(scorer, values, segments, None, numbers, source))
        made: list[list[Any]] = [[*map(null_or_number, map(attrgetter(name), segments))] for name in self.numbers]
        if self.statistics:
            rows = [scored.statistics.counts() for scored in segments]
            made += [[row[index] for row in rows] for index in range(len(names) - len(made))]
        return dict(zip(names, made, strict=True))

    def totals(
        self,
        scorer: Scorer,
        values: Mapping[str, Sequence[Any]],
        segments: list[ScoreBreakdown] | None = None,
        scores: list[float] | None = None,
        numbers: Sequence[int] = NUMBERED,
        source: str = "",
    ) -> Totals:
        """Sums of rows, as for `score`; see `Engine.totals` for `segments` and `scores`, which are empty."""
        if pairs := self._plain_pairs(values):
            with suppress(InvalidText):  # which would not name the column: again, cell by cell
                return scorer.engine.totals(pairs, segments, scores)
            for found in (segments, scores):
                if found is not None:
                    found.clear()
        try:
            return scorer.engine.totals(self._pairs(values, numbers, source), segments, scores)
        except InvalidRow:
            raise
        except InvalidText as error:
            column = self.hypothesis if error.where == "hypothesis" else ", ".join(self.references)
            raise InvalidRow(column, numbers[blamed_segment(error) or 0], error.reason, source) from None

    def _plain_pairs(self, values: Mapping[str, Sequence[Any]]) -> Iterator[Pair] | None:
        """The rows, if all cells are texts as `_pairs` would take them, which is seen much quicker; else None."""
        names = self.hypothesis, *self.references
        if len(names) > _FEW or not all(name in values for name in names):  # of a name with a form
            return None
        hypotheses, *references = (values[name] for name in names)
        if {*map(type, chain(hypotheses, *references))} - {str}:
            return None
        if any(list_in(cell) is not None for cell in _lists(hypotheses)):
            return None
        for column in references:
            separated = (compress(column, map(contains, column, repeat(sign))) for sign in ("\t", SEPARATOR))
            if any(map(several_in_text, chain(_lists(column), *separated))):
                return None
            if len(references) > 1 and not all(map(str.strip, column)):
                return None
        return map(new_pair, zip(map(list, zip(*references, strict=True)), hypotheses, strict=True))

    def _pairs(self, values: Mapping[str, Sequence[Any]], numbers: Sequence[int], source: str) -> Iterator[Pair]:
        column, form_of_hypotheses = split_form(self.hypothesis)
        sides = [(*split_form(name), values[split_form(name)[0]]) for name in self.references]
        for index, cell in enumerate(values[column]):
            row = numbers[index]
            if not isinstance(cell, str):
                raise InvalidRow(column, row, not_text_message(cell), source)
            hypothesis = parsed(text_of, cell, column, row, source, form_of_hypotheses)
            references: list[str] = []
            cells: list[Any] = []
            for name, form, side in sides:
                value = side[index]
                if isinstance(value, str):
                    texts = parsed(texts_of, value, name, row, source, form)
                    references += texts
                    cells.append(texts)
                    continue
                cells.append(in_form(cells_in(value), form))
                for text in cells[-1]:
                    if isinstance(text, str):
                        references.append(text)
                    elif not is_missing(text):
                        raise InvalidRow(name, row, not_text_message(text), source)
            if not has_reference(references, cells):
                raise InvalidRow(", ".join(self.references), row, NO_REFERENCE, source)
            try:
                check_no_words(references, hypothesis)
            except InvalidText as error:
                raise InvalidRow(", ".join(self.references), row, error.reason, source) from None
            yield Pair(references, hypothesis)


def _lists(cells: Sequence[str]) -> Iterator[str]:
    """The texts that may be lists, by how they begin; loops in C, as most are not."""
    return compress(cells, map(str.startswith, cells, repeat(OPENINGS)))


def parsed(kind: Callable[[Any], _T], cell: Any, column: str, row: int, source: str = "", form: str = "") -> _T:
    """Parse a cell, in a form if it is text, or the cells of several columns; a fault becomes an `InvalidRow`."""
    try:
        return kind(in_form(cell, form))
    except BadCell as error:
        raise InvalidRow(column, row, str(error), source) from None


def check_known(kind: str, names: Sequence[str], known: Sequence[str]) -> None:
    """Raise `UnknownName` for the first of `names` that is not in `known`."""
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known)


def check_free(names: Sequence[str], taken: Sequence[str]) -> None:
    """Raise `InputMismatch` for the first of `names` that is in `taken`, the table's columns."""
    for name in names:
        if name in taken:
            raise InputMismatch(f"the table has a column {name!r} already; drop it, or give another prefix")


def numbers_of(scored: ScoreBreakdown, names: Sequence[str]) -> list[float | None]:
    """Values of the attributes `names` of a breakdown; None for NaN."""
    return [null_or_number(getattr(scored, name)) for name in names]


def null_or_number(value: float) -> float | None:
    """A number as a cell of a table; None for NaN."""
    return None if value != value else value  # noqa: PLR0124 – quicker than isnan


def count_names(config: ScorerConfig, prefix: str) -> tuple[str, ...]:
    """Names of the columns of `Statistics.counts`; those of a stage begin with its matcher's name."""
    matchers = [stage.matcher for stage in config.stages]
    stages = [name if matchers.count(name) == 1 else f"{name}_{index}" for index, name in enumerate(matchers)]
    counts = [f"{stage}_{count}" for stage in stages for count in StageCounts._fields]
    parameters = config.formula_parameters()
    order = OrderCounts._fields if parameters.ordered else ()
    faults = FaultCounts._fields if parameters.counts_faults else ()
    return tuple(f"{prefix}{name}" for name in [*_COUNTS, *counts, *order, *faults])
