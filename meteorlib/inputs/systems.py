"""The systems that are compared, by name, with the opened files of their runs: the same segments in the same order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING

from meteorlib.corpus.batch import Labels
from meteorlib.errors import InputMismatch, MissingReferences, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import NO_IDS
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.system import Inputs, Watch, check_standard_input, notes_on

if TYPE_CHECKING:
    from meteorlib.inputs.join import Order
    from meteorlib.inputs.parallel_texts import ParallelTexts

References = Sequence[Sequence[str]]
"""The references of each segment, sorted."""

_REMEDY = "systems are compared row by row: put the rows into one order, or give them ids (--id-column NAME)"

Runs = Mapping[str, Sequence[str]]
"""Name of a system → the files of its runs."""

Systems = Mapping[str, Sequence[Inputs]]
"""Name of a system → its runs."""


def system_names(files: Sequence[str]) -> list[str]:
    """A distinct name for each file: its own, with as many folders as needed; repeated files are numbered."""
    paths = [PurePath(file) for file in files]
    told = {path: path.name for path in paths}
    for depth in range(2, max((len(path.parts) for path in told), default=0) + 1):
        same = Counter(told.values())
        told = {
            path: PurePath(*path.parts[-depth:]).as_posix() if same[name] > 1 else name for path, name in told.items()
        }
    names = [told[path] for path in paths]
    taken: Counter[str] = Counter()
    for place, name in enumerate(names):
        taken[name] += 1
        if taken[name] > 1:
            names[place] = f"{name} ({taken[name]})"
    return names


def open_systems(
    named: Runs,
    references: Sequence[str],
    choice: ColumnChoice,
    others: Sequence[str] = (),
) -> dict[str, list[Inputs]]:
    """Open the runs of each system, by name; a file with several columns of hypotheses has several systems.

    Args:
        named: the files of each system.
        references: the files of references.
        choice: which columns are meant.
        others: files that the command reads besides.

    Raises:
        MissingReferences: there are none.
        InputMismatch: a file is not there, or has other segments than the references; the segments of systems have
            different orders or labels.
    """
    listed = [file for each in named.values() for file in each]
    again = [*references, *(name.partition("=")[2] for name in choice.labels)]
    check_standard_input([*listed, *again, *others])
    if not references and len(listed) > 1 and choice.is_plain(listed):
        raise MissingReferences(listed)
    systems: dict[str, list[Inputs]] = {}
    agreement = Agreement(own=not references and len(listed) > 1)  # references of one alone are not held
    tables: list[ParallelTexts] = []
    open_source = cache(Source.open)
    for name, each in named.items():
        for file in each:
            beside = next((joined for joined in tables if joined.order.base), tables[0] if tables else None)
            if len(each) > 1:
                found: Sequence[Inputs] = [Inputs.open(references, file, choice, beside, open_source)]
            else:
                found = Inputs.systems(references, file, choice, beside, open_source)
            found = [agreement.add(file, found[0]), *found[1:]]
            if len(each) > 1:
                systems.setdefault(name, []).extend(found)
            else:
                for one in found:
                    column = one.name if len(found) > 1 else name
                    systems[column if column not in systems else f"{name}: {column}"] = [one]
            tables += [one.joined for one in found[:1] if one.joined]
    return systems


def watched(systems: Systems, watch: Watch) -> dict[str, list[Inputs]]:
    """The systems with segments that the notes look at."""
    return {name: [one.watched(watch) for one in listed] for name, listed in systems.items()}


def notes_of(systems: Systems) -> Iterator[str]:
    """Notes on unusual input of systems."""
    return notes_on([one for listed in systems.values() for one in listed])


def ids_of(systems: Systems) -> Sequence[str]:
    """The id of each segment, the same for all systems; empty if rows were joined by position."""
    found = (one.joined.ids for listed in systems.values() for one in listed if one.joined)
    return next(filter(None, found), ())


def order_of(systems: Systems) -> Order | None:
    """The order of the segments, the same for all systems; None if no file has ids."""
    orders = (one.joined.order for listed in systems.values() for one in listed if one.joined)
    return next((order for order in orders if order.base is not None), None)


def references_of(systems: Systems) -> int | None:
    """Number of references per segment; None if it varies."""
    counts = {one.references for listed in systems.values() for one in listed}
    return counts.pop() if len(counts) == 1 else None


def baseline_of(given: str | None, systems: Systems) -> str | None:
    """Name of the baseline system, which ``--baseline`` gives by name or by file.

    Raises:
        UnknownName: there is no such system.
    """
    if given is None or given in systems:
        return given
    for name, listed in systems.items():
        if given in (one.name for one in listed):
            return name
    raise UnknownName("system", given, systems)


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
