"""The command ``meteorlib meta-eval``: agreement of metrics with human judgments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from meteorlib.analysis.results import METRICS, sacrebleu_choice
from meteorlib.cli.command import Command
from meteorlib.cli.input_options import judgment_options
from meteorlib.cli.options import ScorerChoice, format_option, gathered, jobs_option, resampling_options
from meteorlib.cli.output_files import Target
from meteorlib.cli.streams import note, progress, progress_of, rare_garbage_collection, standard_output
from meteorlib.core.languages import iso_code
from meteorlib.errors import InputMismatch
from meteorlib.inputs.judgment_tables import Asked
from meteorlib.inputs.notes import Notes
from meteorlib.reports.human_judgments import (
    SHORT,
    STATISTICS,
    agreement_json,
    agreement_markdown,
    agreement_text,
    agreement_tsv,
)
from meteorlib.reports.system_scoring import metric_and_file
from meteorlib.resources.store.shared_files import write_atomically

if TYPE_CHECKING:
    from meteorlib.analysis.meta_evaluation import Judgments, MetaEvaluation, Metric
    from meteorlib.scorer import Scorer

_FORMATS = ("text", "tsv", "json", "markdown")

_STATISTICS = tuple(dict.fromkeys(name for names in STATISTICS.values() for name in names))


@frozen
class _Shown:
    """Options of the output of ``meta-eval``."""

    statistic: str | None
    every: bool
    html: str | None
    svg: str | None
    force: bool
    form: str

    def check(self) -> tuple[Target | None, Path | None]:
        """The page and the folder to write."""
        from meteorlib.reports.html.template import GENERATOR_TAG  # noqa: PLC0415 – loads numpy

        page = None if self.html is None else Target.of(self.html, GENERATOR_TAG, force=self.force)
        folder = None if self.svg is None else Path(self.svg)
        if folder is not None and (not self.svg or (folder.exists() and not folder.is_dir())):
            raise InputMismatch(f"--svg {self.svg}: is not a folder; name a folder, which is created if needed")
        if self.statistic and (self.every or self.form in ("tsv", "json")):
            option = "--all" if self.every else f"--format {self.form}"
            raise click.UsageError(f"{option} has every statistic; leave out --statistic")
        return page, folder

    def check_statistic(self, judgments: Sequence[Judgments]) -> None:
        """Check that the statistic is defined for the judgments."""
        from meteorlib.analysis.meta_evaluation.levels import levels_of  # noqa: PLC0415 – loads numpy

        known = dict.fromkeys(key for one in judgments for level in levels_of(one) for key in STATISTICS[level.kind])
        if self.statistic and self.statistic not in known:
            raise InputMismatch(
                f"--statistic {self.statistic}: not defined for these judgments; choose from {', '.join(known)}"
            )

    def text(self, found: MetaEvaluation) -> str:
        """The results."""
        if self.form in ("tsv", "json"):
            return (agreement_tsv if self.form == "tsv" else agreement_json)(found)
        write = agreement_markdown if self.form == "markdown" else agreement_text
        return write(found, self.statistic or "", every=self.every)


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
    help="Another metric: bleu, chrf, chrf++, spbleu or ter by sacrebleu, a column of DATA, or a table of scores.",
)
@click.option("--baseline", metavar="NAME", help="Metric to compare the others with.  [default: the first]")
@click.option("--systems", default="", metavar="FILE", help="Table of human scores per system.")
@judgment_options
@resampling_options("intervals")
@gathered(
    "shown",
    _Shown,
    click.option(
        "--statistic",
        type=click.Choice([*_STATISTICS, *SHORT]),
        callback=lambda _context, _option, name: SHORT.get(name, name),
        metavar="NAME",
        help=f"Statistic to show: {', '.join(_STATISTICS)}; "
        f"{', '.join(f'{short} is {name}' for short, name in SHORT.items())}.  "
        f"[default: {', '.join(f'{names[0]} of {level}' for level, names in STATISTICS.items())}]",
    ),
    click.option("--all", "every", is_flag=True, help="Show every statistic; tsv and json always do."),
    click.option("--html", metavar="FILE", help="Also write an HTML page with charts."),
    click.option("--svg", metavar="FOLDER", help="Also write an SVG chart for each metric."),
    click.option("--force", is_flag=True, help="Let --html replace an existing FILE that is not a report."),
    format_option(_FORMATS),
)
@jobs_option("processes")
def meta_eval(
    data: str,
    presets: Sequence[str],
    configs: Sequence[str],
    metrics: Sequence[str],
    asked: Asked,
    shown: _Shown,
    **settings: Any,
) -> None:
    """Measure how well metrics agree with human judgments of texts.

    DATA is a table with texts, references and ratings. If --ratings, --pairs or --systems names the judgments, it
    needs no ratings. DATA can also be a folder of WMT rankings (LP.segments.tsv, LP.hyps.tsv, LP.pairs.tsv) or of
    METEOR's trainer (LP.SYSTEM.sgm, LP.ref.sgm, X.rank; or X.tst, X.ref, X.ter), or a test set of mt-metrics-eval. Use
    options to name columns with unusual names. Alignments are cached, so each text is aligned only once.
    """
    from meteorlib.analysis.meta_evaluation import meta_evaluate, read_judgments  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.judgments import check_people, look_at_judgments  # noqa: PLC0415 – as above
    from meteorlib.inputs.judgments import check_used  # noqa: PLC0415 – as above

    if not (presets or configs or metrics):
        raise click.UsageError("name a METEOR by --preset or --config, or another metric by --metric")
    page, folder = shown.check()
    check_used([data], asked, scores=any(metric_and_file(one)[1] for one in metrics))
    judgments = read_judgments(data, asked)
    for one in judgments:
        check_people(one)
    shown.check_statistic(judgments)
    chosen = [*map(ScorerChoice, presets), *(ScorerChoice(config=name) for name in configs)]
    with rare_garbage_collection():
        scorers = [one.scorer() for one in chosen]
        meteors = _meteor_metrics(scorers, judgments, settings.pop("jobs"))
        languages = {iso_code(scorer.config.language) or "" for scorer in scorers}
        language = languages.pop() if len(languages) == 1 else ""
        others = _other_metrics(metrics, data, judgments, asked, language)
        scored = [*meteors, *others]
        with progress_of("resampling") as bar:
            found = meta_evaluate(judgments, scored, progress=bar, **settings)
    notes = Notes(
        note, [scorer.config for scorer in scorers], [one.name for one in others if one.signature], option=False
    )
    notes.say(*found.notes)
    look_at_judgments(notes, {data: judgments})
    if page is not None or folder is not None:
        _draw(judgments, scored, found, page, folder)
    out = standard_output()
    out.write(shown.text(found))
    out.flush()


def _draw(
    judgments: Sequence[Judgments],
    metrics: Sequence[Metric],
    found: MetaEvaluation,
    page: Target | None,
    folder: Path | None,
) -> None:
    from meteorlib.analysis.meta_evaluation.results import charts_of  # noqa: PLC0415 – loads numpy
    from meteorlib.reports.html.agreement import agreement_page, file_names, svg_file  # noqa: PLC0415 – as above

    charts = [*charts_of(judgments, metrics)]
    if page is not None:
        page.write(agreement_page(found, charts))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, chart in zip(file_names(charts), charts, strict=True):
            write_atomically(folder / name, svg_file(chart).encode())


def _meteor_metrics(scorers: Sequence[Scorer], judgments: Sequence[Judgments], jobs: int) -> list[Metric]:
    from meteorlib.analysis.meta_evaluation import meteor  # noqa: PLC0415 – loads numpy

    count = len(scorers) * sum(len(one.texts) for one in judgments)
    with progress("scoring", count) as bar:
        return [meteor(scorer, judgments, jobs=jobs, progress=bar) for scorer in scorers]


def _other_metrics(
    metrics: Sequence[str], data: str, judgments: Sequence[Judgments], asked: Asked, language: str
) -> list[Metric]:
    from meteorlib.analysis.meta_evaluation.reading import has_column, read_metric  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.sacrebleu import sacrebleu_metric  # noqa: PLC0415 – as above
    from meteorlib.inputs.judgments import is_mt_metrics_eval  # noqa: PLC0415 – for other metrics only

    count = sum(len(one.texts) for one in judgments)
    found = []
    for given in metrics:
        name, file = metric_and_file(given)
        if not file and sacrebleu_choice(name) and not has_column(name, data, asked):
            with progress(f"scoring {name}", count) as bar:
                found.append(sacrebleu_metric(name, judgments, language, progress=bar))
            continue
        if not file and Path(data).is_dir() and not is_mt_metrics_eval(Path(data)):
            raise InputMismatch(
                f"--metric {given}: {data} is a folder, which has no columns; use NAME=FILE, or one of "
                f"{', '.join(METRICS)}"
            )
        found.append(read_metric(name, file or data, "" if file else name, judgments, asked))
    return found
