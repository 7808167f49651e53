"""A check that systems have the same segments in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from meteorlib.cli.inputs import Inputs
from meteorlib.corpus.batch import Labels
from meteorlib.errors import InputMismatch
from meteorlib.inputs.columns import NO_IDS

References = Sequence[Sequence[str]]
"""The references of each segment, sorted."""

_REMEDY = "systems are compared row by row: put the rows into one order, or give them ids (--id-column NAME)"


class Agreement:
    """References and labels of the systems so far; different numbers of segments are found elsewhere.

    Attributes:
        own: whether several systems have references of their own, which are then kept in memory.
    """

    def __init__(self, *, own: bool) -> None:
        self.own = own
        self._first: tuple[str, Inputs] | None = None
        self._references: list[tuple[str, Inputs, References]] = []

    def add(self, file: str, inputs: Inputs) -> Inputs:
        """Check a system against those before it.

        Args:
            file: its file, for messages.
            inputs: the system.

        Returns:
            The system, with a note if its references differ from those of the first system.

        Raises:
            InputMismatch: labels differ, or the same references are in different rows.
        """
        self._first = self._first or (file, inputs)
        _check_labels(*self._first, file, inputs)
        return inputs.with_notes(self._reference_notes(file, inputs)) if self.own else inputs

    def _reference_notes(self, file: str, inputs: Inputs) -> Sequence[str]:
        """Notes on references that differ; equal lists of references are kept once."""
        found = [sorted(pair.references) for pair in inputs.segments()]
        notes: list[str] = []
        for name, first, references in self._references:
            if len(references) != len(found):
                return ()
            changed = [row for row, (one, two) in enumerate(zip(references, found, strict=True)) if one != two]
            if not changed:
                return notes
            if not _rows_are_matched(first, inputs) and (rows := _moved_reference(references, found, changed)):
                raise InputMismatch(
                    f"{name} and {file} seem to have their rows in different orders: a reference in row {rows[0] + 1} "
                    f"of {name} stands in row {rows[1] + 1} of {file}, and {_REMEDY}; if they are parallel as they "
                    f"are, add --id-column {NO_IDS}"
                )
            if first is self._references[0][1]:
                notes.append(
                    f"{name} and {file} have different references in {len(changed)} of {len(found)} rows, the first "
                    f"of them row {changed[0] + 1}; they are still compared row by row"
                )
        self._references.append((file, inputs, found))
        return notes


def _rows_are_matched(one: Inputs, other: Inputs) -> bool:
    """Whether ids or an option determine which rows belong together."""
    if one.joined is None or other.joined is None:
        return False
    order = other.joined.order
    by_id = order.base is not None and order is one.joined.order
    return order.named == (NO_IDS,) or (by_id and not (one.joined.order_notes or other.joined.order_notes))


def _moved_reference(one: References, other: References, changed: Sequence[int]) -> tuple[int, int] | None:
    """Rows, in both systems, of a reference that moved from one row to another; None if there is none."""
    gained = {text: row for row in changed for text in other[row] if text.strip() and text not in one[row]}
    lost = ((row, text) for row in changed for text in one[row] if text not in other[row])
    return next(((row, gained[text]) for row, text in lost if text in gained), None)


def _check_labels(first: str, one: Inputs, name: str, other: Inputs) -> None:
    """Raise `InputMismatch` if the labels of rows differ."""
    if one.label_hash == other.label_hash or one.count != other.count:
        return
    rows = enumerate(zip(_labels(one), _labels(other), strict=True), 1)
    row, labels = next((row, labels) for row, labels in rows if labels[0] != labels[1])
    by, mine, yours = next(told for told in zip(one.labels, *labels, strict=True) if told[1] != told[2])
    raise InputMismatch(f"--by {by}: row {row} has {mine!r} in {first} and {yours!r} in {name}, and {_REMEDY}")


def _labels(inputs: Inputs) -> Iterator[Labels]:
    return chain.from_iterable(batch.labels for batch in inputs.batches())
