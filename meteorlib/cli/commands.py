"""The command ``meteorlib`` and the table of its subcommands."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click

from meteorlib._version import __version__
from meteorlib.cli import interruptible
from meteorlib.cli.command import HELP_OPTIONS, Command
from meteorlib.cli.help_pages import headings, pages, title
from meteorlib.cli.streams import run_to_end, show, standard_output
from meteorlib.display.text import listing
from meteorlib.engine.implementation import implementation_in_use, missing_engine
from meteorlib.errors import UnknownName, did_you_mean

_COMMANDS = {
    "score": "meteorlib.cli.score:score",
    "compare-presets": "meteorlib.cli.compare:compare_presets",
    "explain": "meteorlib.cli.explain:explain",
    "identify": "meteorlib.cli.identify:identify_score",
    "align": "meteorlib.cli.align:align",
    "report": "meteorlib.cli.report:report",
    "meta-eval": "meteorlib.cli.meta_eval:meta_eval",
    "tune": "meteorlib.cli.tune:tune",
    "sgmlize": "meteorlib.cli.sgmlize:sgmlize",
    "stem": "meteorlib.cli.stem:stem",
    "languages": "meteorlib.cli.language_data:languages",
    "verify": "meteorlib.cli.verify:verify",
    "presets": "meteorlib.cli.language_data:presets",
    "signature": "meteorlib.cli.citation:signature",
    "cite": "meteorlib.cli.citation:cite",
    "resources": "meteorlib.cli.language_data:resources",
    "universal": "meteorlib.cli.universal:universal",
    "help": "meteorlib.cli.commands:show_help",
    "completion": "meteorlib.cli.commands:completion",
}

_SECTIONS = {
    "Score and explain": ("score", "explain", "report", "compare-presets", "identify", "align"),
    "Presets and language data": ("presets", "languages", "resources", "universal", "signature", "cite"),
    "Human judgments": ("meta-eval", "tune"),
    "Files and words": ("sgmlize", "stem"),
    "This installation": ("help", "verify", "completion"),
}

FIRST_STEPS = """\
meteorlib scores machine translation, captions and other generated text with METEOR.

Score a file against its reference, one segment per line:
  meteorlib score hyp.txt -r ref.txt

See why a segment has its score:
  meteorlib explain "a cat sat on the mat" -r "the cats sat on a mat"

List the pages of the documentation; `meteorlib --help` lists all commands:
  meteorlib help"""


class _NoArguments(click.ClickException):
    """The command was called without arguments."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the first steps."""
        click.echo(FIRST_STEPS, file, err=True)  # noqa: TID251 – our own text


class _Commands(click.Group):
    """Command group that imports a subcommand when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        with interruptible("meteorlib"):
            return resolve_name(_COMMANDS[cmd_name]) if cmd_name in _COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections."""
        for section, names in _SECTIONS.items():
            listed = [
                (name, command.get_short_help_str(100)) for name in names if (command := self.get_command(ctx, name))
            ]
            with formatter.section(section):
                formatter.write_dl(listed)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say the first steps if there are no arguments."""
        if not args and not ctx.resilient_parsing:
            raise _NoArguments("no arguments")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the subcommand; suggest a similar name if there is none."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(error.message + did_you_mean(args[0], _COMMANDS), ctx) from None


@click.group(cls=_Commands, context_settings={**HELP_OPTIONS, "max_content_width": 100})
@click.version_option(
    __version__,
    prog_name="meteorlib",
    message="\n".join(filter(None, [f"%(prog)s %(version)s ({implementation_in_use()})", missing_engine()])),
    help="Show the version and which engine is in use (compiled or Python), and exit.",
)
def cli() -> None:
    """Score machine translation, captions and other generated text with METEOR."""


def run(arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit status; see `meteorlib.cli.main`."""
    return run_to_end("meteorlib", partial(_run, arguments), "interrupted; nothing was written")


def _run(arguments: Sequence[str] | None) -> None:
    standard_output()
    given = list(sys.argv[1:] if arguments is None else arguments)
    cli.main(args=given, prog_name="meteorlib", standalone_mode=False)


@click.command(
    "help",
    cls=Command,
    short_help="Print a page of the documentation, or list the pages.",
    examples=("meteorlib help", "meteorlib help presets", "meteorlib help score"),
)
@click.argument("topic", required=False)
@click.pass_context
def show_help(ctx: click.Context, topic: str | None) -> None:
    """Print the page TOPIC of the documentation, or the help of a command; without TOPIC, list the pages.

    Any other TOPIC is searched for in the headings of the pages.
    """
    out = standard_output()
    found = pages()
    if topic is None:
        out.write(f"{listing((name, title(page)) for name, page in found.items())}\n\nRead one: meteorlib help TOPIC\n")
        return
    if topic not in found:
        out.write(_command_help(ctx, topic, found) + "\n")
        return
    text = found[topic].read_text(encoding="utf-8")
    if not out.isatty():
        out.write(text)
        return
    from rich.console import Console  # noqa: PLC0415 – only where a page is drawn
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console()  # not `out`, which would escape the styles
    with console.pager(styles=True):
        console.print(Markdown(text))


def _command_help(ctx: click.Context, name: str, topics: Mapping[str, Path]) -> str:
    """The help of a command, or the pages with `name` in a heading."""
    group = None if ctx.parent is None else ctx.parent.command
    command = group.get_command(ctx, name) if isinstance(group, click.Group) else None
    if command is None or ctx.parent is None:
        having = [
            (topic, line) for topic, page in topics.items() for line in headings(page) if name.lower() in line.lower()
        ]
        if not (having and name.strip()):
            raise UnknownName("topic", name, topics)
        return f"{listing(having)}\n\nRead one: meteorlib help TOPIC"
    return command.get_help(click.Context(command, ctx.parent, info_name=name))


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
