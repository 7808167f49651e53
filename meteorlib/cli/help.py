"""The command ``meteorlib help``: print the help of a command or a page of the documentation."""

from __future__ import annotations

import click

from meteorlib.cli.command import Command
from meteorlib.cli.help_pages import pages, title
from meteorlib.cli.streams import standard_output
from meteorlib.display.text import listing
from meteorlib.errors import UnknownName


@click.command(
    "help",
    cls=Command,
    short_help="Print a page of the documentation, or list the pages.",
    examples=("meteorlib help", "meteorlib help presets", "meteorlib help score"),
)
@click.argument("topic", required=False)
@click.pass_context
def show_help(ctx: click.Context, topic: str | None) -> None:
    """Print the page TOPIC of the documentation, or the help of a command; without TOPIC, list the pages."""
    out = standard_output()
    found = pages()
    if topic is None:
        out.write(f"{listing((name, title(page)) for name, page in found.items())}\n\nRead one: meteorlib help TOPIC\n")
        return
    if topic not in found:
        out.write(_command_help(ctx, topic, [*found]) + "\n")
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


def _command_help(ctx: click.Context, name: str, topics: list[str]) -> str:
    """The help of a command.

    Raises:
        UnknownName: there is no such command either.
    """
    group = None if ctx.parent is None else ctx.parent.command
    command = group.get_command(ctx, name) if isinstance(group, click.Group) else None
    if command is None or ctx.parent is None:
        raise UnknownName("topic", name, topics)
    return command.get_help(click.Context(command, ctx.parent, info_name=name))
