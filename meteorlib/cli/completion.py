"""The command ``meteorlib completion``: a script with which a shell completes commands, options and presets."""

from __future__ import annotations

import click

from meteorlib.cli.command import Command
from meteorlib.cli.streams import show

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Command,
    short_help="Print a script for tab completion in bash, zsh or fish.",
    examples=(
        "meteorlib completion bash >> ~/.bashrc",
        "meteorlib completion zsh >> ~/.zshrc",
        "meteorlib completion fish > ~/.config/fish/completions/meteorlib.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that makes SHELL complete meteorlib's commands, options, files and presets."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415 – for this command only

    found = get_completion_class(shell)
    assert found is not None  # noqa: S101 – click has all of `SHELLS`
    # the command itself is not needed for the script
    show(found(click.Command("meteorlib"), {}, "meteorlib", "_METEORLIB_COMPLETE").source())
