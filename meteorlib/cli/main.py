"""The command ``meteorlib`` and the way its errors are shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from meteorlib._version import __version__
from meteorlib.cli.align import align
from meteorlib.cli.compare import compare_presets
from meteorlib.cli.output import standard_output
from meteorlib.cli.presets import presets
from meteorlib.cli.resources import resources
from meteorlib.cli.score import score
from meteorlib.cli.stem import stem
from meteorlib.errors import MeteorError
from meteorlib.resources.compiled import implementation

USER_ERROR = 2
INTERRUPTED = 130


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


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run the command line; a user's mistake ends with one message and exit status 2."""
    if sys.stdout is None:
        click.echo("meteorlib: standard output is closed: there is nowhere to write", err=True)
        sys.exit(USER_ERROR)
    standard_output()
    try:
        cli.main(args=None if arguments is None else list(arguments), prog_name="meteorlib", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("meteorlib: interrupted; nothing was written", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # the reader of our output has gone; what is still buffered has nowhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MeteorError as error:
        click.echo(f"meteorlib: {error}", err=True)
        sys.exit(USER_ERROR)
    except OSError as error:
        click.echo(f"meteorlib: {error.filename or 'output'}: {error.strerror or error}", err=True)
        sys.exit(USER_ERROR)
