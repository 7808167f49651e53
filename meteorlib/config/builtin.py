"""The built-in presets: a YAML file for each family, in the form that users write.

Most extend another one, of their own family or not. A family has many presets, a run needs one: so a family's text is
cut into presets, and only what is asked for is parsed, with what it extends. The settings of built-in presets are known
to be right (the tests read the same files as a user's); so they need none of what `loader` has for problems, which
takes longer to import than a preset to be read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent

from attrs import frozen

from meteorlib.config.document import read_text
from meteorlib.config.inherit import inherit
from meteorlib.config.node import Node, Problems
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, WeightConfig
from meteorlib.config.unknown import unknown_preset
from meteorlib.config.written import written

_PRESETS = Path(__file__).parent / "presets"

_PRESET = re.compile(r"((?:  #.*\n)*)(  ([\w.+-]+):\n(?:    .*\n)+)")


@frozen
class _Entry:
    """A preset as it stands in its family's file.

    Attributes:
        comment: what the file says of the family, and of this preset.
        text: its YAML.
    """

    comment: str
    text: str


@cache
def _entries() -> Mapping[str, _Entry]:
    entries = {}
    for family in _PRESETS.iterdir():
        if not family.name.endswith(".yaml"):
            continue
        head, _, presets = family.read_text(encoding="utf-8").partition("\npresets:\n")
        for own, text, name in _PRESET.findall(presets):
            entries[name] = _Entry(f"{head}#\n{dedent(own)}" if own else head, text)
    return {name: entries[name] for name in sorted(entries)}


@cache
def preset_names() -> tuple[str, ...]:
    """The built-in presets."""
    return tuple(_entries())


@cache
def load_preset(name: str) -> ScorerConfig:
    """A built-in preset.

    Raises:
        UnknownName: there is no such preset.
    """
    settings = builtin_preset(name).plain()
    weights = settings.get("weights")
    return ScorerConfig(
        **{
            **settings,
            "weights": WeightConfig(**weights) if weights else None,
            "name": name,
            "stages": [StageConfig(**stage) for stage in settings["stages"]],
            "search": SearchConfig(**settings["search"]),
            "parameters": ParameterConfig(**settings["parameters"]),
        }
    )


def preset_yaml(name: str) -> str:
    """A built-in preset as YAML, with all that it inherits: a file that can be copied, changed and loaded.

    Raises:
        UnknownName: there is no such preset.
    """
    settings = builtin_preset(name).plain()
    return written({name: settings}, _entries()[name].comment)


@cache
def builtin_preset(name: str) -> Node:
    """The mapping of a built-in preset, with all that it inherits.

    Raises:
        UnknownName: there is no such preset.
    """
    if name not in _entries():
        raise unknown_preset(name, builtin=preset_names())
    problems = Problems(name)
    root = read_text(_entries()[name].text, name, problems, fast=True)
    inherited = inherit(root.value, preset_names(), builtin_preset, problems) if root else {}
    problems.raise_any()
    return inherited[name].node
