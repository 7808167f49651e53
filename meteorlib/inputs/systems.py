"""The systems that are scored or compared, by name: the files of their runs, opened and checked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from attrs import evolve

from meteorlib.corpus.batch import Labels, Texts
from meteorlib.errors import InputMismatch, MissingReferences, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import NO_IDS
from meteorlib.inputs.formats import ColumnChoice, distinct_names, file_and_form, name_and_file, named
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.system import Inputs, check_standard_input, only_system

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


def named_runs(files: Sequence[str], runs: Sequence[str] = ()) -> dict[str, Sequence[str]]:
    """The files of each system by its name: of each file, or ``NAME=FILE``, and of each ``NAME=FILE,FILE,…`` of `runs`.

    A file without a name has its own, with as many folders as needed; repeated ones are numbered.
    """
    parts = [name_and_file(file) for file in files]
    own = iter(_file_names([file for name, file in parts if not name]))
    systems = [(name or next(own), file, [file]) for (name, _), file in zip(parts, files, strict=True)]
    for given in runs:
        name, listed = named(given, option := f"--runs {given}", ",FILE,…", bare=False)
        found = [listed] if Path(listed).exists() else listed.split(",")
        if not all(found):
            raise InputMismatch(f"{option}: expected NAME=FILE,FILE,…")
        if again := next((file for file, count in Counter(found).items() if count > 1), None):
            raise InputMismatch(f"{option}: {again} is given twice; name the file of each run once")
        systems.append((name, option, found if len(found) > 1 else [given]))
    distinct_names("system", [(name, said) for name, said, _ in systems])
    return {name: found for name, _, found in systems}


def _file_names(files: Sequence[str]) -> list[str]:
    paths = [PurePath(file_and_form(file)[0]) for file in files]
    told = {path: path.name for path in paths}
    for depth in range(2, max((len(path.parts) for path in told), default=0) + 1):
        same = Counter(told.values())
        told = {
            path: PurePath(*path.parts[-depth:]).as_posix() if same[name] > 1 else name for path, name in told.items()
        }
    names = [told[path] for path in paths]
    taken: Counter[str] = Counter()
    for index, name in enumerate(names):
        taken[name] += 1
        if taken[name] > 1:
            names[index] = f"{name} ({taken[name]})"
    return names


def open_systems(
    runs: Runs, references: Sequence[str], choice: ColumnChoice, others: Sequence[str] = ()
) -> dict[str, list[Inputs]]:
    """Open the runs of each system, by name; a file with several columns of hypotheses has several systems.

    References are files; `others` are files that the command reads besides.
    """
    listed = [name_and_file(file)[1] for files in runs.values() for file in files]
    check_standard_input([*listed, *references, *choice.label_files, *others])
    if not references and len(listed) > 1 and choice.is_plain(listed):
        raise MissingReferences(listed)
    systems: dict[str, list[Inputs]] = {}
    agreement = _Agreement(own=not references and len(listed) > 1)  # references of one alone are not held
    tables: list[ParallelTexts] = []
    open_source = cache(Source.open)
    for name, files in runs.items():
        for file in files:
            beside = next((joined for joined in tables if joined.order.base), tables[0] if tables else None)
            found = Inputs.systems(references, file, choice, beside, open_source)
            first = agreement.add(file, only_system(file, found) if len(files) > 1 else found[0])
            if len(files) > 1:
                systems.setdefault(name, []).append(first)
            else:
                for system in (first, *found[1:]):
                    column = system.name if len(found) > 1 else name
                    systems[column if column not in systems else f"{name}: {column}"] = [system]
            tables += [first.joined] if first.joined else []
    return systems


def watched(systems: Systems, watch: Notes) -> dict[str, list[Inputs]]:
    """The systems with segments that the notes look at."""
    return {name: [evolve(run, watch=watch) for run in runs] for name, runs in systems.items()}


def declared_languages(systems: Systems) -> Mapping[str, str]:
    """Declarations of the language of systems, with its code; of rows, only those of the first file are read."""
    runs = [run for listed in systems.values() for run in listed]
    return {what: code for number, run in enumerate(runs) for what, code in run.languages(of_rows=not number)}


def only_language(declared: Mapping[str, str]) -> str:
    """The language of all declarations; empty for none, and for several."""
    codes = {*declared.values()}
    return codes.pop() if len(codes) == 1 else ""


def notes_of(systems: Systems) -> Iterator[str]:
    """Notes on unusual input of systems."""
    return (note for runs in systems.values() for run in runs for note in run.notes())


def ids_of(systems: Systems) -> Sequence[str]:
    """The id of each segment, the same for all systems; empty if rows were joined by position."""
    return next((ids for runs in systems.values() for run in runs if run.joined and (ids := run.joined.ids)), ())


def order_of(systems: Systems) -> Order | None:
    """The order of the segments, the same for all systems, of a file with ids if there is one; None for plain text."""
    orders = [run.joined.order for runs in systems.values() for run in runs if run.joined]
    return next((order for order in orders if order.base is not None), orders[0] if orders else None)


def references_of(systems: Mapping[str, Sequence[Texts]]) -> int | None:
    """Number of references per segment; None if it varies."""
    counts = {run.references for runs in systems.values() for run in runs}
    return counts.pop() if len(counts) == 1 else None


def baseline_of(given: str | None, systems: Systems) -> str | None:
    """Name of the baseline system, which ``--baseline`` gives by name or by file."""
    if given is None or given in systems:
        return given
    for name, runs in systems.items():
        if given in (run.name for run in runs):
            return name
    raise UnknownName("system", given, systems)


class _Agreement:
    """References and labels of the systems so far; `own` references of several systems are kept in memory."""

    def __init__(self, *, own: bool) -> None:
        self._own = own
        self._first: tuple[str, Inputs] | None = None
        self._references: list[tuple[str, Inputs, References]] = []

    def add(self, file: str, inputs: Inputs) -> Inputs:
        """The system of a file, checked against those before; a note says if its references differ from the first's."""
        self._first = self._first or (file, inputs)
        _check_labels(*self._first, file, inputs)
        return evolve(inputs, more_notes=tuple(self._reference_notes(file, inputs))) if self._own else inputs

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
    if not one.labels or one.label_hash == other.label_hash or one.count != other.count:
        return
    rows = enumerate(zip(_labels(one), _labels(other), strict=True), 1)
    row, labels = next((row, labels) for row, labels in rows if labels[0] != labels[1])
    by, mine, yours = next(told for told in zip(one.labels, *labels, strict=True) if told[1] != told[2])
    raise InputMismatch(f"--by {by}: row {row} has {mine!r} in {first} and {yours!r} in {name}, and {_REMEDY}")


def _labels(inputs: Inputs) -> Iterator[Labels]:
    return chain.from_iterable(batch.labels for batch in inputs.batches())
