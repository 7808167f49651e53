"""The command ``meteorlib compare-presets``: score a text under several presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click
from attrs import evolve

from meteorlib.analysis.comparison import Comparison, compare
from meteorlib.cli.command import Command
from meteorlib.cli.input_options import file_options
from meteorlib.cli.options import Whole, format_option
from meteorlib.cli.streams import note, progress, standard_output
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.loader import PresetFile
from meteorlib.config.nodes import unknown_preset
from meteorlib.config.schema import ScorerConfig
from meteorlib.corpus.corpus import problems
from meteorlib.display.text import left_out_notes
from meteorlib.errors import InputMismatch, ResourceMissing
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.system import Inputs
from meteorlib.reports.preset_comparison import LeftOut, comparison_json, comparison_text, comparison_tsv
from meteorlib.scorer import Scorer

DEFAULT_PRESETS = (
    "meteor-2005",
    "nltk",
    "meteor-1.5-en-core",
    "meteor-1.5-en",
    "meteor-1.5-en-adq",
    "meteor-1.5-en-universal",
)

_REPORTS: Mapping[str, Callable[[Comparison, LeftOut], str]] = {
    "text": comparison_text,
    "json": comparison_json,
    "tsv": comparison_tsv,
}


@click.command(
    "compare-presets",
    cls=Command,
    short_help="Score one text under several presets and explain the differences.",
    examples=(
        "meteorlib compare-presets hyp.txt -r ref.txt",
        "meteorlib compare-presets hyp.txt -r ref.txt --presets nltk,meteor-2005 --worst 1",
    ),
    topics=("presets",),
)
@file_options
@click.option(
    "--presets",
    metavar="A,B,…",
    help=f"Presets to compare, built in or from --config.  [default: those of --config, {', '.join(DEFAULT_PRESETS)}]",
)
@click.option("--config", metavar="FILE", help="YAML file with your own presets.")
@click.option(
    "--worst",
    metavar="N",
    type=Whole(min=0),
    default=5,
    show_default=True,
    help="Number of segments to explain, largest differences first.",
)
@format_option(_REPORTS)
def compare_presets(
    hypotheses: str,
    references: Sequence[str],
    choice: ColumnChoice,
    presets: str | None,
    config: str | None,
    worst: int,
    form: str,
) -> None:
    """Score HYP against the references under each preset and explain why the scores differ.

    Presets whose language data is not installed are skipped, with a note. The differences are attributed to the parts
    of a preset (text, stages, search, parameters, references) by replacing one part at a time.
    """
    configs = _configs(presets, config)
    scorers, left_out = _scorers(configs)
    inputs = Inputs.open(references, hypotheses, choice)
    with progress("comparing", 2 * inputs.count) as bar:
        comparison = compare(scorers, inputs.segments, worst, bar)
    if inputs.joined and (field := inputs.joined.order.resegmenter):
        signed = tuple(evolve(preset, signature=f"{preset.signature}|{field}") for preset in comparison.presets)
        comparison = evolve(comparison, presets=signed)
    notes = Notes(note, [scorer.config for scorer in scorers], option=False)
    notes.say(*left_out_notes(left_out))
    notes.say(*inputs.notes())
    inputs.look(notes)
    notes.on_languages(dict(inputs.languages()))
    notes.on_texts()
    for preset in comparison.presets:
        empty = preset.empty_hypotheses, preset.empty_references
        notes.say(*problems(preset.scored.statistics, *empty, 0, comparison.segment_count))
    for preset in comparison.presets:
        if not preset.scored.optimal:
            notes.say(f"{preset.preset}: some segments hit the search's budget; the best found is shown")
    out = standard_output()
    out.write(_REPORTS[form](comparison, left_out))
    out.flush()


def _configs(names: str | None, path: str | None) -> dict[str, ScorerConfig]:
    """Configurations by name, without duplicates, in the order given."""
    file = None if path is None else PresetFile.read(path)
    own = () if file is None else file.names
    if names is None:
        chosen = [*own, *(name for name in DEFAULT_PRESETS if name not in own)]
    else:
        chosen = [stripped for name in names.split(",") if (stripped := name.strip())]
        if len(set(chosen)) < 2:
            raise click.UsageError("--presets needs at least two names, with commas between them")
    for name in chosen:
        if name not in own and name not in preset_names():
            raise unknown_preset(name, own, preset_names())
    loaded = {} if file is None else file.load(name for name in chosen if name in own)
    return {name: loaded[name] if name in own else load_preset(name) for name in chosen}


def _scorers(configs: Mapping[str, ScorerConfig]) -> tuple[list[Scorer], dict[str, ResourceMissing]]:
    """Scorers for configurations whose data is installed, and the missing data of the others by name."""
    scorers, left_out = [], {}
    for name, config in configs.items():
        try:
            scorers.append(Scorer(config))
        except ResourceMissing as missing:
            left_out[name] = missing
    if len(scorers) < 2:
        lacking = [f"{name}: {missing}" for name, missing in left_out.items()]
        raise InputMismatch("fewer than two of the presets can run, so there is nothing to compare", *lacking)
    return scorers, left_out
