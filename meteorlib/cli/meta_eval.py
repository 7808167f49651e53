"""The command ``meteorlib meta-eval``: agreement of metrics with human judgments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from meteorlib.cli.command import Command
from meteorlib.cli.garbage_collection import rare_garbage_collection
from meteorlib.cli.judgment_options import judgment_options, resampling_options
from meteorlib.cli.notes import Notes
from meteorlib.cli.number_types import Whole
from meteorlib.cli.options import format_option
from meteorlib.cli.output_file import Target
from meteorlib.cli.preset_options import make_scorer
from meteorlib.cli.progress import progress, progress_of
from meteorlib.cli.streams import standard_output
from meteorlib.errors import InputMismatch
from meteorlib.reports.human_judgments import SHORT, STATISTICS
from meteorlib.resources.store.atomic_file import write_atomically

if TYPE_CHECKING:
    from meteorlib.analysis.meta_evaluation import Judgments, MetaEvaluation, Metric
    from meteorlib.inputs.judgment_tables import Asked
    from meteorlib.scorer import Scorer

_FORMATS = ("text", "tsv", "json", "markdown")

_STATISTICS = tuple(dict.fromkeys(name for names in STATISTICS.values() for name in names))


@click.command(
    "meta-eval",
    cls=Command,
    short_help="Measure how well metrics agree with human judgments.",
    examples=(
        "meteorlib meta-eval ratings.tsv -p meteor-2005 -p nltk",
        "meteorlib meta-eval ratings.tsv -p meteor-2005 --human-column adequacy --statistic spearman",
    ),
    topics=("meta-eval",),
)
@click.argument("data", metavar="DATA")
@click.option("-p", "--preset", "presets", multiple=True, metavar="NAME", help="Built-in preset; repeatable.")
@click.option("--config", "configs", multiple=True, metavar="FILE[:NAME]", help="Preset from a YAML file; repeatable.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[=FILE]",
    help="Another metric: bleu, chrf, chrf++ or ter by sacrebleu, a column of DATA, or a table of scores.",
)
@click.option("--baseline", metavar="NAME", help="Metric to compare the others with.  [default: the first]")
@click.option("--systems", default="", metavar="FILE", help="Table of human scores per system.")
@judgment_options
@resampling_options("intervals")
@click.option(
    "--statistic",
    type=click.Choice([*_STATISTICS, *SHORT]),
    callback=lambda _context, _option, name: SHORT.get(name, name),
    metavar="NAME",
    help=f"Statistic to show: {', '.join(_STATISTICS)}; "
    f"{', '.join(f'{short} is {name}' for short, name in SHORT.items())}.  "
    f"[default: {', '.join(f'{names[0]} of {level}' for level, names in STATISTICS.items())}]",
)
@click.option("--all", "every", is_flag=True, help="Show every statistic; tsv and json always do.")
@click.option("--jobs", metavar="N", type=Whole(min=1), default=1, help="Number of parallel processes.")
@click.option("--html", metavar="FILE", help="Also write an HTML page with charts.")
@click.option("--svg", metavar="FOLDER", help="Also write an SVG chart for each metric.")
@click.option("--force", is_flag=True, help="Let --html replace an existing FILE that is not a report.")
@format_option(_FORMATS)
def meta_eval(
    data: str,
    presets: Sequence[str],
    configs: Sequence[str],
    metrics: Sequence[str],
    baseline: str | None,
    asked: Asked,
    samples: int,
    seed: int,
    confidence: float,
    statistic: str | None,
    every: bool,
    jobs: int,
    html: str | None,
    svg: str | None,
    force: bool,
    form: str,
) -> None:
    """Measure how well metrics agree with human judgments of texts.

    DATA is a table with texts, references and ratings. If --pairs or --systems names the judgments, it needs no
    ratings. DATA can also be a folder of WMT rankings (LP.segments.tsv, LP.hyps.tsv, LP.pairs.tsv) or of METEOR's
    trainer (LP.SYSTEM.sgm, LP.ref.sgm, X.rank; or X.tst, X.ref, X.ter), or a test set of mt-metrics-eval. Use
    options to name columns with unusual names. Alignments are cached, so each text is aligned only once.
    """
    from meteorlib.analysis.meta_evaluation import meta_evaluate, read_judgments  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.checks import check_people  # noqa: PLC0415 – as above
    from meteorlib.inputs.judgments import check_used  # noqa: PLC0415 – as above
    from meteorlib.reports.html.page import GENERATOR_TAG  # noqa: PLC0415 – as above

    if not (presets or configs or metrics):
        raise click.UsageError("name a METEOR by --preset or --config, or another metric by --metric")
    page = None if html is None else Target.of(html, GENERATOR_TAG, force=force)
    folder = None if svg is None else _folder(svg)
    if statistic and (every or form in ("tsv", "json")):
        raise click.UsageError(f"{'--all' if every else f'--format {form}'} has every statistic; leave out --statistic")
    check_used([data], asked, scores=any("=" in one for one in metrics))
    judgments = read_judgments(data, asked)
    for one in judgments:
        check_people(one)
    if statistic:
        _check_statistic(statistic, judgments)
    with rare_garbage_collection():
        scorers = [*(make_scorer(name, None) for name in presets), *(make_scorer(None, name) for name in configs)]
        meteors = _meteor_metrics(scorers, judgments, jobs)
        others = _other_metrics(metrics, data, judgments, asked)
        scored = [*meteors, *others]
        with progress_of("resampling") as bar:
            found = meta_evaluate(
                judgments, scored, baseline=baseline, samples=samples, seed=seed, confidence=confidence, progress=bar
            )
    notes = Notes([scorer.config for scorer in scorers], [one.name for one in others if one.signature], option=False)
    notes.say(*found.notes)
    notes.look_at_judged(data, judgments)
    notes.on_escapes()
    notes.on_languages(one.name for one in judgments)
    if page is not None or folder is not None:
        _draw(judgments, scored, found, page, folder)
    out = standard_output()
    out.write(_report(found, form, statistic or "", every=every))
    out.flush()


def _check_statistic(statistic: str, judgments: Sequence[Judgments]) -> None:
    from meteorlib.analysis.meta_evaluation.levels import levels_of  # noqa: PLC0415 – loads numpy

    known = dict.fromkeys(key for one in judgments for level in levels_of(one) for key in STATISTICS[level.kind])
    if statistic not in known:
        raise InputMismatch(f"--statistic {statistic}: not defined for these judgments; choose from {', '.join(known)}")


def _folder(name: str) -> Path:
    folder = Path(name)
    if not name or (folder.exists() and not folder.is_dir()):
        raise InputMismatch(f"--svg {name}: is not a folder; name a folder, which is created if needed")
    return folder


def _draw(
    judgments: Sequence[Judgments],
    metrics: Sequence[Metric],
    found: MetaEvaluation,
    page: Target | None,
    folder: Path | None,
) -> None:
    from meteorlib.analysis.meta_evaluation.charts import charts_of  # noqa: PLC0415 – loads numpy
    from meteorlib.reports.html.agreement import agreement_page, file_names, svg_file  # noqa: PLC0415 – as above

    charts = [*charts_of(judgments, metrics)]
    if page is not None:
        page.write(agreement_page(found, charts))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, chart in zip(file_names(charts), charts, strict=True):
            write_atomically(folder / name, svg_file(chart).encode())


def _report(found: MetaEvaluation, form: str, statistic: str, *, every: bool) -> str:
    from meteorlib.reports.human_judgments import (  # noqa: PLC0415 – loads numpy
        agreement_json,
        agreement_markdown,
        agreement_text,
        agreement_tsv,
    )

    if form in ("tsv", "json"):
        return (agreement_tsv if form == "tsv" else agreement_json)(found)
    return (agreement_markdown if form == "markdown" else agreement_text)(found, statistic, every=every)


def _meteor_metrics(scorers: Sequence[Scorer], judgments: Sequence[Judgments], jobs: int) -> list[Metric]:
    from meteorlib.analysis.meta_evaluation import meteor  # noqa: PLC0415 – loads numpy

    count = len(scorers) * sum(len(one.texts) for one in judgments)
    with progress("scoring", count) as bar:
        return [meteor(scorer, judgments, jobs=jobs, progress=bar) for scorer in scorers]


def _other_metrics(metrics: Sequence[str], data: str, judgments: Sequence[Judgments], asked: Asked) -> list[Metric]:
    from meteorlib.analysis.meta_evaluation.metric_scores import has_column, read_metric  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.sacrebleu import SACREBLEU, sacrebleu_metric  # noqa: PLC0415 – as above
    from meteorlib.inputs.judgments import is_mt_metrics_eval  # noqa: PLC0415 – for other metrics only

    count = sum(len(one.texts) for one in judgments)
    found = []
    for given in metrics:
        name, equals, file = given.partition("=")
        if not name or (equals and not file):
            raise click.UsageError(
                f"--metric {given}: expected NAME=FILE, a column of DATA, or one of {', '.join(SACREBLEU)}"
            )
        if not equals and name.lower() in SACREBLEU and not has_column(name, data, asked):
            with progress(f"scoring {name}", count) as bar:
                found.append(sacrebleu_metric(name, judgments, progress=bar))
            continue
        if not equals and Path(data).is_dir() and not is_mt_metrics_eval(Path(data)):
            raise InputMismatch(
                f"--metric {given}: {data} is a folder, which has no columns; use NAME=FILE, or one of "
                f"{', '.join(SACREBLEU)}"
            )
        found.append(read_metric(name, file or data, "" if equals else name, judgments, asked))
    return found
