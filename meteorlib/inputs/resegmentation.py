"""Hypotheses in other segments than the references: their text is divided anew, by the command of mweralign."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from meteorlib.errors import InputMismatch
from meteorlib.extras import installed_versions
from meteorlib.inputs.columns import Row
from meteorlib.inputs.shifts import misplaced
from meteorlib.inputs.text_file import TextTable
from meteorlib.text.scripts import Letters

_MOST_COMPARED = 200
"""Documents of which each text is compared with the references of each; more would take seconds."""


@frozen(slots=False)
class Resegmented(TextTable):
    """A text file whose text was divided into other segments than its lines."""

    segments: Sequence[str] = ()

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The segments."""
        return ((number, [segment] * len(columns)) for number, segment in enumerate(self.segments, 1))


def resegmenter() -> str:
    """The package that divides texts, with its version, as a field of signatures."""
    (named,) = installed_versions(["mweralign"], "resegment").items()
    return f"resegment:{'-'.join(named)}"


def resegmented(
    name: str, lines: Sequence[str], references: Sequence[Sequence[str]], documents: Sequence[str]
) -> tuple[list[str], list[str]]:
    """A text called `name` with a segment for those of each list of `references`, and notes.

    With `documents`, one for each of `references`, and a line for each of them, in the order in which they appear, each
    line is divided by itself; otherwise the whole text is.
    """
    resegmenter()
    if documents and len(documents) != len(references):
        raise InputMismatch(f"{len(documents)} labels of documents but {len(references)} segments")
    places: dict[str, list[int]] = {}
    notes = list[str]()
    for place, document in enumerate(documents or [""] * len(references)):
        places.setdefault(document, []).append(place)
    if len(lines) != len(places):
        if len(places) > 1:
            notes.append(
                f"{name} has {len(lines):,} lines for {len(places):,} documents: it is resegmented as one text; with a "
                "line for each document, each is resegmented by itself"
            )
        places, lines = {"": [*range(len(references))]}, [" ".join(lines)]
    texts = [*map(_with_blanks, lines)]
    if 1 < len(places) <= _MOST_COMPARED:
        joined = [" ".join(text for place in own for text in references[place]) for own in places.values()]
        if moved := misplaced(texts, joined):
            first, other = ([*places][index] for index in moved)
            notes.append(
                f"line {moved[0] + 1} of {name} has the place of document {first!r}, but matches {other!r} clearly "
                "better: put the documents into the order of the references"
            )
    most = max(map(len, references), default=0)
    targets = [_alternatives(listed, most) for listed in references]
    for document, own in places.items():
        while own and not targets[own[-1]]:  # which the command leaves out
            own.pop()
        if not own:
            raise InputMismatch(f"--resegment: the references{f' of document {document!r}' * bool(document)} are empty")
    segments = [""] * len(references)
    found = _divided([[targets[place] for place in own] for own in places.values()], texts)
    is_same = "".join("".join(found).split()) == "".join("".join(texts).split())
    if not is_same or len(found) != sum(map(len, places.values())):
        raise InputMismatch(f"--resegment: mweralign did not return the text of {name} in {len(references):,} segments")
    for place, segment in zip((place for own in places.values() for place in own), found, strict=True):
        segments[place] = segment
    return segments, notes


def _with_blanks(text: str) -> str:
    """A text with blanks where ASCII has white space, at which the command separates words."""
    return b" ".join(text.encode().split()).decode()


def _alternatives(references: Sequence[str], count: int) -> str:
    """The references of a segment as the command reads them: `count` of each, as it fails if numbers differ."""
    found = [words.replace("###", "##") for text in references if (words := _with_blanks(text))]
    return " ### ".join([*found, *found[-1:] * (count - len(found))])


def _divided(references: Sequence[Sequence[str]], texts: Sequence[str]) -> list[str]:
    """The segments of each text, one after the other: what the command prints."""
    letters = Letters()
    for text in (text for listed in references for text in listed):
        letters.add(text)
    numbers = [str(number) for number, listed in enumerate(references) for _ in listed]
    with TemporaryDirectory(prefix="meteorlib-") as folder:
        command = [sys.executable, "-P", "-X", "utf8", "-m", "mweralign.mweralign"]
        listed = [text for texts in references for text in texts]
        for option, lines in {"-r": listed, "-t": texts, "-d": numbers}.items():
            path = Path(folder, option)
            path.write_bytes("".join(f"{line}\n" for line in lines).encode())
            command += [option, str(path)]
        command += ["-m", "cj" if letters.without_blanks() else "none"]
        # a process of its own: it prints what nobody asked for, and some texts end it
        ended = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 – our own arguments
    if ended.returncode:
        *_, last = ["", *ended.stderr.decode(errors="replace").strip().splitlines()]
        raise InputMismatch(f"--resegment: mweralign ended with {ended.returncode}: {last}")
    return [line.strip(" \r") for line in ended.stdout.decode().split("\n")[:-1]]
