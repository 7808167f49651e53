"""Which METEOR a command scores with: its options, and the scorer that they name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.scorer import Scorer

WHICH_METEOR = (
    f"note: scored with METEOR 2005 ({DEFAULT_PRESET}). For METEOR 1.5, as used at WMT: run "
    "`meteorlib resources install paraphrase-en` once, then pass --preset meteor-1.5-en"
)


def chosen_meteor(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `preset` and `config` of a command, for `make_scorer`."""
    config = click.option("--config", metavar="FILE[:NAME]", help="A preset of a YAML file; without NAME its default.")
    preset = click.option(
        "-p",
        "--preset",
        metavar="NAME",
        help=f"See `meteorlib presets list`.  [default: {DEFAULT_PRESET}]",
    )
    return preset(config(command))


def note_default(preset: str | None, config: str | None) -> None:
    """Say at a terminal which METEOR is the default, where the options name none."""
    if preset is None and config is None and sys.stderr is not None and sys.stderr.isatty():
        click.echo(WHICH_METEOR, err=True)


def make_scorer(preset: str | None, config: str | None) -> Scorer:
    """The scorer that ``--preset`` and ``--config`` name."""
    if config is None:
        return Scorer(DEFAULT_PRESET if preset is None else preset)
    if preset is not None:
        raise click.UsageError("--preset and --config exclude each other; name the preset as --config FILE:NAME")
    path, colon, name = config.rpartition(":")
    if not colon or Path(config).exists():
        return Scorer.from_file(config)
    return Scorer.from_file(path, name)
