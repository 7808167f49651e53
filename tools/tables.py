"""Write the tables of docs/ whose cells the code has: numbers of presets and parameters, parts of languages."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from math import isfinite, isnan
from pathlib import Path

from meteorlib.config import load_preset, preset_names
from meteorlib.config.languages import languages
from meteorlib.core.parameters import NUMERIC_PARAMETERS

DOCS = Path(__file__).parents[1] / "docs"
_WEIGHTS = "exact", "stem", "synonym", "paraphrase", "vector"
_WEIGHTS_2026 = "exact", "stem", "synonym", "joined", "paraphrase", "near", "contextual"

Row = list[str]
"""Cells of a row, as written."""


def parameters(_: list[Row]) -> Iterator[Row]:
    """Each parameter of the formula."""
    for name, facts in NUMERIC_PARAMETERS.items():
        ends = f"0 to {facts.most}" if isfinite(facts.most) else "≥ 0"
        default = "–" if isnan(facts.default) else f"{facts.default:g}"
        formula = f"`{facts.formula}`" if facts.formula else "all"
        yield [f"`{name}`", facts.symbol or "–", ends, default, formula, facts.description]


def presets(rows: list[Row]) -> Iterator[Row]:
    """Rows with the same presets and descriptions, and their numbers; XX stands for the code of any language."""
    named: dict[str, int] = {}
    for position, row in enumerate(rows):
        for name in _names(row[0]):
            if named.setdefault(name, position) != position:
                raise SystemExit(f"{name} is in two rows of docs/presets.md")
    numbers: list[list[float]] = [[] for _ in rows]
    weights: list[dict[str, float]] = [{} for _ in rows]
    unused = {*named}
    for name in preset_names():
        stated = name if name in named else re.sub(r"-[a-z]{2}(?=-|$)", "-XX", name, count=1)
        if stated not in named:
            raise SystemExit(f"{name} is in no row of docs/presets.md")
        position = named[stated]
        unused.discard(stated)
        config = load_preset(name)
        own = config.formula_parameters()
        kinds = (re.sub("(word_)?lemma", "synonym", stage.matcher) for stage in config.stages)
        found = [own.alpha, own.beta, own.gamma, own.delta], dict(zip(kinds, own.weights, strict=True))
        if any(weights[position].get(kind, weight) != weight for kind, weight in found[1].items()) or (
            numbers[position] not in ([], found[0])
        ):
            raise SystemExit(f"{name} has other numbers than the presets before it in its row")
        numbers[position] = found[0]
        weights[position] |= found[1]
    if unused:
        raise SystemExit(f"docs/presets.md has presets that do not exist: {', '.join(sorted(unused))}")
    for (names, about, *_), shown, known in zip(rows, numbers, weights, strict=True):
        order = _WEIGHTS_2026 if {"joined", "near"} & {*known} else _WEIGHTS
        cells = " ".join(str(known.get(kind, "–")) for kind in order).rstrip(" –")
        yield [names, about, *map(str, shown), cells]


def _names(cell: str) -> list[str]:
    """The presets of a row; one that begins with a hyphen continues the first."""
    first, *others = re.findall(r"`([^`]+)`", cell)
    return [first, *(f"{first}{other}" if other.startswith("-") else other for other in others)]


def parts(rows: list[Row]) -> Iterator[Row]:
    """Each language with the parts of its preset, and the synonyms as they are."""
    synonyms = {name: known for name, *_, known in rows}
    for language in languages():
        extras = ",".join(sorted({part.extra for part in language.parts if part.extra}))
        kinds = (language.part(kind).name for kind in ("words", "stems", "function words"))
        cells = language.presets[0], *kinds, extras and f"meteorlib[{extras}]"
        yield [language.name, *(f"`{cell}`" if cell else "–" for cell in cells), synonyms.get(language.name, "–")]


TABLES: dict[str, tuple[str, Callable[[list[Row]], Iterator[Row]]]] = {
    "formula": ("| key |", parameters),
    "presets": ("| preset | what it is |", presets),
    "languages": ("| language | preset | words |", parts),
}
"""Page → how its table begins, and the rows from those that are there."""


def written(page: str) -> str:
    """The page with its table as the code has it."""
    heading, made = TABLES[page]
    begin, rule, rows, end = re.split(
        rf"(?<=\n)({re.escape(heading)}.*\n\|[-:| ]+\|\n)((?:\|.*\n)+)", (DOCS / f"{page}.md").read_text("utf-8")
    )
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]
    return begin + rule + "".join(f"| {' | '.join(row)} |\n" for row in made(cells)) + end


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name in TABLES:
        (DOCS / f"{name}.md").write_text(written(name), "utf-8", newline="\n")
