"""The command ``meteorlib report``: an HTML page that compares systems."""

from __future__ import annotations

from collections.abc import Sequence

import click
from attrs import frozen

from meteorlib.analysis.results import Settings
from meteorlib.cli.command import Command
from meteorlib.cli.input_options import SystemFiles, group_option, system_options, table_options
from meteorlib.cli.options import (
    ScorerChoice,
    Whole,
    comparison_options,
    gathered,
    jobs_option,
    metric_option,
    preset_options,
)
from meteorlib.cli.output_files import Target
from meteorlib.cli.streams import limit_threads, note, progress_of, rare_garbage_collection, say, standard_output
from meteorlib.inputs.formats import ColumnChoice, distinct_names, named
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.segment_data import WordLabels, source_texts
from meteorlib.inputs.system import Inputs
from meteorlib.inputs.systems import (
    baseline_of,
    declared_languages,
    notes_of,
    only_language,
    open_systems,
    order_of,
    references_of,
    watched,
)
from meteorlib.reports.system_scoring import SystemScoring

STANDARD_OUTPUT = "-"


@frozen
class _Page:
    """Options of the page, and its file."""

    output: str
    force: bool
    source: str | None
    source_column: str | None
    word_labels: Sequence[str]
    title: str
    gains: int


@click.command(
    cls=Command,
    short_help="Make a page that explains the scores of systems.",
    examples=(
        "meteorlib report a.txt b.txt -r ref.txt -o report.html",
        "meteorlib report a.txt b.txt -r ref.txt --source source.txt -o with-source.html",
    ),
    topics=("report",),
)
@system_options
@table_options
@group_option
@gathered(
    "page",
    _Page,
    click.option("-o", "--output", required=True, metavar="FILE", help="Page to write; - for standard output."),
    click.option("--force", is_flag=True, help="Replace an existing FILE that is not a report."),
    click.option("--source", metavar="FILE", help="Source texts to show beside the segments."),
    click.option("--source-column", metavar="NAME", help="Column of source texts in FILE, HYP or REF."),
    click.option(
        "--word-labels",
        "word_labels",
        multiple=True,
        metavar="NAME=FILE",
        help="Label of each reference token, such as its POS.",
    ),
    click.option("--title", metavar="TEXT", default="METEOR report", help="Heading of the page."),
    click.option(
        "--gains",
        metavar="N",
        type=Whole(min=0),
        default=100,
        help="Number of segments for which to compute gains of edits.",
    ),
)
@preset_options
@comparison_options
@metric_option
@jobs_option("processes")
def report(
    files: SystemFiles,
    choice: ColumnChoice,
    chosen: ScorerChoice,
    settings: Settings,
    page: _Page,
    metrics: Sequence[str],
    jobs: int,
) -> None:
    """Make an HTML page that shows how systems score, where they differ, and why.

    Files are read as by `meteorlib score`. The page is one file that works offline; it replaces only another report.
    """
    limit_threads(jobs)
    from meteorlib.reports.html.template import GENERATOR_TAG  # noqa: PLC0415 – slow import

    runs = files.named()
    labels = [named(given, f"--word-labels {given}", ", or the name of a column") for given in page.word_labels]
    distinct_names(
        "label", [(name, f"--word-labels {given}") for (name, _), given in zip(labels, page.word_labels, strict=True)]
    )
    target = None if page.output == STANDARD_OUTPUT else Target.of(page.output, GENERATOR_TAG, force=page.force)
    scorer = chosen.scorer()
    notes = Notes(note, [scorer.config], metrics)
    others = [file for file in (page.source, *(file for _, file in labels)) if file]
    inputs = watched(open_systems(runs, files.references, choice, others), notes)
    settings["baseline"] = baseline_of(settings.get("baseline"), inputs)
    listed = [run for listed_inputs in inputs.values() for run in listed_inputs]
    sources, source_notes = _sources(listed[0], page, choice)
    notes.say(*notes_of(inputs), *source_notes)
    declared = declared_languages(inputs)
    notes.on_languages(declared)
    chosen.note_default(notes)
    count = references_of(inputs)
    labels_of = [WordLabels.open(given, listed[0].joined, count, listed[0].count) for given in page.word_labels]
    scoring = SystemScoring(
        scorer, notes, metrics, settings, order_of(inputs), jobs, progress_of, only_language(declared)
    )
    with rare_garbage_collection():
        pieces = scoring.page(
            inputs,
            title=page.title,
            sources=sources,
            word_labels=lambda references: {labels.name: labels.of(references) for labels in labels_of},
            gains=page.gains,
        )
        notes.on_texts()
        if target is None:
            out = standard_output(exact=True)
            out.writelines(pieces)
            out.flush()
            return
        size = target.write_pieces(pieces)
    say(f"{page.output}: {size / 1e6:.1f} MB; open it in a browser")


def _sources(inputs: Inputs, page: _Page, choice: ColumnChoice) -> tuple[list[str] | None, Sequence[str]]:
    """The source texts, if options name them, and notes on their file."""
    if page.source is None and page.source_column is None:
        return None, ()
    return source_texts(inputs.joined, page.source, page.source_column, choice.dialect, inputs.count)
