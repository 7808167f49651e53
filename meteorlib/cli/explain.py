"""The command ``meteorlib explain``: show why one segment has its score."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TextIO

import click
from attrs import frozen

from meteorlib.cli.command import Command
from meteorlib.cli.input_options import table_options
from meteorlib.cli.options import ScorerChoice, Whole, format_option, gathered, preset_options
from meteorlib.cli.streams import note, progress_of, standard_output
from meteorlib.core.segment import Pair
from meteorlib.display.drawing import color_at
from meteorlib.display.terminal import plain
from meteorlib.display.text import json_text
from meteorlib.errors import InputMismatch
from meteorlib.explanation.explanation import (
    BUDGET,
    WIDTH,
    Explanation,
    View,
    explanation_lines,
    explanation_page,
)
from meteorlib.explanation.explanation import explain as explained
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.system import Inputs

_STYLES = {"label": "bold", "chunk": "dim", "no match": "dim", "unmatched": "red"}


@frozen
class _Shown:
    """Layout of the alignment, and the format."""

    view: View
    form: str


@click.command(
    cls=Command,
    short_help="Show why a segment has its score.",
    examples=(
        'meteorlib explain "a cat sat on the mat" -r "the cats sat on a mat"',
        "meteorlib explain hyp.txt -r ref.txt --segment 2",
    ),
    topics=("explain", "formula"),
)
@click.argument("hypothesis", metavar="HYP")
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="Reference text; repeatable.",
)
@preset_options
@click.option("--segment", metavar="N", type=Whole(min=1), help="Explain segment N; HYP and REF are then files.")
@table_options
@gathered(
    "shown",
    _Shown,
    click.option(
        "--view",
        type=click.Choice(["rows", "matrix"]),
        default="rows",
        show_default=True,
        help="Layout of the alignment.",
    ),
    format_option(("text", "json", "html"), "; html is a complete page."),
)
@click.option("--all-gains", is_flag=True, help="Gains and unused matches of long segments, too; slow.")
def explain(
    hypothesis: str,
    references: Sequence[str],
    choice: ColumnChoice,
    chosen: ScorerChoice,
    segment: int | None,
    shown: _Shown,
    all_gains: bool,
) -> None:
    """Draw the alignment of the text HYP with its reference, and show the formula with its numbers.

    A list of gains follows: how much the score would rise if an unmatched word were corrected.
    """
    scorer = chosen.scorer()
    notes = Notes(note, [scorer.config])
    if segment is not None:
        references, hypothesis = _segment(references, hypothesis, choice, segment, notes)
    elif not references:
        raise click.UsageError("Missing option '-r' / '--reference'.", click.get_current_context())
    elif choice != ColumnChoice():
        raise click.UsageError("columns need files: add --segment N", click.get_current_context())
    elif files := [name for name in (hypothesis, *references) if _is_file(name)]:
        notes.say(f"{files[0]} is read as text; to explain a line of files, add --segment N")
    else:
        notes.look("the hypothesis", [hypothesis], lambda found: found.located("", ""))
        notes.look("the reference", references, lambda found: found.located("", "references"))
    notes.on_texts()
    chosen.note_default(notes)
    with progress_of("gains") as bar:
        explanation = explained(
            scorer.engine, references, hypothesis, budget=None if all_gains else BUDGET, progress=bar
        )
    out = standard_output()
    if shown.form == "text":
        _write(explanation, shown.view, out)
    else:
        data = f"{json_text(explanation.to_dict(), indent=1)}\n"
        out.write(data if shown.form == "json" else explanation_page(explanation, shown.view))
    out.flush()


def _segment(references: Sequence[str], hypothesis: str, choice: ColumnChoice, number: int, notes: Notes) -> Pair:
    """References and hypothesis of one segment in files, which the notes look at."""
    inputs = Inputs.open(references, hypothesis, choice)
    notes.say(*inputs.notes())
    if number > inputs.count:
        raise InputMismatch(f"there is no segment {number}: {inputs.name} has {inputs.count}")
    inputs.look(notes)
    notes.on_languages(dict(inputs.languages()))
    return next(islice(inputs.segments(), number - 1, None))


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _write(explanation: Explanation, view: View, out: TextIO) -> None:
    """Write the explanation, with colors on a terminal that supports them, unless NO_COLOR is set."""
    from rich.console import Console  # noqa: PLC0415 – only where text is drawn
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)  # not `out`: colors are added to text that is escaped before
    terminal = console.is_terminal and not console.is_dumb_terminal
    lines = explanation_lines(explanation, view, shutil.get_terminal_size((WIDTH, 24)).columns)
    if not terminal or os.environ.get("NO_COLOR"):
        out.writelines(plain(line) + "\n" for line in lines)
        return
    for line in lines:
        console.print(Text.assemble(*((piece.text, _style(piece.style)) for piece in line)), soft_wrap=True)


def _style(name: str) -> str:
    if name.startswith("stage "):
        return color_at(int(name.removeprefix("stage "))).terminal
    return _STYLES.get(name, "")
