"""The built-in presets as they are written: a YAML file for each family, in the form that users write.

Most extend another one, of their own family or not. A family has many presets, who reads one needs one: so a family's
text is cut into presets, and only what is asked for is parsed, with what it extends. Scorers need none of it: they have
`parsed`, which `tools/parse_presets.py` makes of these files.
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


def written_presets() -> tuple[str, ...]:
    """The presets of all families."""
    return tuple(_entries())


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
        raise unknown_preset(name, builtin=written_presets())
    problems = Problems(name)
    root = read_text(_entries()[name].text, name, problems, fast=True)
    inherited = inherit(root.value, written_presets(), builtin_preset, problems) if root else {}
    problems.raise_any()
    return inherited[name].node
