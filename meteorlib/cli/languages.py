"""The command ``meteorlib languages``: what each language has and what is not installed."""

from __future__ import annotations

from collections.abc import Sequence

import click

from meteorlib.cli.command import Command
from meteorlib.cli.streams import standard_output
from meteorlib.config.languages import Language, Part, language
from meteorlib.config.languages import languages as every_language
from meteorlib.display.text import json_text, tsv_row

COLUMNS = ("words", "stems", "synonyms", "paraphrases", "function words")


@click.command(
    cls=Command,
    short_help="List the languages, their data, and which data is not installed.",
    examples=("meteorlib languages", "meteorlib languages de"),
    topics=("languages",),
)
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "tsv"]),
    default="text",
    show_default=True,
    help="Output format: a table to read, or data.",
)
def languages(codes: tuple[str, ...], form: str) -> None:
    """List the languages that have a preset meteor-XX, and the language data of each.

    If a preset needs data that is not installed, the command that installs it is shown. CODE (de, ja, …) shows all
    details of a language, including data that can be added to its preset.
    """
    found = tuple(map(language, codes)) if codes else every_language()
    if form == "json":
        text = json_text([_json_object(one) for one in found], indent=1) + "\n"
    elif form == "tsv":
        text = _tsv(found)
    elif codes:
        text = "\n".join(map(_details, found))
    else:
        text = _table(found)
    standard_output().write(text)


def _table(found: Sequence[Language]) -> str:
    rows = [["code", "language", *COLUMNS, "missing for the preset"]]
    rows += [[one.code, one.name, *(_cell(one, kind) or "–" for kind in COLUMNS), one.command or "–"] for one in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", "The preset of de is meteor-de; `meteorlib languages de` has details.", ""])


def _cell(one: Language, kind: str) -> str:
    """Name of a part that the preset uses, or that is installed and could be added."""
    part = one.part(kind)
    return part.name or "" if part.here or part.preset == one.presets[0] else ""


def _details(one: Language) -> str:
    lines = [f"{one.name} ({one.code}): {', '.join(one.presets)}"]
    lines += [f"  {part.kind:<15} {part.name or '–':<20} {_state(one, part)}".rstrip() for part in one.parts]
    return "\n".join(lines) + "\n"


def _state(one: Language, part: Part) -> str:
    if not part.preset:
        return f"can be added: {part.get}" if part.get else ""
    state = "here" if part.here else f"missing: {part.get}"
    return state if part.preset == one.presets[0] else f"{state} (for {part.preset})"


def _json_object(one: Language) -> dict[str, object]:
    parts = {
        part.kind.replace(" ", "_"): {
            "name": part.name,
            "preset": part.preset or None,
            "here": part.here,
            "get": part.get or None,
        }
        for part in one.parts
    }
    return {"code": one.code, "language": one.name, "presets": one.presets, **parts, "missing": one.command or None}


def _tsv(found: Sequence[Language]) -> str:
    rows = [["code", "language", "presets", *(kind.replace(" ", "_") for kind in COLUMNS), "missing"]]
    for one in found:
        cells = [_cell(one, kind) for kind in COLUMNS]
        rows.append([one.code, one.name, " ".join(one.presets), *cells, one.command])
    return "".join(map(tsv_row, rows))
