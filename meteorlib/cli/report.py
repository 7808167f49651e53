"""``meteorlib report``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from meteorlib.cli.garbage_collection import few_collections
from meteorlib.cli.inputs import Inputs
from meteorlib.cli.number_types import Whole
from meteorlib.cli.options import compared, joined_tables, scored_systems
from meteorlib.cli.output_file import Target
from meteorlib.cli.preset_options import chosen_meteor, make_scorer, note_default
from meteorlib.cli.progress import Bar, progress, progress_of
from meteorlib.cli.stdout import standard_output
from meteorlib.cli.system_comparison import Wanted
from meteorlib.cli.system_files import baseline_of, notes_of, opened_systems, references_of
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.parallel import score_stream
from meteorlib.files.column_choice import ColumnChoice
from meteorlib.files.source_texts import source_texts
from meteorlib.scorer import Scorer

STANDARD_OUTPUT = "-"


@click.command(short_help="Make a page that shows why systems have their scores.")
@scored_systems
@joined_tables
@click.option("-o", "--output", required=True, metavar="FILE", help="The page, such as report.html; - prints it.")
@click.option("--force", is_flag=True, help="Replace FILE even if it is no report.")
@click.option("--source", metavar="FILE", help="Source texts, shown beside the segments.")
@click.option("--source-column", metavar="NAME", help="Their column, of FILE or else of HYP or REF.")
@click.option("--title", metavar="TEXT", default="METEOR report", help="Heading of the page.")
@chosen_meteor
@compared
@click.option(
    "--jobs",
    metavar="N",
    type=Whole(min=1),
    default=1,
    help="Score with so many processes.",
)
def report(
    hypotheses: Sequence[str],
    references: Sequence[str],
    runs: Sequence[str],
    choice: ColumnChoice,
    output: str,
    force: bool,
    source: str | None,
    source_column: str | None,
    title: str,
    preset: str | None,
    config: str | None,
    jobs: int,
    **said: Any,
) -> None:
    """Make a page of HTML that shows how systems score, where they differ, and why.

    Each HYP is a system, read against REF as by `meteorlib score`. The page is one file that opens without a network.
    A report that has its name is replaced; any other file only with --force.
    """
    from meteorlib.analysis.significance import compare_systems  # noqa: PLC0415 – likewise
    from meteorlib.reports.html.page import GENERATOR_TAG, html_report  # noqa: PLC0415 – loads what only reports need

    if not hypotheses and not runs:
        raise click.UsageError("Missing argument 'HYP...'.", click.get_current_context(silent=True))
    target = None if output == STANDARD_OUTPUT else Target.of(output, GENERATOR_TAG, force=force)
    scorer = make_scorer(preset, config)
    inputs = opened_systems(hypotheses, runs, references, choice, () if source is None else (source,))
    wanted = Wanted(mean=False, **said)
    baseline = baseline_of(wanted.baseline, inputs)
    listed = [one for each in inputs.values() for one in each]
    sources = None
    if source is not None or source_column is not None:
        sources = source_texts(listed[0].joined, source, source_column, choice.dialect, listed[0].count)
    for note in notes_of(inputs):
        click.echo(note, err=True)
    note_default(preset, config)
    with few_collections():
        with progress("scoring", sum(one.count for one in listed)) as bar:
            systems = {name: [_scored(scorer, one, jobs, bar) for one in each] for name, each in inputs.items()}
        with progress_of("resampling") as bar_of:
            comparison = compare_systems(systems, baseline=baseline, progress=bar_of, **wanted.settings())
        with progress_of("drawing") as bar_of:
            each = references_of(inputs)
            page = html_report(systems, comparison, title=title, sources=sources, references=each, progress=bar_of)
    if target is None:
        out = standard_output()
        out.write(page)
        out.flush()
        return
    target.write(page)
    click.echo(f"{output}: {len(page.encode()) / 1e6:.1f} MB; open it in a browser", err=True)


def _scored(scorer: Scorer, inputs: Inputs, jobs: int, bar: Bar) -> Corpus:
    corpus = scorer.corpus()
    for batch in score_stream(scorer, inputs.pieces(), jobs, _itself):
        for scored in batch.rendered:
            corpus.add_breakdown(scored)
        bar(len(batch.rendered))
    return corpus


def _itself(number: int, scored: ScoreBreakdown) -> ScoreBreakdown:  # noqa: ARG001 – all segments alike
    return scored
