"""``meteorlib resources``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from meteorlib.cli.progress import progress_of
from meteorlib.resources import install as installer
from meteorlib.resources.catalog import find


@click.group(short_help="List, install and remove language data.")
def resources() -> None:
    """List, install and remove language data."""


@resources.command("list", short_help="List all language data and its state.")
def list_resources() -> None:
    """List all language data: what is there, its size and license, where it comes from and where it is."""
    from rich.console import Console  # noqa: PLC0415 – only where a table is drawn
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for heading in ("name", "state", "size", "license", "from", "where"):
        table.add_column(heading, justify="right" if heading == "size" else "left", no_wrap=heading in ("name", "size"))
    for status in installer.statuses():
        where = "" if status.path is None else str(status.path)
        table.add_row(status.name, status.state, _size(status.size), status.license, status.origin, where)
    console = Console()
    if not console.is_terminal:
        console = Console(width=250)
    with console.capture() as listed:
        console.print(table)
    for line in listed.get().splitlines():
        click.echo(line.rstrip())


@resources.command()
@click.argument("name")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take it from here instead: its .gz, a METEOR folder, tar or zip, METEOR's jar, pycocoevalcap's wheel.",
)
def install(name: str, source: Path | None) -> None:
    """Install NAME: get it, check it, compile it into the cache folder.

    paraphrase-en and arabic (the stems of -l ar-bw-red) come out of the PyPI package pycocoevalcap 1.2, through pip,
    unless --from names a file.
    """
    if sys.stderr.isatty() and source is None and installer.installed(name) is None:
        click.echo(f"getting {name} …", err=True)
    with progress_of(f"compiling {name}") as bar:

        def advance(share: float) -> None:
            bar(share, 1)

        path = installer.install(name, source, advance)
    click.echo(f"{name} is installed in {path}")


@resources.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove NAME from the cache folder."""
    if find(name).packaged:
        raise click.UsageError(f"{name} is part of meteorlib and cannot be removed")
    removed = installer.remove(name)
    click.echo(f"{name} is removed" if removed else f"{name} was not installed")


def _size(count: int) -> str:
    if not count:
        return "–"
    size = float(count)
    for unit in ("B", "kB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} MB"
