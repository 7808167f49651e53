"""The command ``meteorlib presets``: list and show the built-in presets."""

from __future__ import annotations

import click

from meteorlib.cli.command import Group
from meteorlib.cli.streams import standard_output
from meteorlib.config.builtin import load_preset, preset_names, preset_yaml
from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.display.text import listing


@click.group(cls=Group, short_help="List and show the built-in presets.")
def presets() -> None:
    """List and show the built-in presets."""


@presets.command("list", examples=("meteorlib presets list",))
def list_presets() -> None:
    """List the built-in presets, one per line."""
    described = {name: load_preset(name).description for name in preset_names()}
    described[DEFAULT_PRESET] += " (default)"
    standard_output().write(f"{listing(described.items())}\n")


@presets.command(examples=("meteorlib presets show meteor-2005",), topics=("presets",))
@click.argument("name")
def show(name: str) -> None:
    """Print a preset as YAML, ready to copy into a file and edit."""
    standard_output().write(preset_yaml(name))
