"""The command ``meteorlib identify``: find the METEOR behind a published score."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

import click
from attrs import asdict
from click.core import ParameterSource

from meteorlib.analysis.identification import PRESETS, Identification, Reproduction, identify, preparations
from meteorlib.cli.command import Command
from meteorlib.cli.input_options import SystemFiles, references_option, table_options
from meteorlib.cli.options import format_option
from meteorlib.cli.streams import note, progress, standard_output
from meteorlib.display.terminal import align_columns
from meteorlib.display.text import json_text, left_out_notes
from meteorlib.errors import InputMismatch
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.systems import notes_of, open_systems

_CHANGED = frozenset({"presets", "form", "references", "ref_columns"})
"""Options that are others in the printed commands."""


@click.command(
    "identify",
    cls=Command,
    short_help="Find the METEOR that gives a published score.",
    examples=(
        "meteorlib identify 0.2930 hyp.txt -r ref.txt",
        "meteorlib identify 29.3,30.3 a.txt b.txt -r ref.txt --preset nltk --preset nltk-3.5",
    ),
    topics=("presets", "coming-from"),
)
@click.argument("score", metavar="SCORE")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@references_option
@table_options
@click.option(
    "-p",
    "--preset",
    "presets",
    multiple=True,
    metavar="NAME",
    help="Try only this preset; repeatable.  [default: METEORs of others for English]",
)
@format_option(("text", "json"))
def identify_score(
    score: str,
    hypotheses: Sequence[str],
    references: Sequence[str],
    choice: ColumnChoice,
    presets: Sequence[str],
    form: str,
) -> None:
    """Find which METEOR gives SCORE for HYP: preset, text mode, corpus score or mean, best or first reference.

    SCORE is a number as it is printed: 0.293 is .2925 to .2935, and 29.3 is in percent. Several systems have their
    scores in order, with commas between them; all must fit. If nothing gives them, the nearest are listed.
    """
    numbers = score.split(",")
    systems = open_systems(SystemFiles(hypotheses, references, ()).named(), references, choice)
    if len(numbers) != len(systems):
        raise InputMismatch(f"scores: {len(numbers)}, systems: {len(systems)}; give a score for each, as 0.2930,0.3030")
    segments = {name: [*run.segments()] for name, (run,) in systems.items()}
    texts = {name: [pair.hypothesis for pair in pairs] for name, pairs in segments.items()}
    shared = [pair.references for pair in next(iter(segments.values()))]
    chosen = presets or PRESETS
    with progress("identifying", sum(len(preparations(name)) for name in chosen)) as bar:
        found = identify(dict(zip(systems, numbers, strict=True)), texts, shared, presets=chosen, progress=bar)
    Notes(note).say(*notes_of(systems), *left_out_notes(found.left_out))
    out = standard_output()
    out.write(_REPORTS[form](found))
    out.flush()


def _text(found: Identification) -> str:
    """The sentence, the table, and below each row the command that gives its score."""
    head, *rows = align_columns(found.rows).splitlines()
    lines = [found.sentence, head]
    for row, variant in zip(rows, found.found or found.nearest, strict=True):
        lines += [
            row,
            f"  {_command(variant)}",
            *([f"  also with --text {', '.join(variant.same)}"] if variant.same else []),
        ]
    return "\n".join(lines) + "\n"


def _json(found: Identification) -> str:
    """One object, every number in full double precision."""
    data = {
        "published": found.published,
        "found": [*map(_data, found.found)],
        "nearest": [*map(_data, found.nearest)],
        "tried": found.tried,
        "left_out": {name: str(reason) for name, reason in found.left_out.items()},
    }
    return json_text(data, indent=1) + "\n"


def _data(variant: Reproduction) -> dict[str, object]:
    return {**asdict(variant), "command": _command(variant)}


_REPORTS: Mapping[str, Callable[[Identification], str]] = {"text": _text, "json": _json}


def _command(variant: Reproduction) -> str:
    """The command that gives the score, with the files and options of this one."""
    context = click.get_current_context()
    given = context.params
    files, columns, remark = given["references"], given["ref_columns"], ""
    if variant.references == "first":
        remark = "" if len(files) > 1 or len(columns) > 1 else "  # with only the first reference of each segment"
        files, columns = files[:1], columns if len(files) > 1 else columns[:1]
    words = ["meteorlib", "score", *given["hypotheses"]]
    for option, values in (("-r", files), ("--ref-column", columns), *_others(context)):
        for value in values:
            words += [option] if value is True else [option, str(value)]
    return shlex.join([*words, *variant.options]) + remark


def _others(context: click.Context) -> Iterator[tuple[str, Sequence[object]]]:
    """Options that were given, with their values, except for those that change."""
    for option in context.command.params:
        name = option.name or ""
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if isinstance(option, click.Option) and is_given and name not in _CHANGED:
            value = context.params[name]
            yield option.opts[0], value if option.multiple else [value]
