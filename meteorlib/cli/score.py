"""The command ``meteorlib score``: score files of hypotheses and compare systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from time import monotonic
from typing import Any

import click
from attrs import evolve

from meteorlib.api import Scoring, with_metrics
from meteorlib.cli.garbage_collection import rare_garbage_collection
from meteorlib.cli.notes import Notes
from meteorlib.cli.number_types import Whole
from meteorlib.cli.options import (
    comparison_options,
    format_option,
    group_option,
    metric_option,
    named_systems,
    system_options,
    table_options,
)
from meteorlib.cli.other_metrics import scored_metrics
from meteorlib.cli.preset_options import make_scorer, note_default, preset_options
from meteorlib.cli.sacrebleu_options import SacrebleuOptions
from meteorlib.cli.streams import standard_output
from meteorlib.cli.system_comparison import ComparisonSettings, score_and_compare
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.schema import ScorerConfig
from meteorlib.display.text import DIGITS
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.systems import ids_of, notes_of, open_systems, watched
from meteorlib.reports.system_table import FORMATS, writer

EXACT = ("json", "tsv")
"""Formats for programs, which have every number as it is."""

_LISTING = ("text", "json", "tsv")
"""Formats that can list segments; the others always have intervals."""


@click.command(
    cls=SacrebleuOptions,
    short_help="Score files of hypotheses against references, and compare systems.",
    examples=(
        "meteorlib score hyp.txt -r ref.txt",
        "meteorlib score a.txt b.txt -r ref.txt --preset meteor-1.5-en-core -f latex",
    ),
    topics=("presets", "inputs", "many-systems"),
)
@system_options
@click.option(
    "-i",
    "--input",
    "inputs",
    multiple=True,
    metavar="HYP",
    help="System output, as in sacrebleu; positional files are then references.",
)
@preset_options
@table_options
@group_option
@comparison_options
@metric_option
@click.option("--mean", is_flag=True, help="Compare means of segment scores instead of corpus scores.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Also print the parts of the score: precision, fragmentation, matches, …."
)
@click.option("--segments", is_flag=True, help="Also list every segment's score.")
@format_option(FORMATS)
@click.option(
    "-w",
    "--width",
    metavar="N",
    type=Whole(0, 15),
    help="Digits after the decimal point; not for json and tsv.  [default: 4; 2 with --percent]",
)
@click.option("--percent", is_flag=True, help="Print scores from 0 to 100, as for BLEU; not for json and tsv.")
@click.option(
    "--columns", metavar="A,B,…", help="Columns of the comparison to print, such as score,ci,p; not for json and tsv."
)
@click.option("-b", "--score-only", is_flag=True, help="Print only the score, one line per system.")
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@click.option(
    "--jobs",
    metavar="N",
    type=Whole(min=1),
    default=1,
    show_default=True,
    help="Number of parallel threads or processes.",
)
def score(
    hypotheses: Sequence[str],
    references: Sequence[str],
    inputs: Sequence[str],
    runs: Sequence[str],
    choice: ColumnChoice,
    labels: Sequence[str],  # noqa: ARG001 – part of `choice`
    preset: str | None,
    config: str | None,
    unescape: bool,
    verbose: bool,
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
    """Score each HYP, the output of a system, against the references in REF.

    Files have one segment per line, in UTF-8; tables, SGML, XML and compressed files are read, too, and `-` is standard
    input. The score is computed from statistics summed over all segments. Several systems are compared with confidence
    intervals, paired tests and ranks. sacrebleu's options work as in sacrebleu.
    """
    if inputs:
        hypotheses, references = inputs, (*references, *hypotheses)
    if not hypotheses and not runs:
        raise click.UsageError("Missing argument 'HYP'.")
    settings = ComparisonSettings(**options)
    one_score = {"--verbose": verbose, "--metric": bool(metrics), "--columns": columns is not None}
    _check_options(
        form, {"--percent": percent and not score_only, "--columns": columns is not None}, one_score, score_only
    )
    chosen = tuple(name.strip() for name in columns.split(",")) if columns is not None else ()
    width = (2 if percent else DIGITS) if width is None else width
    scorer = make_scorer(preset, config, unescape=unescape)
    notes = Notes([scorer.config], metrics, quiet=quiet)
    began = monotonic()
    systems = watched(open_systems(named_systems(hypotheses, runs), references, choice), notes)
    notes.say(*notes_of(systems))
    note_default(preset, config, notes)
    (first, *more), *others = systems.values()
    notes.on_languages(first.language_pairs())
    compared = bool(more or others or runs or settings.any_given or chosen or metrics) or form not in _LISTING
    if compared and verbose:
        raise click.UsageError("--verbose is for one system; several are shown with intervals and tests")
    if segments and form not in _LISTING:
        raise click.UsageError(f"--segments is for --format {', '.join(_LISTING)}, not {form}")
    segments = segments and not score_only
    scored_by = scored_metrics(metrics, systems, notes)
    labels_of = first.segment_labels() if metrics else {}
    description, source = _variant(scorer.config, config)
    with ExitStack() as held:
        line = writer(form, "segment") if segments else None
        if line is not None and form == "text":  # a table has the scores of all systems in a row
            line = None if compared else partial(line, width=width, scale=100 if percent else 1)
        scoring = Scoring(scorer, line=line, jobs=jobs, held=held)
        with rare_garbage_collection():
            results, corpora = score_and_compare(scoring, systems, settings if compared else None)
            results = with_metrics(results, scored_by, labels_of)
        results = evolve(
            results, width=width, percent=percent, columns=chosen, segments=segments,
            ids=ids_of(systems) if segments else (), verbose=verbose, variant=description, source=source,
        )  # fmt: skip
        # all is written at the end: an error or an interruption on the way leaves no half of a result
        out = standard_output()
        if score_only:
            out.writelines(f"{results.number(system.score)}\n" for system in results.comparison.systems)
        else:
            out.writelines(results.pieces(form))
        out.flush()
    for name, listed in corpora.items():
        for number, corpus in enumerate(listed, 1):
            whose = name if len(listed) == 1 else f"{name}, run {number}"
            notes.say(*(f"{whose}: {problem}" if compared else problem for problem in corpus.problems()))
    notes.on_escapes()
    notes.on_engine(monotonic() - began)


def _variant(config: ScorerConfig, file: str | None) -> tuple[str, str]:
    """Description and source of a preset; empty for a user's own, which inherits them from the preset it extends."""
    own = file is not None and not (config.name in preset_names() and load_preset(config.name) == config)
    return ("", "") if own else (config.description, config.source)


def _check_options(form: str, for_people: Mapping[str, bool], more: Mapping[str, bool], score_only: bool) -> None:
    """Check that each option that was given has an effect.

    Args:
        form: the format.
        for_people: whether options were given that change how scores are written for people.
        more: whether options were given that print more than the score.
        score_only: whether nothing but the score is printed.

    Raises:
        click.UsageError: an option has no effect.
    """
    for option, given in for_people.items():
        if given and form in EXACT:
            raise click.UsageError(
                f"{option} is for --format text, markdown and latex; {form} has unrounded scores from 0 to 1"
            )
    for option, given in more.items():
        if given and score_only:
            raise click.UsageError(
                f"{option} cannot be combined with --score-only, which prints nothing but the METEOR score"
            )
    if more["--verbose"] and form != "text":
        raise click.UsageError(f"--verbose is for --format text, not {form}")
