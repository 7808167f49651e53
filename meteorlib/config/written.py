"""Presets written down as YAML, as `document` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml


class _Indented(yaml.SafeDumper):
    """Lists stand further in than their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 – PyYAML's
        super().increase_indent(flow, indentless=False)


def written(presets: Mapping[str, Any], comment: str = "") -> str:
    """A file of these presets: text that can be copied, changed and loaded.

    Args:
        presets: names → settings, as plain mappings, lists, text, numbers and None.
        comment: lines that begin with ``#``, to go before them.
    """
    body = yaml.dump(
        {"presets": dict(presets)},
        Dumper=_Indented,
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return f"{comment}\n{body}" if comment else body
