"""The command ``meteorlib tune``: parameters fitted to human judgments."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from meteorlib.cli.command import Command
from meteorlib.cli.input_options import judgment_options
from meteorlib.cli.options import ScorerChoice, Whole, format_option, gathered, jobs_option, resampling_options
from meteorlib.cli.output_files import Target
from meteorlib.cli.streams import note, progress_of, rare_garbage_collection, standard_output
from meteorlib.errors import InputMismatch
from meteorlib.inputs.judgment_tables import Asked
from meteorlib.inputs.notes import Notes
from meteorlib.reports.human_judgments import points_tsv, tuning_json, tuning_text

if TYPE_CHECKING:
    from meteorlib.analysis.meta_evaluation import Judgments


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
    from meteorlib.analysis.meta_evaluation.judgments import look_at_judgments  # noqa: PLC0415 – loads numpy
    from meteorlib.analysis.tuning import tune as tuned  # noqa: PLC0415 – as above
    from meteorlib.analysis.tuning.results import MARK, preset_text  # noqa: PLC0415 – as above

    if base == ScorerChoice():
        raise click.UsageError("name the preset to start from by --preset or --config")
    target = Target.of(files.output, MARK, force=files.force, kind="preset written by meteorlib tune")
    listed = None if files.points is None else Target.of(files.points, "", force=files.force)
    scorer = base.scorer()
    judgments = _read(data, asked)
    fit = [name for given in fits for name in given.split(",") if name.strip()]
    with rare_garbage_collection(), _Bars() as bars:
        found = tuned(scorer, judgments, fit, name=files.name or _name(files.output), progress=bars, **settings)
    notes = Notes(note, [scorer.config], option=False)
    notes.say(*found.notes)
    look_at_judgments(notes, dict(zip(data, judgments.values(), strict=True)))
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
