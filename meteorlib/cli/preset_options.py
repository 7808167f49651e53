"""The options ``--preset`` and ``--config``, and the scorer that they name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from meteorlib.cli.notes import Notes
from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.scorer import Scorer

DEFAULT_NOTE = (
    f"scored with METEOR 2005 ({DEFAULT_PRESET}). For METEOR 1.5, as used at WMT: run "
    "`meteorlib resources install paraphrase-en` once, then pass --preset meteor-1.5-en"
)


def preset_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `preset`, `config` and `unescape`, the arguments of `make_scorer`."""
    unescape = click.option(
        "--unescape",
        is_flag=True,
        help="Decode entities (&amp;), undo tokenization, compose accents, drop invisible characters.",
    )
    config = click.option(
        "--config", metavar="FILE[:NAME]", help="Preset from a YAML file; without NAME, the file's default."
    )
    preset = click.option(
        "-p",
        "--preset",
        metavar="NAME",
        help=f"Variant of METEOR, from `meteorlib presets list`.  [default: {DEFAULT_PRESET}]",
    )
    return preset(config(unescape(command)))


def note_default(preset: str | None, config: str | None, notes: Notes) -> None:
    """Print a note on the default preset at a terminal, if the options name none."""
    if preset is None and config is None and sys.stderr is not None and sys.stderr.isatty():
        notes.say(DEFAULT_NOTE)


def make_scorer(preset: str | None, config: str | None, *, unescape: bool = False) -> Scorer:
    """Make the scorer that ``--preset`` and ``--config`` name, with ``--unescape`` if wanted."""
    if config is None:
        return Scorer(DEFAULT_PRESET if preset is None else preset, unescape=unescape)
    if preset is not None:
        raise click.UsageError("--preset and --config exclude each other; name the preset as --config FILE:NAME")
    path, colon, name = config.rpartition(":")
    if not colon or Path(config).exists():
        return Scorer.from_file(config, unescape=unescape)
    return Scorer.from_file(path, name, unescape=unescape)
