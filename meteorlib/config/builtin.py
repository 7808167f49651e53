"""The built-in presets: one YAML file each, in the form that users write."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from meteorlib.config.document import read_text
from meteorlib.config.node import Node, Problems
from meteorlib.config.unknown import unknown_preset

_FOLDER = files("meteorlib.config") / "presets"


@cache
def preset_names() -> tuple[str, ...]:
    """The built-in presets."""
    return tuple(sorted(file.name.removesuffix(".yaml") for file in _FOLDER.iterdir() if file.name.endswith(".yaml")))


def preset_yaml(name: str) -> str:
    """The YAML of a built-in preset: a file that can be copied, changed and loaded.

    Raises:
        UnknownName: there is no such preset.
    """
    if name not in preset_names():
        raise unknown_preset(name, builtin=preset_names())
    return (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def builtin_document(name: str) -> Node:
    """The document of a built-in preset.

    Raises:
        UnknownName: there is no such preset.
    """
    problems = Problems(name)
    root = read_text(preset_yaml(name), name, problems)
    problems.raise_any()
    assert root is not None  # noqa: S101 – else there was a problem
    return root


def builtin_preset(name: str) -> Node:
    """The mapping of a built-in preset."""
    node = builtin_document(name).find(("presets", name))
    assert node is not None  # noqa: S101 – a file is named after its preset
    return node
