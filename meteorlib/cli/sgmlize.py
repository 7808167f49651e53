"""The command ``meteorlib sgmlize``: convert plain text to SGML and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path

import click
from attrs import frozen

from meteorlib.cli.command import Command
from meteorlib.cli.options import gathered
from meteorlib.cli.output_files import OutputFiles
from meteorlib.cli.streams import note, standard_output
from meteorlib.errors import InputMismatch
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.sgml import Sets, read_sgml
from meteorlib.inputs.sgml_text import KINDS, sgml_lines, system_texts
from meteorlib.inputs.text_file import TextFile, check_same_length


@frozen
class _Made:
    """Names and kind of the texts in the SGML."""

    kind: str
    names: Sequence[str]
    set_name: str
    documents: str | None
    languages: str


@click.command(
    cls=Command,
    short_help="Convert plain text to SGML, or SGML to plain text.",
    examples=("meteorlib sgmlize hyp.txt", "meteorlib sgmlize ref.txt --as reference --languages de-en"),
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@gathered(
    "made",
    _Made,
    click.option(
        "--as",
        "kind",
        type=click.Choice(list(KINDS)),
        default="system",
        show_default=True,
        help="Kind of text.",
    ),
    click.option(
        "--name",
        "names",
        multiple=True,
        metavar="ID",
        help="System or reference name to record.  [default: name of the file]",
    ),
    click.option("--set", "set_name", metavar="ID", default="set", show_default=True, help="Name of the test set."),
    click.option(
        "--documents", metavar="FILE", help="Document id of each segment, one per line.  [default: one document]"
    ),
    click.option(
        "--languages", metavar="FROM-TO", default="any-any", show_default=True, help="Language pair, such as de-en."
    ),
)
@click.option("--to-text", is_flag=True, help="Convert SGML to text; FILE… is then TEST.sgm [REF.sgm].")
@click.option("-o", "--output", metavar="FOLDER", default=".", help="With --to-text: output folder.  [default: .]")
def sgmlize(files: Sequence[str], made: _Made, to_text: bool, output: str) -> None:
    """Convert text, one segment per line, to the SGML of NIST's mteval and METEOR, on standard output.

    With --to-text: write each system of TEST.sgm to a file SET.SYSTEM.tst and each reference of REF.sgm to
    SET.REFERENCE.ref. All files have the segments of the references, so they are parallel.
    """
    if to_text:
        _to_text(files, Path(output))
        return
    opened = [TextFile.open(name) for name in files]
    labels = None if made.documents is None else TextFile.open(made.documents)
    check_same_length([*opened, *([labels] if labels else [])])
    if made.names and len(made.names) != len(files):
        raise click.UsageError(f"--name is given {len(made.names)} times for {len(files)} files")
    source, dash, target = made.languages.partition("-")
    if not dash:
        raise click.UsageError("--languages is two codes with a hyphen between them, such as de-en")
    _check_together(labels)
    out = standard_output(exact=True)
    named = made.names or [Path(name).name for name in files]
    systems = ((name, _segments(file, labels)) for name, file in zip(named, opened, strict=True))
    out.writelines(sgml_lines(made.kind, made.set_name, systems, source, target))
    out.flush()


def _segments(file: TextFile, labels: TextFile | None) -> Iterator[tuple[str, str]]:
    documents = repeat("doc") if labels is None else labels.lines()
    # a CR would end a line for those who read it
    return zip(documents, (line.replace("\r", " ") for line in file.lines()), strict=False)


def _check_together(labels: TextFile | None) -> None:
    """Check that the segments of each document are contiguous, since they are numbered within it."""
    seen: set[str] = set()
    last = None
    for number, label in enumerate(labels.lines() if labels else (), 1):
        if label != last:
            if label in seen or not label:
                fault = (
                    f"document {label!r} continues after another document"
                    if label
                    else "an empty line instead of an id"
                )
                raise InputMismatch(f"{labels.name if labels else ''}:{number}: {fault}")
            seen.add(label)
            last = label


def _to_text(files: Sequence[str], folder: Path) -> None:
    if len(files) > 2:
        raise click.UsageError("--to-text takes TEST.sgm and REF.sgm, or one file")

    warn = Notes(note).say
    test, *rest = [read_sgml(name, warn) for name in files]
    sides: list[tuple[str, Sets, Sets | None]] = [("tst", test, rest[0] if rest else None)]
    sides += [("ref", reference, None) for reference in rest]
    if rest:
        for missing in sorted(set(test) - set(rest[0])):
            raise InputMismatch(f"{files[1]}: has no set {missing!r}, of which {files[0]} has systems")
    with OutputFiles(str(folder), between="/") as written:
        for ending, sets, references in sides:
            for set_name, name, lines in system_texts(sets, references, warn):
                file = f"{set_name}.{name}.{ending}"
                if Path(file).name != file or "\0" in file or "\\" in file:
                    raise InputMismatch(f"the ids {set_name!r} and {name!r} cannot be used as a file name")
                if (folder / file).exists():
                    raise InputMismatch(f"{folder / file}: already exists; remove it, or name another folder with -o")
                output = written.open(file)
                for line in lines:
                    output.write(f"{line}\n")
