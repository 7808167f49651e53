"""``meteorlib report``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from meteorlib.cli.familiar import check_level
from meteorlib.cli.inputs import Inputs, chosen_columns
from meteorlib.cli.progress import Bar, progress, progress_of
from meteorlib.cli.score import WHICH_METEOR, few_collections, make_scorer
from meteorlib.cli.systems import Wanted, notes_of, opened_systems
from meteorlib.cli.target import Target
from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.parallel import score_stream
from meteorlib.corpus.textfile import TextFile
from meteorlib.errors import InputMismatch
from meteorlib.formats.choice import Choice
from meteorlib.scorer import Scorer


@click.command(short_help="Make a page that shows why systems have their scores.")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="REF",
    help="References; repeat it for more.",
)
@chosen_columns
@click.option("-o", "--output", required=True, metavar="FILE", help="The page, such as report.html.")
@click.option("--force", is_flag=True, help="Replace FILE even if it is no report.")
@click.option("--source", metavar="FILE", help="Source texts, shown beside the segments.")
@click.option("--title", metavar="TEXT", default="METEOR report", help="Heading of the page.")
@click.option("--preset", metavar="NAME", help=f"A built-in METEOR.  [default: {DEFAULT_PRESET}]")
@click.option("--config", metavar="FILE[:NAME]", help="A preset of a YAML file.")
@click.option(
    "--paired",
    type=click.Choice(["bootstrap", "randomization", "none"]),
    metavar="TEST",
    help="bootstrap, randomization, none.  [default: randomization]",
)
@click.option(
    "-n", "--n", metavar="N", type=click.IntRange(min=2), help="Samples of intervals and test.  [default: 10000]"
)
@click.option("--seed", metavar="N", type=click.IntRange(min=0), help="Of the random numbers.  [default: 12345]")
@click.option(
    "--confidence", metavar="LEVEL", type=float, callback=check_level, help="Of the intervals.  [default: .95]"
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    help="Score with so many processes.",
)
def report(
    hypotheses: Sequence[str],
    references: Sequence[str],
    choice: Choice,
    output: str,
    force: bool,
    source: str | None,
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
    from meteorlib.reports.html import MARK, html_report  # noqa: PLC0415 – loads what only reports need
    from meteorlib.significance import compare_systems  # noqa: PLC0415 – likewise

    target = Target.of(output, MARK, force=force)
    scorer = make_scorer(preset, config)
    inputs = {name: one for name, (one,) in opened_systems(hypotheses, (), references, choice).items()}
    count = next(iter(inputs.values())).count
    sources = None if source is None else _sources(source, count)
    for note in notes_of({name: [one] for name, one in inputs.items()}):
        click.echo(note, err=True)
    if preset is None and config is None:
        click.echo(WHICH_METEOR, err=True)
    with few_collections():
        with progress("scoring", sum(one.count for one in inputs.values())) as bar:
            systems = {name: _scored(scorer, one, jobs, bar) for name, one in inputs.items()}
        settings = Wanted(baseline=None, mean=False, **said).settings()
        with progress_of("resampling") as bar_of:
            comparison = compare_systems(systems, progress=bar_of, **settings)
        with progress_of("drawing") as bar_of:
            counts = {one.references for one in inputs.values()}
            each = counts.pop() if len(counts) == 1 else None
            page = html_report(systems, comparison, title=title, sources=sources, references=each, progress=bar_of)
    target.write(page)
    click.echo(f"{output}: {len(page.encode()) / 1e6:.1f} MB; open it in a browser", err=True)


def _sources(name: str, count: int) -> list[str]:
    file = TextFile.open(name)
    if file.count != count:
        raise InputMismatch(f"{name}: a source must have a line for each segment; it has {file.count}, of {count}")
    return list(file.lines())


def _scored(scorer: Scorer, inputs: Inputs, jobs: int, bar: Bar) -> Corpus:
    corpus = scorer.corpus()
    for batch in score_stream(scorer, inputs.pieces(), jobs, _itself):
        for scored in batch.rendered:
            corpus.add_breakdown(scored)
        bar(len(batch.rendered))
    return corpus


def _itself(number: int, scored: ScoreBreakdown) -> ScoreBreakdown:  # noqa: ARG001 – all segments alike
    return scored
