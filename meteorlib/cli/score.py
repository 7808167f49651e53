"""The command ``meteorlib score``: score files of hypotheses and compare systems."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from meteorlib.analysis.results import Settings
from meteorlib.cli.command import SacrebleuOptions
from meteorlib.cli.input_options import SystemFiles, group_option, system_options, table_options
from meteorlib.cli.options import (
    ScorerChoice,
    Whole,
    comparison_options,
    format_option,
    gathered,
    jobs_option,
    metric_option,
    preset_options,
)
from meteorlib.cli.streams import limit_threads, note, progress, progress_of, rare_garbage_collection, standard_output
from meteorlib.corpus.parallel import Render
from meteorlib.display.text import DIGITS
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.system import Inputs
from meteorlib.inputs.systems import (
    Systems,
    baseline_of,
    declared_languages,
    ids_of,
    notes_of,
    only_language,
    open_systems,
    order_of,
    watched,
)
from meteorlib.reports.system_scoring import SystemScoring
from meteorlib.reports.system_table import FORMATS, writer
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.analysis.mbr import Choice

EXACT = ("json", "tsv")
"""Formats for programs, which have every number as it is."""

_LISTING = ("text", "json", "tsv")
"""Formats that can list segments; the others always have intervals."""


@frozen
class Layout:
    """Options of the output."""

    verbose: bool
    segments: bool
    form: str
    width: int | None
    percent: bool
    columns: str | None
    full_signature: bool
    score_only: bool

    def check(self, metrics: Sequence[str]) -> None:
        """Check that each option that was given has an effect."""
        exact = f"{self.form} has unrounded scores from 0 to 1"
        for_people = {
            "--percent": (self.percent and not self.score_only, exact),
            "--columns": (self.columns is not None, exact),
            "--full-signature": (self.full_signature, f"{self.form} has it always"),
        }
        for option, (given, otherwise) in for_people.items():
            if given and self.form in EXACT:
                raise click.UsageError(f"{option} is for --format text, markdown and latex; {otherwise}")
        more = {"--verbose": self.verbose, "--metric": bool(metrics), "--columns": self.columns is not None}
        more["--full-signature"] = self.full_signature
        for option, given in more.items():
            if given and self.score_only:
                raise click.UsageError(
                    f"{option} cannot be combined with --score-only, which prints nothing but the METEOR score"
                )
        if self.verbose and self.form != "text":
            raise click.UsageError(f"--verbose is for --format text, not {self.form}")

    def options(self) -> dict[str, Any]:
        """The options of `meteorlib.reports.system_table.Results`."""
        columns = () if self.columns is None else tuple(name.strip() for name in self.columns.split(","))
        width = (2 if self.percent else DIGITS) if self.width is None else self.width
        segments = self.segments and not self.score_only
        return {
            "columns": columns, "width": width, "percent": self.percent, "verbose": self.verbose, "segments": segments,
        }  # fmt: skip

    def line(self, *, compared: bool) -> Render[str] | None:
        """The function that writes the line of a segment; None if none is written while segments are scored."""
        options = self.options()
        line = writer(self.form, "segment") if options["segments"] else None
        if line is None or self.form != "text":
            return line
        # a table has the scores of all systems in a row
        return None if compared else partial(line, width=options["width"], scale=100 if self.percent else 1)


@click.command(
    cls=SacrebleuOptions,
    short_help="Score files of hypotheses against references, and compare systems.",
    examples=(
        "meteorlib score hyp.txt -r ref.txt",
        "meteorlib score Ours=a.txt Baseline=b.txt -r ref.txt --preset meteor-1.5-en-core -f latex",
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
@click.option("--nbest", multiple=True, metavar="FILE", help="N-best lists of a system, as Moses writes them.")
@click.option("--oracle", is_flag=True, help="Score the best hypothesis of each n-best list, and list it.")
@preset_options
@table_options
@group_option
@comparison_options
@metric_option
@click.option("--mean", is_flag=True, help="Compare means of segment scores instead of corpus scores.")
@gathered(
    "layout",
    Layout,
    click.option(
        "-v", "--verbose", is_flag=True, help="Also print the parts of the score: precision, fragmentation, matches, …."
    ),
    click.option("--segments", is_flag=True, help="Also list every segment's score."),
    format_option(FORMATS),
    click.option(
        "-w",
        "--width",
        metavar="N",
        type=Whole(0, 15),
        help="Digits after the decimal point; not for json and tsv.  [default: 4; 2 with --percent]",
    ),
    click.option("--percent", is_flag=True, help="Print scores from 0 to 100, as for BLEU; not for json and tsv."),
    click.option(
        "--columns",
        metavar="A,B,…",
        help="Columns of the comparison to print, such as score,ci,p; not for json and tsv.",
    ),
    click.option("--full-signature", is_flag=True, help="Print the whole signature in tables, not its digest."),
    click.option("-b", "--score-only", is_flag=True, help="Print only the score, one line per system."),
)
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@jobs_option("threads or processes", shown=True)
def score(
    files: SystemFiles,
    choice: ColumnChoice,
    chosen: ScorerChoice,
    settings: Settings,
    layout: Layout,
    metrics: Sequence[str],
    **run: Any,
) -> None:
    """Score each HYP, the output of a system (or NAME=HYP), against the references in REF.

    Files have one segment per line, in UTF-8; tables, SGML, XML and compressed files are read, too, and `-` is standard
    input. The score is computed from statistics summed over all segments. Several systems are compared with confidence
    intervals, paired tests and ranks. `meteorlib help many-systems` lists those of sacrebleu's options that work.
    """
    named = files.named()
    layout.check(metrics)
    scorer = chosen.scorer()
    notes = Notes(note, [scorer.config], metrics, quiet=run["quiet"])
    began = monotonic()
    systems: Systems = watched(open_systems(named, files.all_references, choice), notes)
    notes.say(*notes_of(systems))
    chosen.note_default(notes)
    declared = declared_languages(systems)
    notes.on_languages(declared)
    several = files.runs or sum(map(len, systems.values())) > 1
    chosen_texts: dict[str, list[Choice]] = {}
    compared = bool(several or settings or layout.columns or metrics) or layout.form not in _LISTING
    if compared and layout.verbose:
        raise click.UsageError("--verbose is for one system; several are shown with intervals and tests")
    if layout.segments and layout.form not in _LISTING:
        raise click.UsageError(f"--segments is for --format {', '.join(_LISTING)}, not {layout.form}")
    if compared:
        settings["baseline"] = baseline_of(settings.get("baseline"), systems)
        limit_threads(run["jobs"])
    scoring = SystemScoring(
        scorer,
        notes,
        metrics,
        settings if compared else None,
        order_of(systems),
        run["jobs"],
        progress_of,
        only_language(declared),
    )
    if run["oracle"]:
        systems, chosen_texts = _oracles(systems, scorer)
        layout = evolve(layout, segments=layout.segments or not compared)
    with ExitStack() as held:
        with rare_garbage_collection():
            results, problems = scoring.table(systems, layout.line(compared=compared), held)
        results = evolve(results, **layout.options(), **_variant(scorer, chosen))
        results = evolve(results, short_signature="") if layout.full_signature else results
        results = evolve(results, ids=ids_of(systems), chosen=chosen_texts) if results.segments else results
        # all is written at the end: an error or an interruption on the way leaves no half of a result
        out = standard_output()
        if layout.score_only:
            out.writelines(f"{results.number(system.score)}\n" for system in results.comparison.systems)
        else:
            out.writelines(results.pieces(layout.form))
        out.flush()
    notes.say(*problems)
    notes.on_texts()
    notes.on_engine(monotonic() - began)


def _oracles(systems: Systems, scorer: Scorer) -> tuple[Systems, dict[str, list[Choice]]]:
    """The systems with the best text of each n-best list, and these choices."""
    from meteorlib.analysis.mbr import oracle  # noqa: PLC0415 – seldom needed

    found: dict[str, list[Inputs]] = {}
    chosen: dict[str, list[Choice]] = {}
    for name, (first, *others) in systems.items():
        joined = first.joined
        lists = joined.lists() if joined and not others else None
        if joined is None or lists is None:
            raise click.UsageError(f"--oracle is for n-best lists, as in --nbest FILE; {name} is none")
        with progress(f"choosing from {name}", first.count) as advance:
            chosen[name] = []
            for texts, pair in zip(lists, first.segments(), strict=True):
                chosen[name].append(oracle(texts, pair.references, scorer))
                advance(1)
        found[name] = [evolve(first, joined=joined.with_chosen(choice.index for choice in chosen[name]))]
    return found, chosen


def _variant(scorer: Scorer, chosen: ScorerChoice) -> dict[str, Any]:
    """Description and source of a preset; none for a user's own, which inherits them from the preset it extends."""
    own = not scorer.engine.identity.is_builtin and (chosen.config is not None or chosen.text is not None)
    return {} if own else {"variant": scorer.config.description, "source": scorer.config.source}
