"""Labels of segments: conditions on the part to score, the columns that have labels, documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import compress
from operator import not_

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import BadCell, label_of, parsed_column, plain_id, values_of
from meteorlib.inputs.columns import (
    DOCUMENT_COLUMNS,
    SOURCE,
    Table,
    column_of,
    normalized,
    normalized_names,
    without_role,
)
from meteorlib.inputs.join import differing_rows

MAX_LISTED_VALUES = 20
"""Values of a column that an error lists."""

_DOCUMENT_NAMES = normalized_names(DOCUMENT_COLUMNS[:5])


@frozen
class Keep:
    """Conditions on rows, by column: a row has one of some values, if there are any, and none of others."""

    conditions: Mapping[str, tuple[set[str], set[str]]]

    @classmethod
    def of(cls, given: str | Sequence[str]) -> Keep:
        """Read conditions, ``COLUMN=VALUE`` or ``COLUMN!=VALUE``; an empty VALUE is that of empty cells."""
        found: dict[str, tuple[set[str], set[str]]] = {}
        for condition in [given] if isinstance(given, str) else given:
            name, equals, value = condition.partition("=")
            if not equals or not name.removesuffix("!"):
                raise InputMismatch(f"keep {condition!r}: expected COLUMN=VALUE, or COLUMN!=VALUE for all other rows")
            wanted = found.setdefault(name.removesuffix("!"), (set(), set()))
            wanted[name.endswith("!")].add(plain_id(value))
        return cls(found)

    def rows(self, values: Mapping[str, Iterable[set[str]]]) -> list[bool]:
        """Whether each row is kept, given its values by column; a value that no row has is an `UnknownName`."""
        columns = []
        for name, (wanted, unwanted) in self.conditions.items():
            found = [*values[name]]
            known = set[str]().union(*found)
            for value in sorted((wanted | unwanted) - known - {""}):
                listed = f"{len(known):,} others" if len(known) > MAX_LISTED_VALUES else ""
                raise UnknownName(f"value of {name} to keep", value, filter(None, known), listed)
            columns.append([(not wanted or bool(own & wanted)) and not own & unwanted for own in found])
        kept = [*map(all, zip(*columns, strict=True))]
        if not any(kept):
            raise InputMismatch(f"no row has the values to keep: {', '.join(self.conditions)}")
        return kept

    def rows_of(self, table: Table) -> list[bool]:
        """Whether each row of a table is kept."""
        return self.rows(
            {
                name: (values for _, values in parsed_column(table, column_of(table, name), values_of))
                for name in self.conditions
            }
        )


def check_labels(name: str, table: Table, column: str, tables: Sequence[Table]) -> None:
    """Refuse a row whose label in a column differs from that in the column called `name` of another of its tables."""
    for other in tables if table.has_columns else ():
        with suppress(UnknownName, BadCell):  # which the reader of labels reports
            if other is table or not other.has_columns:
                continue
            for where, own, beside, wanted in differing_rows(table, column, other, column_of(other, name), label_of):
                raise InputMismatch(
                    f"{where}: column {column!r} is {own!r}, but {wanted!r} at {beside}: rows of a segment must "
                    "have one label; correct or remove a column"
                )


def label_columns(table: Table, count: int) -> Mapping[str, Sequence[str]]:
    """The columns of a table with a label for each of `count` rows, documents among them, which come last."""
    names = [column for column in table.columns if without_role(column) == column != SOURCE]
    found: dict[str, Sequence[str]] = {}
    for name in sorted(names, key=lambda name: normalized(name) in _DOCUMENT_NAMES):
        with suppress(InvalidText):  # it is no column of labels
            labels = [label for _, label in parsed_column(table, name, label_of)]
            if len(labels) == count and (count > len({*labels}) or normalized(name) in _DOCUMENT_NAMES):
                found[name] = labels
    return found


def documents_of(labels: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The labels of the segments, by what they are, that are documents; empty if none are."""
    return next((labels[name] for name in labels if normalized(name) in _DOCUMENT_NAMES), ())


def count_labels(table: Table, column: str) -> int:
    """The number of different labels in a column; 0 if it has others."""
    with suppress(InvalidText):
        return len({label for _, label in parsed_column(table, column, label_of)})
    return 0


def separating(labels: Mapping[str, Sequence[str]], missing: Sequence[bool]) -> str:
    """A condition for `Keep` that holds for the rows that do not miss something, and only for these; empty if none."""
    sides = {
        name: (set(compress(column, map(not_, missing))), set(compress(column, missing)))
        for name, column in labels.items()
    }
    apart = {name: both for name, both in sides.items() if not both[0] & both[1]}
    for index, sign in enumerate(("=", "!=")):
        for name, both in apart.items():
            if len(both[index]) == 1:
                return f"{name}{sign}{both[index].pop()}"
    return ""
