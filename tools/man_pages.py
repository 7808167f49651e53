"""Write man pages of the commands from their help: ``python tools/man_pages.py FOLDER``; setup.py calls it, too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from meteorlib._version import __version__
from meteorlib.cli.command import Command
from meteorlib.cli.commands import cli


def man_pages() -> dict[str, str]:
    """Man pages in roff, by the names of their files."""
    top = click.Context(cli, info_name="meteorlib", **cli.context_settings)
    return {f"{context.command_path.replace(' ', '-')}.1": _page(context) for context in _contexts(top)}


def write_man_pages(folder: Path) -> list[str]:
    """Write the man pages and return the paths of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in man_pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(str(file) for file in folder.glob("*.1"))


def _contexts(context: click.Context) -> Iterator[click.Context]:
    """The context of a command and those of its subcommands."""
    yield context
    for child in _subcommands(context):
        yield from _contexts(child)


def _subcommands(context: click.Context) -> Iterator[click.Context]:
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            if command is not None:
                yield click.Context(command, context, info_name=name, **command.context_settings)


def _page(context: click.Context) -> str:
    command = context.command
    title = context.command_path.replace(" ", "-")
    pieces = _text(" ".join(command.collect_usage_pieces(context)))
    lines = [
        f'.TH "{title.upper()}" 1 "" "meteorlib {__version__}"',
        ".SH NAME", f"{title} \\- {_text(command.get_short_help_str(200))}",
        ".SH SYNOPSIS", f"\\fB{_text(context.command_path)}\\fR {pieces}",
        ".SH DESCRIPTION", *_paragraphs(command.help or ""),
        *_options(context), *_commands(context),
    ]  # fmt: skip
    if isinstance(command, Command) and command.examples:
        lines += [".SH EXAMPLES", ".nf", *map(_text, command.examples), ".fi"]
    return "\n".join(lines) + "\n"


def _options(context: click.Context) -> Iterator[str]:
    records = [one.get_help_record(context) for one in context.command.get_params(context)]
    if any(records):
        yield ".SH OPTIONS"
    for record in filter(None, records):
        yield from (".TP", f"\\fB{_text(record[0])}\\fR", _text(record[1]))


def _commands(context: click.Context) -> Iterator[str]:
    children = list(_subcommands(context))
    if children:
        yield ".SH COMMANDS"
    for child in children:
        name = child.command_path.replace(" ", "-")
        yield from (".TP", f"\\fB{_text(name)}\\fR(1)", _text(child.command.get_short_help_str(200)))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.replace("\b", "").split("\n\n"):
        yield from (".PP", _text(" ".join(paragraph.split())))


def _text(text: str) -> str:
    """Text in which nothing is taken for a command of roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python tools/man_pages.py FOLDER")
    sys.stdout.write("\n".join(write_man_pages(Path(sys.argv[1]))) + "\n")
