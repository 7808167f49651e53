"""The command ``meteorlib score``: score files of hypotheses and compare systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from io import StringIO
from typing import IO, Any

import click

from meteorlib.cli.escape_notes import EscapeWatch
from meteorlib.cli.garbage_collection import rare_garbage_collection
from meteorlib.cli.inputs import Inputs
from meteorlib.cli.number_types import Whole
from meteorlib.cli.options import (
    comparison_options,
    format_option,
    group_option,
    metric_option,
    system_options,
    table_options,
)
from meteorlib.cli.other_metrics import scored_metrics
from meteorlib.cli.preset_options import make_scorer, note_default, preset_options
from meteorlib.cli.progress import progress
from meteorlib.cli.sacrebleu_options import SacrebleuOptions
from meteorlib.cli.stdout import standard_output
from meteorlib.cli.system_comparison import FORMATS, ComparisonSettings, score_systems, systems_text
from meteorlib.cli.system_files import Systems, ids_of, notes_of, open_systems, references_of, watched
from meteorlib.core.rows import DIGITS
from meteorlib.corpus.corpus import Corpus
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import score_stream
from meteorlib.files.column_choice import ColumnChoice
from meteorlib.reports.groups import groups_of
from meteorlib.reports.json import JsonReport
from meteorlib.reports.summary import Report, Summary
from meteorlib.reports.text import TextReport
from meteorlib.reports.tsv import TsvReport
from meteorlib.resources.store.atomic_file import path_in_disk_errors
from meteorlib.scorer import Scorer

IN_MEMORY = 1 << 26

EXACT = ("json", "tsv")
"""Formats for programs, which have every number as it is."""

_REPORTS = ("text", "json", "tsv")
"""Formats for a single system; for several systems, the formats that can list segments."""


@click.command(cls=SacrebleuOptions, short_help="Score files of hypotheses against references, and compare systems.")
@system_options
@click.option(
    "-i",
    "--input",
    "inputs",
    multiple=True,
    metavar="HYP",
    help="System output, sacrebleu style; positional files are then references.",
)
@preset_options
@table_options
@group_option
@comparison_options
@metric_option
@click.option("--mean", is_flag=True, help="Compare mean segment scores, not corpus scores.")
@click.option("--segments", is_flag=True, help="Also list the score of every segment.")
@format_option(FORMATS)
@click.option(
    "-w",
    "--width",
    metavar="N",
    type=Whole(0, 15),
    help="Digits to print; not for json and tsv.  [default: 4; 2 with --percent]",
)
@click.option("--percent", is_flag=True, help="Print scores in percent; not for json and tsv.")
@click.option("--columns", metavar="A,B,…", help="Columns to print, such as score,ci,p; not for json and tsv.")
@click.option("-b", "--score-only", is_flag=True, help="Print only the score, one line per system.")
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@click.option(
    "--jobs",
    metavar="N",
    type=Whole(min=1),
    default=1,
    show_default=True,
    help="Number of threads or processes.",
)
def score(
    hypotheses: Sequence[str],
    references: Sequence[str],
    inputs: Sequence[str],
    runs: Sequence[str],
    choice: ColumnChoice,
    labels: Sequence[str],
    preset: str | None,
    config: str | None,
    unescape: bool,
    segments: bool,
    form: str,
    width: int | None,
    percent: bool,
    columns: str | None,
    score_only: bool,
    quiet: bool,
    jobs: int,
    metrics: Sequence[str],
    **options: Any,
) -> None:
    """Score each HYP, a system's output, against the references in REF: one segment per line, in UTF-8.

    `-` reads standard input. Compressed files are unpacked; tables are read by columns; SGML and XML are recognized
    (docs/inputs.md). Only LF and CRLF end a line. The corpus score is computed from statistics summed over the
    segments. Several systems are compared with intervals, paired tests and ranks (docs/many-systems.md). sacrebleu's
    options work as in sacrebleu.
    """
    if inputs:
        hypotheses, references = inputs, (*references, *hypotheses)
    if not hypotheses and not runs:
        raise click.UsageError("Missing argument 'HYP'.")
    settings = ComparisonSettings(**options)
    for option, given in (("--percent", percent and not score_only), ("--columns", columns is not None)):
        if given and form in EXACT:
            raise click.UsageError(
                f"{option} goes with --format text, markdown, latex: {form} has every number as it is"
            )
    for option, given in (("--metric", bool(metrics)), ("--columns", columns is not None)):
        if given and score_only:
            raise click.UsageError(f"{option} does not go with --score-only, which prints METEOR's score alone")
    chosen = tuple(name.strip() for name in columns.split(",")) if columns is not None else ()
    width = (2 if percent else DIGITS) if width is None else width
    scorer = make_scorer(preset, config, unescape=unescape)
    note = _ignore_note if quiet else partial(click.echo, err=True)
    systems = open_systems(hypotheses, runs, references, choice)
    for told in notes_of(systems):
        note(told)
    watch = EscapeWatch(scorer.config)
    if not quiet:
        note_default(preset, config)
        systems = watched(systems, watch)
    (first, *more), *others = systems.values()
    ids = ids_of(systems) if segments and not score_only else ()
    if not (more or others or runs or settings.any_given or chosen or metrics) and form in _REPORTS:
        report = _report(form, width, ids, grouped=bool(labels), percent=percent)
        only = (width, 100 if percent else 1) if score_only else None
        corpus = _score_one(scorer, first, report, segments=segments, jobs=jobs, only=only)
        _note_problems(corpus, note)
    else:
        if segments and form not in _REPORTS:
            raise click.UsageError(f"--segments goes with --format {', '.join(_REPORTS)}, not {form}")
        shown = partial(systems_text, form=form, width=width, segments=segments, ids=ids, score_only=score_only)
        shown = partial(shown, percent=percent, columns=chosen, metrics=scored_metrics(metrics, systems))
        _score_several(scorer, systems, settings, shown, note, jobs)
    for told in watch.notes():
        note(told)


def _score_several(
    scorer: Scorer,
    systems: Systems,
    settings: ComparisonSettings,
    shown: Callable[..., str],
    note: Callable[[str], object],
    jobs: int,
) -> None:
    """Score and compare systems, and print the text that `shown` makes of the results."""
    with rare_garbage_collection():
        comparison, outputs, groups = score_systems(scorer, systems, settings, jobs=jobs)
    out = standard_output()
    out.write(shown(comparison, outputs, groups, references=references_of(systems)))
    out.flush()
    for name, listed in outputs.items():
        for number, output in enumerate(listed, 1):
            _note_problems(output.corpus, note, f"{name}: " if len(listed) == 1 else f"{name}, run {number}: ")


def _report(form: str, width: int, ids: Sequence[str], *, grouped: bool, percent: bool) -> Report:
    if form == "text":
        return TextReport(width, ids, percent=percent)
    if form == "json":
        return JsonReport(ids)
    return TsvReport(ids, grouped=grouped)


def _segment_buffer(*, used: bool) -> IO[str]:
    """A buffer for the lines of segments, which are printed after all of them are scored."""
    if not used:
        return StringIO()
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 – slow to load

    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")


def _score_one(
    scorer: Scorer, inputs: Inputs, report: Report, *, segments: bool, jobs: int, only: tuple[int, int] | None
) -> Corpus:
    """Score a single system and print its report, or only its score, if `only` has its digits and factor."""
    corpus, groups = scorer.corpus(keep_segments=False), Groups(inputs.labels)
    render = report.segment if segments and only is None else None
    # all is written at the end: an error or an interruption on the way leaves no half of a result
    with _segment_buffer(used=render is not None) as listed:
        with progress("scoring", inputs.count) as advance, rare_garbage_collection():
            for batch in score_stream(scorer, inputs.batches(), jobs, render):
                corpus.add_totals(batch.totals)
                groups.add(batch.groups)
                with path_in_disk_errors():
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
        if only is None:
            out.write(report.head(summary, segments=segments))
            out.writelines(listed)
            out.write(report.tail(summary, segments=segments))
        else:
            out.write(f"{only[1] * summary.scored.score:.{only[0]}f}\n")
        out.flush()
    return corpus


def _note_problems(corpus: Corpus, note: Callable[[str], object], whose: str = "") -> None:
    """Print notes on empty segments and on alignments that may not be the best."""
    for count, what in (
        (corpus.empty_hypotheses, "had an empty hypothesis and scored 0"),
        (corpus.empty_references, "had an empty reference and scored 0"),
        (corpus.inexact, "were too ambiguous for the search's budget: their alignment is the best found"),
    ):
        if count:
            note(f"note: {whose}{count} of {corpus.segment_count} segments {what}")


def _ignore_note(_: str) -> None:
    """Drop a note."""
