"""The built-in presets as YAML, a file for each family, in the form that users write."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from meteorlib.config.document import read_file
from meteorlib.config.inheritance import resolve_extends
from meteorlib.config.node import Node, Problems
from meteorlib.config.outline import preset_nodes
from meteorlib.config.unknown_preset import unknown_preset
from meteorlib.config.yaml_output import presets_as_yaml

FOLDER = Path(__file__).parent / "presets"


@cache
def _own_settings() -> Mapping[str, Node]:
    """The settings that each preset states itself, sorted by name."""
    problems = Problems(str(FOLDER))
    found: dict[str, Node] = {}
    for family in FOLDER.glob("*.yaml"):
        root = read_file(family, problems, fast=True)
        found |= preset_nodes(root, problems) if root else {}
    problems.raise_any()
    return {name: found[name] for name in sorted(found)}


@cache
def read_presets() -> Mapping[str, Mapping[str, Any]]:
    """The settings of all presets, each with all that it inherits."""
    problems = Problems(str(FOLDER))
    found = {name: inherited.node.plain() for name, inherited in resolve_extends(_own_settings(), {}, problems).items()}
    problems.raise_any()
    return found


def preset_yaml(name: str) -> str:
    """A built-in preset as YAML, with all that it inherits: a file that can be copied, changed and loaded.

    Raises:
        UnknownName: there is no such preset.
    """
    if name not in _own_settings():
        raise unknown_preset(name, builtin=_own_settings())
    return presets_as_yaml({name: read_presets()[name]}, _comment(_own_settings()[name]))


def _comment(preset: Node) -> str:
    """The comments of the preset's family and, below `#`, its own."""
    lines = Path(preset.source).read_text(encoding="utf-8").splitlines()
    family = takewhile(_is_comment, lines)
    own = [line.strip() for line in takewhile(_is_comment, reversed(lines[: preset.line - 1]))][::-1]
    return "\n".join([*family, *(["#", *own] if own else []), ""])


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
