"""The systems of a command by name, and the opened files of their runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from meteorlib.cli.inputs import Inputs, no_references, notes_on
from meteorlib.cli.segment_check import Agreement
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.byte_source import STANDARD_INPUT, Source
from meteorlib.inputs.formats import ColumnChoice

if TYPE_CHECKING:
    from meteorlib.cli.notes import Notes
    from meteorlib.inputs.join import Order
    from meteorlib.inputs.parallel_texts import ParallelTexts

Runs = Mapping[str, Sequence[str]]
"""Name of a system → the files of its runs."""

Systems = Mapping[str, Sequence[Inputs]]
"""Name of a system → its runs."""


def named_systems(files: Sequence[str], runs: Sequence[str]) -> Runs:
    """Files of the systems, by name and in order: systems of one file, then those of ``--runs``.

    Raises:
        click.UsageError: a value other than NAME=FILE,FILE, or a repeated name.
    """
    systems = {name: [file] for name, file in zip(system_names(files), files, strict=True)}
    for given in runs:
        name, equals, listed = given.partition("=")
        found = [listed] if Path(listed).exists() else listed.split(",")
        if not (name and equals and all(found)):
            raise click.UsageError(f"--runs {given}: expected NAME=FILE,FILE,…")
        if again := next((file for file, count in Counter(found).items() if count > 1), None):
            raise click.UsageError(f"--runs {given}: {again} is given twice; name the file of each run once")
        if name in systems:
            raise click.UsageError(f"--runs {given}: there already is a system {name!r}; give it another name")
        systems[name] = found
    return systems


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
    files: Sequence[str],
    runs: Sequence[str],
    references: Sequence[str],
    choice: ColumnChoice,
    others: Sequence[str] = (),
) -> dict[str, list[Inputs]]:
    """Open the runs of each system, by name; a file with several columns of hypotheses has several systems.

    Args:
        files: of systems of one run.
        runs: of systems of several, as ``--runs`` has them.
        references: the files of references.
        choice: which columns are meant.
        others: files that the command reads besides.

    Raises:
        click.UsageError: see `named_systems`.
        InputMismatch: a file is not there, or has other segments than the references; the segments of systems have
            different orders or labels.
    """
    named = named_systems(files, runs)
    listed = [file for each in named.values() for file in each]
    again = [*references, *(name.partition("=")[2] for name in choice.labels)]
    if [*listed, *again, *others].count(STANDARD_INPUT) > 1:
        raise InputMismatch("standard input (-) can be read only once: give the other files by name")
    if not references and len(listed) > 1 and choice.is_plain(listed):
        raise no_references(listed)
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


def watched(systems: Systems, watch: Notes) -> dict[str, list[Inputs]]:
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
