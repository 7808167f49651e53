"""The command ``meteorlib``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

import click

from meteorlib._version import __version__
from meteorlib.cli.align import align
from meteorlib.cli.compare import compare_presets
from meteorlib.cli.ending import run_to_end
from meteorlib.cli.output import standard_output
from meteorlib.cli.presets import presets
from meteorlib.cli.resources import resources
from meteorlib.cli.score import score
from meteorlib.cli.stem import stem
from meteorlib.resources.compiled import implementation


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(
    __version__,
    prog_name="meteorlib",
    message=f"%(prog)s %(version)s ({implementation()})",
    help="Show the version and whether the compiled engine or the Python one is in use, and exit.",
)
def cli() -> None:
    """METEOR, every one there is: score machine translation, captions and generated text."""


for command in (score, compare_presets, align, stem, presets, resources):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; a user's mistake ends with one message and exit status 2."""
    sys.exit(run_to_end("meteorlib", partial(_run, arguments), "interrupted; nothing was written"))


def _run(arguments: Sequence[str] | None) -> None:
    standard_output()
    cli.main(args=None if arguments is None else list(arguments), prog_name="meteorlib", standalone_mode=False)
