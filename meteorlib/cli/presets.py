"""``meteorlib presets``."""

from __future__ import annotations

import click

from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.families import preset_yaml
from meteorlib.config.schema import DEFAULT_PRESET


@click.group(short_help="List and show the METEORs that are built in.")
def presets() -> None:
    """List and show the built-in presets."""


@presets.command("list")
def list_presets() -> None:
    """List the built-in presets, a line each."""
    names = preset_names()
    width = max(map(len, names))
    for name in names:
        default = " (default)" if name == DEFAULT_PRESET else ""
        click.echo(f"{name:<{width}}  {load_preset(name).description}{default}")


@presets.command()
@click.argument("name")
def show(name: str) -> None:
    """Print a preset as YAML, ready to be copied into a file and changed."""
    click.echo(preset_yaml(name), nl=False)
