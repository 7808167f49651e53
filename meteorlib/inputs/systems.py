"""The systems that are scored or compared, by name: the opened and checked files of their runs, read by segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from meteorlib.core.languages import language_in_name
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Batch, Labels, Lines, Texts
from meteorlib.errors import InputMismatch, MissingReferences, UnknownName
from meteorlib.inputs.byte_source import STANDARD_INPUT, Source
from meteorlib.inputs.columns import NO_IDS, without_role
from meteorlib.inputs.formats import ColumnChoice, file_and_form, mistaken_format
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.text_file import PIECE_SIZE, TextFile, TextTable, check_references, check_same_length

if TYPE_CHECKING:
    from meteorlib.inputs.join import Order
    from meteorlib.inputs.parallel_texts import ParallelTexts

References = Sequence[Sequence[str]]
"""The references of each segment, sorted."""

_REMEDY = "systems are compared row by row: put the rows into one order, or give them ids (--id-column NAME)"


@frozen
class Inputs:
    """The segments of one system: lines of files, or rows of tables (`joined`, unless all files are plain text).

    Its name is that of its file, or of a column of a table; the number of references is None if it varies; labels are
    the names of groupings of segments, whose labels are hashed in order. `more_notes` are on differences from other
    systems; `watch` looks at batches.
    """

    name: str
    count: int
    references: int | None
    labels: tuple[str, ...]
    _texts: tuple[TextFile, ...]
    joined: ParallelTexts | None = None
    _system: int = 0
    format_notes: tuple[str, ...] = ()
    label_hash: int = 0
    more_notes: tuple[str, ...] = ()
    watch: Notes | None = None

    @classmethod
    def open(cls, references: Sequence[str], hypotheses: str, choice: ColumnChoice) -> Inputs:
        """Open and check the files of one system; see `systems`."""
        return _only_system(hypotheses, cls.systems(references, hypotheses, choice))

    @classmethod
    def systems(
        cls,
        references: Sequence[str],
        hypotheses: str,
        choice: ColumnChoice,
        beside: ParallelTexts | None = None,
        open_source: Callable[[str], Source] | None = None,
    ) -> Sequence[Inputs]:
        """Open and check files: one system per column of hypotheses, all with the same references.

        Without files of references, these are columns of `hypotheses`. The order of segments is that of the tables of
        another system, `beside` these. `open_source` opens each file once for all systems.
        """
        given, roles = [hypotheses, *references], ["hyp", *["ref"] * len(references)]
        files = [file_and_form(file)[0] for file in given]
        labels = [name.partition("=")[2] for name in choice.labels]
        _check_standard_input([*files, *labels])
        open_source = open_source or cache(Source.open)
        if choice.is_plain(given):
            if not references:
                raise MissingReferences(files)
            return [cls._plain(given, roles, choice, [TextFile(open_source(name)) for name in files])]
        from meteorlib.inputs.parallel_texts import open_files  # noqa: PLC0415 – plain text does not come here

        joined = open_files(choice, references, hypotheses, beside, open_source)
        texts = [table.file if isinstance(table, TextTable) else None for table in joined.whole]
        mistaken = _format_notes(given, roles, texts, choice)
        with _with_advice(mistaken):
            count, each, label_hash = joined.check()
        of_columns = joined.tables[0].has_columns
        names = [without_role(field.column) if of_columns else files[0] for field in joined.hypotheses]
        return [
            cls(name, count, each, choice.label_names, tuple(joined.texts), joined, system, mistaken, label_hash)
            for system, name in enumerate(names)
        ]

    @classmethod
    def _plain(
        cls, given: Sequence[str], roles: Sequence[str], choice: ColumnChoice, files: Sequence[TextFile]
    ) -> Inputs:
        mistaken = _format_notes(given, roles, files, choice)
        with _with_advice(mistaken):
            count = check_same_length(files)
            check_references(files[1:])
        name = file_and_form(given[0])[0]
        return cls(name, count, len(given) - 1, (), tuple(files), format_notes=mistaken)

    def segments(self) -> Iterator[Pair]:
        """References and hypothesis of each segment."""
        if self.joined is not None:
            return self.joined.pairs(self._system)
        lines = zip(*(file.lines() for file in self._texts), strict=True)
        return (Pair(references, hypothesis) for hypothesis, *references in lines)

    def batches(self) -> Iterator[Batch]:
        """The segments in batches, for `score_stream`."""
        if self.joined is None:
            batches: Iterator[Batch] = map(Lines, zip(*(file.pieces(PIECE_SIZE) for file in self._texts), strict=True))
            names = [file.name for file in self._texts]
        else:
            batches = self.joined.batches(self._system)
            references = ", ".join(map(self.joined.name_of, self.joined.references))
            names = [self.joined.name_of(self.joined.hypotheses[self._system]), references]
        return batches if self.watch is None else self.watch.over(batches, names, self.count, plain=self.joined is None)

    def segment_labels(self) -> dict[str, list[str]]:
        """Label of each segment, by what groups the segments."""
        if not self.labels:
            return {}
        rows = [labels for batch in evolve(self, watch=None).batches() for labels in batch.labels]
        return {name: [row[index] for row in rows] for index, name in enumerate(self.labels)}

    def languages(self, *, of_rows: bool = True) -> Iterator[tuple[str, str]]:
        """Declarations of the language of the texts by files, columns and the names of both, with its code."""
        if self.joined:
            return self.joined.languages(of_rows=of_rows)
        return ((file.name, code) for file in self._texts if (code := language_in_name(file.name)))

    def look(self, watch: Notes) -> None:
        """Let the notes look at all segments, for commands that do not score them in batches."""
        for _ in evolve(self, watch=watch).batches():
            pass

    def notes(self) -> Iterator[str]:
        """Notes on unusual input, such as a table that is read as text, or a CR within a line."""
        yield from self.format_notes
        for file in self._texts:
            yield from file.notes()
        yield from (*(self.joined.notes if self.joined else ()), *self.more_notes)


@contextmanager
def _with_advice(notes: Sequence[str]) -> Iterator[None]:
    """Add advice to an error: a table read as plain text has one line too many, its header."""
    try:
        yield
    except InputMismatch as error:
        raise InputMismatch(*error.lines, *notes) from None


def _format_notes(
    given: Sequence[str], roles: Sequence[str], texts: Sequence[TextFile | None], choice: ColumnChoice
) -> tuple[str, ...]:
    """Notes on texts, unless an option gives the format; `texts` has None for files read by columns."""
    if choice.dialect.form is not None:
        return ()
    files = zip(given, roles, texts, strict=False)  # files of labels come last
    guessed = [(name, role, text) for name, role, text in files if text and file_and_form(name)[1] is None]
    read = [(name, role, text) for name, role, text in guessed if not (role == "ref" and choice.references)]
    return tuple(note for name, role, text in read for note in mistaken_format(name, role, text))


def _only_system(file: str, systems: Sequence[Inputs]) -> Inputs:
    if len(systems) > 1:
        names = ", ".join(system.name for system in systems)
        raise InputMismatch(f"{file}: contains several systems; name one with --hyp-column: {names}")
    return systems[0]


def _check_standard_input(names: Sequence[str]) -> None:
    if [file_and_form(name)[0] for name in names].count(STANDARD_INPUT) > 1:
        raise InputMismatch("standard input (-) can be read only once: give the other files by name")


Runs = Mapping[str, Sequence[str]]
"""Name of a system → the files of its runs."""

Systems = Mapping[str, Sequence[Inputs]]
"""Name of a system → its runs."""


def system_names(files: Sequence[str]) -> list[str]:
    """A distinct name for each file: its own, with as many folders as needed; repeated files are numbered."""
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
    named: Runs, references: Sequence[str], choice: ColumnChoice, others: Sequence[str] = ()
) -> dict[str, list[Inputs]]:
    """Open the runs of each system, by name; a file with several columns of hypotheses has several systems.

    References are files; `others` are files that the command reads besides.
    """
    listed = [file for files in named.values() for file in files]
    again = [*references, *(name.partition("=")[2] for name in choice.labels)]
    _check_standard_input([*listed, *again, *others])
    if not references and len(listed) > 1 and choice.is_plain(listed):
        raise MissingReferences(listed)
    systems: dict[str, list[Inputs]] = {}
    agreement = _Agreement(own=not references and len(listed) > 1)  # references of one alone are not held
    tables: list[ParallelTexts] = []
    open_source = cache(Source.open)
    for name, files in named.items():
        for file in files:
            beside = next((joined for joined in tables if joined.order.base), tables[0] if tables else None)
            found = Inputs.systems(references, file, choice, beside, open_source)
            first = agreement.add(file, _only_system(file, found) if len(files) > 1 else found[0])
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
    if one.label_hash == other.label_hash or one.count != other.count:
        return
    rows = enumerate(zip(_labels(one), _labels(other), strict=True), 1)
    row, labels = next((row, labels) for row, labels in rows if labels[0] != labels[1])
    by, mine, yours = next(told for told in zip(one.labels, *labels, strict=True) if told[1] != told[2])
    raise InputMismatch(f"--by {by}: row {row} has {mine!r} in {first} and {yours!r} in {name}, and {_REMEDY}")


def _labels(inputs: Inputs) -> Iterator[Labels]:
    return chain.from_iterable(batch.labels for batch in inputs.batches())
