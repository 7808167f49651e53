"""The command ``meteorlib score``: score files of hypotheses and compare systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

import click

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
from meteorlib.cli.single_system import make_report, score_one
from meteorlib.cli.streams import standard_output
from meteorlib.cli.system_comparison import FORMATS, ComparisonSettings, score_systems, systems_text
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.rows import DIGITS
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.systems import Systems, ids_of, notes_of, open_systems, references_of, watched
from meteorlib.scorer import Scorer

EXACT = ("json", "tsv")
"""Formats for programs, which have every number as it is."""

_REPORTS = ("text", "json", "tsv")
"""Formats for a single system; for several systems, the formats that can list segments."""


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
    labels: Sequence[str],
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
    ids = ids_of(systems) if segments and not score_only else ()
    if not (more or others or runs or settings.any_given or chosen or metrics) and form in _REPORTS:
        report = make_report(form, width, ids, grouped=bool(labels), percent=percent, verbose=verbose)
        only = (width, 100 if percent else 1) if score_only else None
        corpus = score_one(
            scorer, first, report, _variant(scorer.config, config), segments=segments, jobs=jobs, only=only
        )
        notes.say(*corpus.problems())
    else:
        if verbose:
            raise click.UsageError("--verbose is for one system; several are shown with intervals and tests")
        if segments and form not in _REPORTS:
            raise click.UsageError(f"--segments is for --format {', '.join(_REPORTS)}, not {form}")
        shown = partial(systems_text, form=form, width=width, segments=segments, ids=ids, score_only=score_only)
        shown = partial(shown, percent=percent, columns=chosen, metrics=scored_metrics(metrics, systems, notes))
        (first, *_), *_ = systems.values()
        shown = partial(shown, labels=first.segment_labels() if metrics else {})
        _score_several(scorer, systems, settings, shown, notes, jobs)
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


def _score_several(
    scorer: Scorer,
    systems: Systems,
    settings: ComparisonSettings,
    shown: Callable[..., str],
    notes: Notes,
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
            whose = name if len(listed) == 1 else f"{name}, run {number}"
            notes.say(*(f"{whose}: {problem}" for problem in output.corpus.problems()))
