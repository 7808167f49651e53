"""The segments of one system: its opened and checked files, read by segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from os.path import normpath
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from meteorlib.core.languages import language_in_name
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Batch, Lines
from meteorlib.errors import InputMismatch, MissingReferences
from meteorlib.inputs.byte_source import STANDARD_INPUT, Source
from meteorlib.inputs.columns import check_once, without_role
from meteorlib.inputs.formats import ColumnChoice, file_and_form, mistaken_format, name_and_file
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.text_file import PIECE_SIZE, RESEGMENT, TextFile, TextTable, check_references, check_same_length

if TYPE_CHECKING:
    from meteorlib.inputs.parallel_texts import ParallelTexts


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
        return only_system(hypotheses, cls.systems(references, hypotheses, choice))

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

        `hypotheses` is the file of a system, or ``NAME=FILE``.
        Without files of references, these are columns of `hypotheses`. The order of segments is that of the tables of
        another system, `beside` these. `open_source` opens each file once for all systems.
        """
        own, hypotheses = name_and_file(hypotheses)
        given, roles = [hypotheses, *references], ["hyp", *["ref"] * len(references)]
        files = [file_and_form(file)[0] for file in given]
        check_standard_input([*files, *choice.label_files])
        check_once("file of references", [normpath(file) for file in files[1:]])
        open_source = open_source or cache(Source.open)
        if choice.is_plain(given):
            if not references:
                raise MissingReferences(files)
            inputs = cls._plain(given, roles, choice, [TextFile(open_source(name)) for name in files])
            return [evolve(inputs, name=own or inputs.name)]
        from meteorlib.inputs.parallel_files import open_files  # noqa: PLC0415 – plain text does not come here

        joined = open_files(choice, references, hypotheses, beside, open_source)
        texts = [table.file if isinstance(table, TextTable) else None for table in joined.whole]
        mistaken = _format_notes(given, roles, texts, choice)
        with _with_advice(mistaken):
            count, each, label_hash = joined.check()
        of_columns = joined.tables[0].has_columns
        names = [without_role(field.column) if of_columns else files[0] for field in joined.hypotheses]
        names = [(f"{own}: {name}" if len(names) > 1 else own) if own else name for name in names]
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
            count = check_same_length(files, RESEGMENT)
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
        if self.watch is None:
            return self._read()
        if self.joined is None:
            names = [file.name for file in self._texts]
        else:
            references = ", ".join(map(self.joined.name_of, self.joined.references))
            names = [self.joined.name_of(self.joined.hypotheses[self._system]), references]
        return self.watch.over(self._read, names, self.count, plain=self.joined is None)

    def _read(self) -> Iterator[Batch]:
        if self.joined is None:
            return map(Lines, zip(*(file.pieces(PIECE_SIZE) for file in self._texts), strict=True))
        return self.joined.batches(self._system)

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


def only_system(file: str, systems: Sequence[Inputs]) -> Inputs:
    """The system of a file that must have one only."""
    if len(systems) > 1:
        names = ", ".join(system.name for system in systems)
        raise InputMismatch(f"{file}: contains several systems; name one with --hyp-column: {names}")
    return systems[0]


def check_standard_input(names: Sequence[str]) -> None:
    """Refuse standard input for two files."""
    if [file_and_form(name)[0] for name in names].count(STANDARD_INPUT) > 1:
        raise InputMismatch("standard input (-) can be read only once: give the other files by name")
