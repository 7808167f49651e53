"""Texts that functions get as arguments, in memory or in text files: the runs of systems, and the part to score."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from os import PathLike
from typing import Any, TypeVar

from attrs import evolve, frozen

from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Pairs, Rows
from meteorlib.errors import InputMismatch, InvalidText, UnknownName, with_segment_number
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import label_of, values_of
from meteorlib.inputs.formats import check_text
from meteorlib.inputs.join import Order
from meteorlib.inputs.labels import Keep, documents_of
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.text_file import TextFile, check_references, check_same_length
from meteorlib.text.validation import references_of, texts_of

Row = TypeVar("Row")

BATCH_SIZE = 1000
"""Segments that are scored together."""

Lines = Sequence[str] | PathLike[str]
"""Texts, or the path of a text file with one on each line."""

References = PathLike[str] | Sequence[str | PathLike[str] | Sequence[str]]
"""For each segment its reference, or several; or the path of a file of them, or several paths."""


@frozen
class Chosen:
    """The segments to score, all unless the order says which ones, and their groups; the documents of all segments."""

    order: Order
    groups: Mapping[str, Sequence[str]]
    documents: Sequence[str] = ()

    @classmethod
    def of(
        cls, keep: str | Sequence[str], groups: Mapping[str, Sequence[str]] | None, *, resegment: bool = False
    ) -> Chosen:
        """Choose the segments by their groups."""
        groups = {name: texts_of(labels, f"labels of {name!r}") for name, labels in (groups or {}).items()}
        order = Order()
        documents: Sequence[str] = ()
        if resegment:
            from meteorlib.inputs.resegmentation import resegmenter  # noqa: PLC0415 – seldom needed

            order, documents = Order(resegmenter=resegmenter()), documents_of(groups)
        conditions = Keep.of(keep)
        if not conditions.conditions:
            return cls(order, groups, documents)
        for name in conditions.conditions:
            if name not in groups:
                raise UnknownName("group", name, groups)
        kept = conditions.rows({name: map(values_of, labels) for name, labels in groups.items()})
        part = cls(evolve(order, kept=kept), {}, documents)
        return evolve(part, groups={name: part.rows(name, labels) for name, labels in groups.items()})

    def rows(self, what: str, given: Sequence[Row]) -> Sequence[Row]:
        """Choose from what is given for each segment."""
        if (kept := self.order.kept) is None:
            return given
        if len(given) != len(kept):
            raise InputMismatch(f"{len(given)} {what} but {len(kept)} labels of segments")
        return [*compress(given, kept)]


@frozen
class Given:
    """A run of a system in memory; see `meteorlib.corpus.batch.Texts`."""

    pairs: Sequence[Pair]
    groups: Mapping[str, Sequence[str]]

    @classmethod
    def all(
        cls,
        systems: Mapping[str, Lines | Sequence[Lines]],
        references: References,
        notes: Notes,
        part: Chosen,
    ) -> dict[str, list[Given]]:
        """The runs of each system."""
        if not isinstance(systems, Mapping) or not all(isinstance(name, str) for name in systems):
            raise TypeError('systems must be a dict from names to hypotheses: {"A": [text, text]}')
        if not systems:
            raise InputMismatch("there is no system to compare")
        if not all(name.strip() for name in systems):
            raise InputMismatch("a system has an empty name; give each system a name of its own")
        listed = _references(references, notes)

        def segments(name: str, texts: Sequence[str]) -> Sequence[str]:
            if not part.order.resegmenter:
                return texts
            from meteorlib.inputs.resegmentation import resegmented  # noqa: PLC0415 – seldom needed

            texts, found = resegmented(name, [*texts], listed, part.documents)
            notes.say(*found)
            return texts

        return {
            name: [
                cls(part.rows(f"segments of {name}", [*Pairs(listed, segments(name, texts))]), part.groups)
                for texts in _runs(given, notes, f"hypotheses of {name!r}")
            ]
            for name, given in systems.items()
        }

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the groupings of segments."""
        return tuple(self.groups)

    @property
    def references(self) -> int | None:
        """Number of references of each segment; None if it varies."""
        counts = {len(pair.references) for pair in self.pairs}
        return counts.pop() if len(counts) == 1 else None

    @property
    def count(self) -> int:
        """Number of segments."""
        return len(self.pairs)

    def batches(self) -> Iterator[Rows]:
        """The segments in batches, with their labels."""
        for name, labels in self.groups.items():
            if len(labels) != self.count:
                raise InputMismatch(f"{len(labels)} labels of {name!r} but {self.count} segments")
        rows = [*zip(*(map(label_of, labels) for labels in self.groups.values()), strict=True)]
        for start in range(0, self.count, BATCH_SIZE):
            end = start + BATCH_SIZE
            yield Rows(self.pairs[start:end], rows[start:end])

    def segment_labels(self) -> Mapping[str, Sequence[str]]:
        """Labels of the segments, by what groups them."""
        return self.groups


def _runs(given: Lines | Sequence[Lines], notes: Notes, what: str) -> list[Sequence[str]]:
    """The hypotheses of each run; one list of texts is a run."""
    listed: Sequence[Any] = [given] if isinstance(given, PathLike) else _listed(given, what)
    are_texts = [isinstance(run, str) for run in listed]
    if all(are_texts):
        return [listed]
    if any(are_texts):
        place = are_texts.index(False)
        raise TypeError(f"{what} must be texts, or a list for each run: item {place} is {type(listed[place]).__name__}")
    return [listed_texts(run, notes, what) for run in listed]


def listed_texts(given: Lines, notes: Notes, what: str) -> Sequence[str]:
    """The texts of a list, or the lines of a file; `what` they are is for errors."""
    if not isinstance(given, PathLike):
        return _listed(given, what)
    file = _text_file(given)
    notes.say(*file.notes())
    return [*file.lines()]


def _listed(given: Iterable[Any], what: str) -> Sequence[Any]:
    if isinstance(given, str):
        raise TypeError(f"{what} must be a list of texts, or a file as pathlib.Path, got one string")
    return texts_of(given, what)


def _text_file(path: PathLike[str]) -> TextFile:
    source = Source.open(os.fspath(path))
    check_text(source)
    return TextFile(source)


def _references(given: References, notes: Notes) -> list[Sequence[str]]:
    """The references of each segment; several files have one of each."""
    listed: Sequence[Any] = [given] if isinstance(given, PathLike) else _listed(given, "references")
    files = [_text_file(path) for path in listed if isinstance(path, PathLike)]
    if not files:
        return [_references_of(number, references) for number, references in enumerate(listed)]
    if len(files) != len(listed):
        raise TypeError("references must be texts or files, got both")
    check_same_length(files)
    check_references(files)
    notes.say(*(note for file in files for note in file.notes()))
    return [*zip(*(file.lines() for file in files), strict=True)]


def _references_of(place: int, given: str | Sequence[str]) -> Sequence[str]:
    try:
        return references_of(given)
    except (InvalidText, TypeError) as error:
        raise with_segment_number(error, place) from None


def look_at_texts(systems: Mapping[str, Sequence[Given]], notes: Notes) -> None:
    """Look for text that is escaped, tokenized, marked or damaged, and for shifted lines."""
    for name, runs in systems.items():
        for number, run in enumerate(runs, 1):
            whose = name if len(runs) == 1 else f"{name}, run {number},"
            notes.look(whose, [pair.hypothesis for pair in run.pairs], str)
            notes.look_at_order(whose, run.pairs)
    (first, *_), *_ = systems.values()
    notes.look("the text of the references", ["  ".join(pair.references) for pair in first.pairs], str)
    notes.on_texts()
