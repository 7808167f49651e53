"""``meteorlib score``."""

from __future__ import annotations

import gc
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from meteorlib.cli.inputs import Inputs, format_option, grouped, scored_files
from meteorlib.cli.output import standard_output
from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import score_stream
from meteorlib.formats.choice import Choice
from meteorlib.reports.groups import groups_of
from meteorlib.reports.json import JsonReport
from meteorlib.reports.summary import Report, Summary
from meteorlib.reports.text import TextReport
from meteorlib.reports.tsv import TsvReport
from meteorlib.scorer import Scorer

LONG_INPUT = 2000
IN_MEMORY = 1 << 26

COLLECTED = 100_000
"""Objects made between two collections of cycles."""

WHICH_METEOR = (
    f"note: this is METEOR 2005 ({DEFAULT_PRESET}). For METEOR 1.5, the one that WMT used: --preset meteor-1.5-en "
    "(once before: meteorlib resources install paraphrase-en); all presets: meteorlib presets list"
)


_REPORTS: Mapping[str, Callable[[], Report]] = {"text": TextReport, "json": JsonReport, "tsv": TsvReport}


@click.command(short_help="Score a file of hypotheses against references.")
@scored_files
@click.option(
    "--preset", metavar="NAME", help=f"A built-in METEOR (see `meteorlib presets list`).  [default: {DEFAULT_PRESET}]"
)
@click.option("--config", metavar="FILE[:NAME]", help="A preset of a YAML file; without NAME its default.")
@grouped
@click.option("--segments", is_flag=True, help="Also give the score of every segment.")
@format_option(_REPORTS)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Score with so many threads or processes; the result is the same.",
)
def score(
    hypotheses: str,
    references: Sequence[str],
    choice: Choice,
    labels: Sequence[str],  # noqa: ARG001 – it is part of the choice
    preset: str | None,
    config: str | None,
    segments: bool,
    form: str,
    jobs: int,
) -> None:
    """Score the hypotheses in HYP against the references in REF, one segment a line, in UTF-8.

    `-` reads standard input; what is compressed (gzip, bzip2, xz, zstd) is unpacked. CSV, TSV, JSONL and Parquet are
    read by columns, SGML and WMT's XML as what they are (docs/inputs.md). Only LF and CRLF end a line. The corpus score
    is METEOR's: statistics summed over the segments, scored once.
    """
    scorer = make_scorer(preset, config)
    inputs = Inputs.open(hypotheses, references, choice)
    inputs.note_oddities()
    if preset is None and config is None:
        click.echo(WHICH_METEOR, err=True)
    corpus, groups = scorer.corpus(keep_segments=False), Groups(inputs.labels)
    report = TsvReport(grouped=True) if form == "tsv" and inputs.labels else _REPORTS[form]()
    # all is written at the end: an error or an interruption on the way leaves no half of a result
    with tempfile.SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="") as listed:
        render = report.segment if segments else None
        with _progress(inputs.count) as advance, _few_collections():
            for batch in score_stream(scorer, inputs.pieces(), jobs, render):
                corpus.add_totals(batch.totals)
                groups.add(batch.groups)
                listed.writelines(batch.rendered)
                advance(batch.totals.segment_count)
        summary = Summary(
            corpus.score(),
            corpus.segment_count,
            corpus.mean(),
            corpus.empty_hypotheses,
            corpus.empty_references,
            scorer.config.name,
            str(scorer.signature),
            inputs.references,
            groups_of(groups, scorer),
        )
        listed.seek(0)
        out = standard_output()
        out.write(report.head(summary, segments=segments))
        shutil.copyfileobj(listed, out)
        out.write(report.tail(summary, segments=segments))
        out.flush()
    _warn(corpus)


def make_scorer(preset: str | None, config: str | None) -> Scorer:
    """The scorer that ``--preset`` and ``--config`` name."""
    if config is None:
        return Scorer(DEFAULT_PRESET if preset is None else preset)
    if preset is not None:
        raise click.UsageError("--preset and --config exclude each other; name the preset as --config FILE:NAME")
    path, colon, name = config.rpartition(":")
    if not colon or Path(config).exists():
        return Scorer.from_file(config)
    return Scorer.from_file(path, name)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Scoring makes no cycles; to look for them among all that is known of references takes a twentieth of the time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _progress(count: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, for long input on a terminal."""
    if count < LONG_INPUT or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 – only where a bar is drawn
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("scoring", total=count)
        yield lambda done: progress.update(task, advance=done)


def _warn(corpus: Corpus) -> None:
    """Say what made segments score 0, or less than certain."""
    for count, what in (
        (corpus.empty_hypotheses, "had an empty hypothesis and scored 0"),
        (corpus.empty_references, "had an empty reference and scored 0"),
        (corpus.inexact, "were too ambiguous for the search's budget: their alignment is the best found"),
    ):
        if count:
            click.echo(f"note: {count} of {corpus.segment_count} segments {what}", err=True)
