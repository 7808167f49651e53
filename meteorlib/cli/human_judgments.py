"""The commands ``meta-eval`` and ``tune``: agreement of metrics with human judgments, and parameters fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from meteorlib.cli.command import Command
from meteorlib.cli.options import (
    Decorator,
    Real,
    ScorerChoice,
    Whole,
    check_level,
    column_options,
    format_option,
    gathered,
    jobs_option,
    options,
)
from meteorlib.cli.output_files import Target
from meteorlib.cli.streams import note, progress, progress_of, rare_garbage_collection, standard_output
from meteorlib.errors import InputMismatch
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.judgment_tables import Asked, Columns
from meteorlib.inputs.notes import Notes
from meteorlib.reports.human_judgments import (
    SHORT,
    STATISTICS,
    agreement_json,
    agreement_markdown,
    agreement_text,
    agreement_tsv,
    points_tsv,
    tuning_json,
    tuning_text,
)
from meteorlib.resources.store.atomic_file import write_atomically

if TYPE_CHECKING:
    from meteorlib.analysis.meta_evaluation import Judgments, MetaEvaluation, Metric
    from meteorlib.scorer import Scorer


def judgment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading judgments, passed to the command as the argument `asked`."""

    @click.option(
        "--pairs", default="", metavar="FILE", help="Table of pairwise judgments: segment, better, worse, count."
    )
    @click.option("--human-column", "human", default="", metavar="NAME", help="Column of human ratings.")
    @click.option(
        "--segment-column",
        "segment_columns",
        multiple=True,
        metavar="NAME",
        help="Column(s) that identify a row's segment.",
    )
    @click.option("--system-column", "system", default="", metavar="NAME", help="Column of system names.")
    @click.option("--lp-column", "lp_column", default="", metavar="NAME", help="Column of language pairs.")
    @click.option("--lp", "lps", multiple=True, metavar="NAME", help="Use only this language pair; repeatable.")
    @click.option(
        "--several",
        type=click.Choice(["mean", "each"]),
        default="mean",
        show_default=True,
        help="For texts with several ratings: use their mean, or each rating.",
    )
    @click.option("--lower-is-better", is_flag=True, help="Ratings measure errors (such as HTER).")
    @column_options
    @wraps(command)
    def reading(choice: ColumnChoice, **given: Any) -> Any:
        if len(choice.hypotheses) > 1:
            raise click.UsageError("--hyp-column names one column; systems are in rows")
        systems, human = given.pop("systems", ""), given.pop("human")
        columns = Columns(
            given.pop("lp_column"), given.pop("segment_columns"), given.pop("system"), "".join(choice.hypotheses),
            choice.references, human,
        )  # fmt: skip
        several, lower, lps = given.pop("several"), given.pop("lower_is_better"), given.pop("lps")
        asked = Asked(given.pop("pairs"), systems, columns, choice.dialect, several, lower, lps)
        return command(asked=asked, **given)

    return reading


def resampling_options(what: str) -> Decorator:
    """Add the options `samples`, `seed` and `confidence`; `what` names the results of resampling, for the help."""
    return options(
        click.option("-n", "--n", "samples", metavar="N", type=Whole(min=2), default=1000,
                     show_default=True, help=f"Number of bootstrap samples for the {what}."),
        click.option("--seed", metavar="N", type=Whole(min=0), default=12345, show_default=True,
                     help="Random seed."),
        click.option("--confidence", metavar="LEVEL", type=Real(), callback=check_level, default=0.95,
                     show_default=True, help=f"Confidence level of the {what}."),
    )  # fmt: skip


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
        """The page and the folder to write.

        Raises:
            click.UsageError: an option has no effect.
            InputMismatch: one of them cannot be written.
        """
        from meteorlib.reports.html.page import GENERATOR_TAG  # noqa: PLC0415 – loads numpy

        page = None if self.html is None else Target.of(self.html, GENERATOR_TAG, force=self.force)
        folder = None if self.svg is None else Path(self.svg)
        if folder is not None and (not self.svg or (folder.exists() and not folder.is_dir())):
            raise InputMismatch(f"--svg {self.svg}: is not a folder; name a folder, which is created if needed")
        if self.statistic and (self.every or self.form in ("tsv", "json")):
            option = "--all" if self.every else f"--format {self.form}"
            raise click.UsageError(f"{option} has every statistic; leave out --statistic")
        return page, folder

    def check_statistic(self, judgments: Sequence[Judgments]) -> None:
        """Check that the statistic is defined for the judgments.

        Raises:
            InputMismatch: it is not.
        """
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
    help="Another metric: bleu, chrf, chrf++ or ter by sacrebleu, a column of DATA, or a table of scores.",
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

    DATA is a table with texts, references and ratings. If --pairs or --systems names the judgments, it needs no
    ratings. DATA can also be a folder of WMT rankings (LP.segments.tsv, LP.hyps.tsv, LP.pairs.tsv) or of METEOR's
    trainer (LP.SYSTEM.sgm, LP.ref.sgm, X.rank; or X.tst, X.ref, X.ter), or a test set of mt-metrics-eval. Use
    options to name columns with unusual names. Alignments are cached, so each text is aligned only once.
    """
    from meteorlib.analysis.meta_evaluation import meta_evaluate, read_judgments  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.meta_evaluation.judgments import check_people, look_at_texts  # noqa: PLC0415 – as above
    from meteorlib.inputs.judgments import check_used  # noqa: PLC0415 – as above

    if not (presets or configs or metrics):
        raise click.UsageError("name a METEOR by --preset or --config, or another metric by --metric")
    page, folder = shown.check()
    check_used([data], asked, scores=any("=" in one for one in metrics))
    judgments = read_judgments(data, asked)
    for one in judgments:
        check_people(one)
    shown.check_statistic(judgments)
    chosen = [*map(ScorerChoice, presets), *(ScorerChoice(config=name) for name in configs)]
    with rare_garbage_collection():
        scorers = [one.scorer() for one in chosen]
        meteors = _meteor_metrics(scorers, judgments, settings.pop("jobs"))
        others = _other_metrics(metrics, data, judgments, asked)
        scored = [*meteors, *others]
        with progress_of("resampling") as bar:
            found = meta_evaluate(judgments, scored, progress=bar, **settings)
    notes = Notes(
        note, [scorer.config for scorer in scorers], [one.name for one in others if one.signature], option=False
    )
    notes.say(*found.notes)
    look_at_texts(notes, data, judgments)
    notes.on_escapes()
    notes.on_languages(one.name for one in judgments)
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


def _other_metrics(metrics: Sequence[str], data: str, judgments: Sequence[Judgments], asked: Asked) -> list[Metric]:
    from meteorlib.analysis.meta_evaluation.reading import has_column, read_metric  # noqa: PLC0415 – loads numpy
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


@frozen
class _Written:
    """The files that ``tune`` writes."""

    output: str
    name: str | None
    points: str | None
    force: bool
    require_gain: bool


@click.command(
    "tune",
    cls=Command,
    short_help="Fit parameters to human judgments.",
    examples=(
        "meteorlib tune ratings.tsv -p meteor-2005 --fit alpha,gamma --objective pearson -o tuned.yaml",
        "meteorlib tune ratings.tsv -p nltk --fit alpha=0.5:0.9:0.1 --method grid --objective pearson -o grid.yaml",
    ),
    topics=("tune",),
)
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@gathered(
    "base",
    ScorerChoice,
    click.option("-p", "--preset", metavar="BASE", help="Built-in preset to start from."),
    click.option("--config", metavar="FILE[:NAME]", help="Preset from a YAML file to start from."),
)
@click.option("--fit", "fits", multiple=True, required=True, metavar="NAME,…",
              help="Parameters to fit: alpha,weight.stem,search.width=20/40,… or beta=0:2:0.1.")  # fmt: skip
@gathered(
    "files",
    _Written,
    click.option("-o", "--output", required=True, metavar="FILE", help="YAML file to write the new preset to."),
    click.option("--name", metavar="NAME", help="Name of the new preset.  [default: the file's name]"),
    click.option("--require-gain", is_flag=True,
                 help="If there is no significant gain, write nothing and exit with status 1."),
    click.option("--points", metavar="FILE", help="Also write all settings that were tried, as TSV."),
    click.option("--force", is_flag=True, help="Replace an existing FILE."),
)  # fmt: skip
@click.option("--objective", metavar="SUM", default="tau", show_default=True,
              help="Agreement to maximize: tau_wmt14, tau (the same), tau_wmt12, tau_wmt13, accuracy, pearson, or a "
              "sum: 0.5*tau+0.5*pearson.")  # fmt: skip
@click.option("--method", type=click.Choice(["evolution", "grid"]), default="evolution", show_default=True,
              help="Search method; evolution needs scipy.")  # fmt: skip
@click.option("--folds", "by", type=click.Choice(["data", "lp", "document", "segment"]),
              help="Unit of cross-validation.  [default: the first of these with several values in DATA]")  # fmt: skip
@click.option("--fold-count", "folds", metavar="N", type=Whole(min=2), default=5, show_default=True,
              help="Number of folds of documents or segments.")  # fmt: skip
@click.option("--evaluations", metavar="N", type=Whole(min=1), default=2000, show_default=True,
              help="Maximum number of settings that evolution tries in each fold.")  # fmt: skip
@judgment_options
@resampling_options("interval")
@jobs_option("processes and threads")
@format_option(("text", "json"))
def tune(
    data: Sequence[str],
    base: ScorerChoice,
    fits: Sequence[str],
    files: _Written,
    asked: Asked,
    form: str,
    **settings: Any,
) -> None:
    """Fit parameters of a preset to human judgments, and measure the gain on held-out judgments.

    DATA is anything that `meteorlib meta-eval` reads; if there are several (such as years), each is held out in turn.
    The new preset is written to FILE, with a record of how it was made. If interrupted, run the command again: it
    continues.
    """
    from meteorlib.analysis.meta_evaluation.judgments import look_at_texts  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.tuning import tune as tuned  # noqa: PLC0415 – as above
    from meteorlib.analysis.tuning.results import MARK, preset_text  # noqa: PLC0415 – as above

    if base == ScorerChoice():
        raise click.UsageError("name the preset to start from by --preset or --config")
    target = Target.of(files.output, MARK, force=files.force, kind="preset written by meteorlib tune")
    listed = None if files.points is None else Target.of(files.points, "", force=files.force)
    scorer = base.scorer()
    judgments = _read(data, asked)
    fit = [one for given in fits for one in given.split(",") if one.strip()]
    with rare_garbage_collection(), _Bars() as bars:
        found = tuned(scorer, judgments, fit, name=files.name or _name(files.output), progress=bars, **settings)
    notes = Notes(note, [scorer.config], option=False)
    notes.say(*found.notes)
    for given, one in zip(data, judgments.values(), strict=True):
        look_at_texts(notes, given, one)
    notes.on_escapes()
    notes.on_languages(one.name for each in judgments.values() for one in each)
    written = found.gain.shown or not files.require_gain
    if written:
        target.write(preset_text(found))
    if listed is not None:
        listed.write(points_tsv(found))
    out = standard_output()
    out.write((tuning_json if form == "json" else tuning_text)(found))
    out.flush()
    if not written:
        raise click.ClickException(f"{files.output}: nothing was written, because no gain was shown")


def _read(data: Sequence[str], asked: Asked) -> dict[str, list[Judgments]]:
    from meteorlib.analysis.meta_evaluation import read_judgments  # noqa: PLC0415 – loads numpy
    from meteorlib.inputs.judgments import check_used  # noqa: PLC0415 – as above

    check_used(data, asked)
    found: dict[str, list[Judgments]] = {}
    for given in data:
        name = Path(given).name.partition(".")[0] or given
        if name in found:
            raise InputMismatch(f"{given}: data called {name} already exist; rename the files or folders")
        found[name] = read_judgments(given, asked)
    return found


def _name(output: str) -> str:
    """A preset's name, made from the name of its file."""
    kept = "".join(letter if letter.isalnum() or letter in "._+-" else "-" for letter in Path(output).stem)
    return kept[:60] or "tuned"


class _Bars(ExitStack):
    """Progress bars of successive steps, one at a time."""

    doing = ""
    advance: Any = None

    def __call__(self, doing: str, done: float, count: float) -> None:
        if doing != self.doing:
            self.close()
            self.doing, self.advance = doing, self.enter_context(progress_of(doing))
        self.advance(done, max(done, count))
