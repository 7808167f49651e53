"""Presets written as YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from meteorlib.config.document import plain_scalar

_BREAKS = frozenset("\r\x85\u2028\u2029")
"""Characters that YAML reads as line ends and folds into a space unless they are escaped."""


class _Dumper(yaml.SafeDumper):
    """PyYAML's dumper, but lists are indented below their key, and text that `document` would misread is quoted."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 – PyYAML's
        super().increase_indent(flow, indentless=False)

    def represent_text(self, text: str) -> yaml.ScalarNode:
        plain = plain_scalar(text) == text and _BREAKS.isdisjoint(text)
        return self.represent_scalar("tag:yaml.org,2002:str", text, None if plain else '"')


_Dumper.add_representer(str, _Dumper.represent_text)


def presets_as_yaml(presets: Mapping[str, Any], comment: str = "") -> str:
    """A file of these presets: text that can be copied, changed and loaded.

    Args:
        presets: names → settings, as plain mappings, lists, text, numbers and None.
        comment: lines that begin with ``#``, to go before them.
    """
    body = yaml.dump(
        {"presets": dict(presets)},
        Dumper=_Dumper,
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return f"{comment}\n{body}" if comment else body
