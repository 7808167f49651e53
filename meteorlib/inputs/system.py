"""The segments of one system: files opened, checked, and read segment by segment; formats that text looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Protocol

from attrs import evolve, frozen

from meteorlib.core.pair import Pair
from meteorlib.corpus.batch import Batch, Lines
from meteorlib.errors import InputMismatch, MeteorError, MissingReferences
from meteorlib.inputs.byte_source import STANDARD_INPUT, Source
from meteorlib.inputs.columns import without_role
from meteorlib.inputs.formats import FORMATS, ColumnChoice, Dialect, form_of, looks_like, table_of
from meteorlib.inputs.text_file import PIECE_SIZE, TextFile, check_same_length

if TYPE_CHECKING:
    from meteorlib.inputs.parallel_texts import ParallelTexts

OpenSource = Callable[[str], Source]

TEXT_ONLY = ColumnChoice(dialect=Dialect("text"))


class Watch(Protocol):
    """Checks of segments on their way to the scorer."""

    def over(self, batches: Iterator[Batch], names: Sequence[str], *, plain: bool) -> Iterator[Batch]:
        """The batches of files with these names, each looked at before it is handed on."""


@frozen
class InputFile:
    """A file named on the command line, and the format it looks like.

    Attributes:
        given: name of the file on the command line.
        role: ``hyp`` or ``ref``.
        form: actual or likely format; None for text.
        name: name in messages if the file is read as text.
        columns: column names, if the file is read as text and looks like a table.
    """

    given: str
    role: str
    form: str | None
    name: str = ""
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: str, role: str, text: TextFile | None) -> InputFile:
        """Look at a file.

        Args:
            given: its name on the command line.
            role: ``hyp`` or ``ref``.
            text: the file; None if it is read by columns.

        Raises:
            InputMismatch: the file is read as text but is Parquet.
        """
        if text is None:
            return cls(given, role, form_of(given))
        form = form_of(given) or looks_like(text.source)
        if form == "parquet":
            add = "" if form_of(given) else " --input-format parquet"
            raise InputMismatch(f"{text.name}: is Parquet, not text: add{add} --{role}-column NAME")
        return cls(given, role, form, text.name, _columns(text, form))

    @property
    def is_mistaken(self) -> bool:
        """Whether the file is read as text but looks like a table."""
        return bool(self.name and self.form)

    @property
    def note(self) -> str:
        """The format that the file looks like, and the options by which it is read as such."""
        columns = f" (columns: {', '.join(self.columns)})" if self.columns else ""
        options = [] if form_of(self.given) else [f"--input-format {self.form}"]
        options += [] if FORMATS[self.form or "text"].magic else [f"--{self.role}-column NAME"]
        looks = f"{self.name} looks like {FORMATS[self.form or 'text'].title}{columns}"
        return f"{looks} and is read as text, one segment per line; to read it as such, add {' '.join(options)}"


@frozen
class Inputs:
    """The segments of one system: lines of files, or rows of tables.

    Attributes:
        name: name of the system: that of its file, or of a column of a table.
        count: number of segments.
        references: number of references per segment; None if it varies.
        labels: names of the groupings of segments.
        joined: the joined tables; None if all files are plain text.
        files: the apparent formats of the files; empty if an option gives the format.
        label_hash: hash of the labels of all segments, in order.
        more_notes: additional notes, such as differences from other systems.
        watch: what looks at the segments in batches; None: nothing does.
    """

    name: str
    count: int
    references: int | None
    labels: tuple[str, ...]
    _texts: tuple[TextFile, ...]
    joined: ParallelTexts | None = None
    _system: int = 0
    files: tuple[InputFile, ...] = ()
    label_hash: int = 0
    more_notes: tuple[str, ...] = ()
    watch: Watch | None = None

    @classmethod
    def open(
        cls,
        references: Sequence[str],
        hypotheses: str,
        choice: ColumnChoice = TEXT_ONLY,
        beside: ParallelTexts | None = None,
        open_source: OpenSource | None = None,
    ) -> Inputs:
        """Open and check the files of one system; see `systems`."""
        found = cls.systems(references, hypotheses, choice, beside, open_source)
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            raise InputMismatch(f"{hypotheses}: contains several systems; name one with --hyp-column: {names}")
        return found[0]

    @classmethod
    def systems(
        cls,
        references: Sequence[str],
        hypotheses: str,
        choice: ColumnChoice = TEXT_ONLY,
        beside: ParallelTexts | None = None,
        open_source: OpenSource | None = None,
    ) -> Sequence[Inputs]:
        """Open and check files: one system per column of hypotheses, all with the same references.

        Args:
            references: files of references; empty if they are columns of `hypotheses`.
            hypotheses: file of hypotheses.
            choice: columns to read.
            beside: joined tables of another system, whose order of segments is used.
            open_source: function that opens each file once for all systems; None for a single system.

        Raises:
            InputMismatch: a file is missing, counts or ids differ, there is nothing to score, or the columns are
                ambiguous.
            InvalidText: a file is damaged or in another format.
        """
        files, roles = [hypotheses, *references], ["hyp", *["ref"] * len(references)]
        labels = [name.partition("=")[2] for name in choice.labels]
        check_standard_input([*files, *labels])
        open_source = open_source or cache(Source.open)
        if choice.is_plain(files):
            return [cls._plain(files, roles, choice, open_source)]
        from meteorlib.inputs.parallel_texts import open_files  # noqa: PLC0415 – plain text does not come here
        from meteorlib.inputs.text_file import TextTable  # noqa: PLC0415 – nor here

        joined = open_files(choice, references, hypotheses, beside, open_source)
        texts = [table.file if isinstance(table, TextTable) else None for table in joined.tables]
        looks = _looks(files, roles, texts, choice)
        with _with_advice(looks):
            count, each, label_hash = joined.check()
        names = [without_role(field.column) for field in joined.hypotheses] if joined.of_columns else [hypotheses]
        return [
            cls(name, count, each, choice.label_names, tuple(joined.texts), joined, system, looks, label_hash)
            for system, name in enumerate(names)
        ]

    @classmethod
    def _plain(
        cls, names: Sequence[str], roles: Sequence[str], choice: ColumnChoice, open_source: OpenSource
    ) -> Inputs:
        if len(names) == 1:
            raise MissingReferences(names)
        files = tuple(TextFile(open_source(name)) for name in names)
        looks = _looks(names, roles, files, choice)
        with _with_advice(looks):
            count = check_same_length(files)
        return cls(names[0], count, len(names) - 1, (), files, files=looks)

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
            names = [self.joined.name_of(self.joined.hypotheses[self._system])]
            names.append(", ".join(map(self.joined.name_of, self.joined.references)))
        return batches if self.watch is None else self.watch.over(batches, names, plain=self.joined is None)

    def segment_labels(self) -> dict[str, list[str]]:
        """Label of each segment, by what groups the segments."""
        if not self.labels:
            return {}
        rows = [labels for batch in evolve(self, watch=None).batches() for labels in batch.labels]
        return {name: [row[place] for row in rows] for place, name in enumerate(self.labels)}

    def language_pairs(self) -> Sequence[str]:
        """The language pairs of a table that has a column of them; empty for other files."""
        return self.joined.language_pairs() if self.joined else ()

    def with_notes(self, notes: Sequence[str]) -> Inputs:
        """Return these inputs with additional notes."""
        return evolve(self, more_notes=(*self.more_notes, *notes))

    def watched(self, watch: Watch) -> Inputs:
        """Return these inputs with batches that the notes look at."""
        return evolve(self, watch=watch)

    def look(self, watch: Watch) -> None:
        """Let the notes look at all segments, for commands that do not score them in batches."""
        for _ in self.watched(watch).batches():
            pass

    def notes(self) -> Iterator[str]:
        """Notes on unusual input, such as a CR within a line; `notes_on` adds notes on the files as a whole."""
        for file in self._texts:
            yield from file.notes()
        yield from (*(self.joined.notes if self.joined else ()), *self.more_notes)


def notes_on(inputs: Sequence[Inputs]) -> Iterator[str]:
    """Notes on unusual input of systems."""
    yield from (file.note for one in inputs for file in one.files if file.is_mistaken)
    yield from (note for one in inputs for note in one.notes())


@contextmanager
def _with_advice(files: Sequence[InputFile]) -> Iterator[None]:
    """Add advice to an error: a table read as plain text has one line too many, its header."""
    try:
        yield
    except InputMismatch as error:
        raise InputMismatch(*error.lines, *(file.note for file in files if file.is_mistaken)) from None


def _looks(
    names: Sequence[str], roles: Sequence[str], texts: Sequence[TextFile | None], choice: ColumnChoice
) -> tuple[InputFile, ...]:
    """Apparent formats of files, empty if an option gives the format; `texts` has None for files read by columns."""
    if choice.dialect.form is not None:
        return ()
    return tuple(InputFile.of(*file) for file in zip(names, roles, texts, strict=False))  # files of labels come last


def _columns(file: TextFile, form: str | None) -> tuple[str, ...]:
    if form is None or FORMATS[form].magic:
        return ()
    try:
        return tuple(table_of(file.source, form, Dialect(form), "hyp").columns)
    except MeteorError:
        return ()


def check_standard_input(names: Sequence[str]) -> None:
    """Refuse standard input among the names of files more than once."""
    if names.count(STANDARD_INPUT) > 1:
        raise InputMismatch("standard input (-) can be read only once: give the other files by name")
