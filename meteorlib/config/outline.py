"""The top level of a configuration file: ``default:`` and ``presets:``."""

from __future__ import annotations

from collections.abc import Iterable
from re import fullmatch
from typing import Any

from meteorlib.config.node import Node, Problems, describe_value
from meteorlib.config.unknown_preset import MAX_NAME_LENGTH, unknown_preset
from meteorlib.suggestions import did_you_mean

MAX_PRESETS = 200
"""Presets in a file."""


def preset_nodes(root: Node, problems: Problems) -> dict[str, Node]:
    """The presets of a document by name, unchanged."""
    if not isinstance(root.value, dict):
        problems.add(root, f"must be a mapping with 'presets', not {describe_value(root.value)}")
        return {}
    unknown_keys(root, set(root.value) - {"default", "presets"}, ["default", "presets"], problems)
    nodes = root.get("presets")
    if nodes is None:
        problems.add(root, "missing key 'presets'")
        return {}
    presets: dict[str, Node] = nodes.value
    if not isinstance(presets, dict) or not presets:
        problems.add(nodes, f"must be a mapping of names to presets, not {describe_value(presets)}")
        return {}
    if len(presets) > MAX_PRESETS:
        problems.add(nodes, f"holds more than {MAX_PRESETS} presets")
        return {}
    _check_default(root.get("default"), presets, problems)
    for name, node in presets.items():
        if not fullmatch(r"[\w.+-]+", name) or len(name) > MAX_NAME_LENGTH:
            problems.add(node, f"a preset's name is made of at most {MAX_NAME_LENGTH} letters, digits and . _ + -")
        if not isinstance(node.value, dict):
            problems.add(node, f"must be a mapping, not {describe_value(node.value)}")
    return presets


def _check_default(default: Node | None, presets: dict[str, Node], problems: Problems) -> None:
    if default is None:
        return
    try:
        if require_text(default.value) not in presets:
            problems.add(default, str(unknown_preset(default.value, presets)))
    except TypeError as error:
        problems.add(default, str(error))


def unknown_keys(node: Node, unknown: Iterable[str], known: list[str], problems: Problems, hint: str = "") -> None:
    """Note keys of `node` that mean nothing, each at its own line."""
    for key in unknown:
        child = node.value[key]
        problems.add_at(child.line, child.path[:-1], f"unknown key {key[:60]!r}{hint or did_you_mean(key, known)}")


def require_text(value: Any) -> str:
    """`value`, which must be text.

    Raises:
        TypeError: it is not; the message says what it is.
    """
    if not isinstance(value, str):
        quotes = " (put it in quotes)" if isinstance(value, bool | int | float) else ""
        raise TypeError(f"must be text, not {describe_value(value)}{quotes}")
    return value
