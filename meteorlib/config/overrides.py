"""Copies of a configuration with some settings changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cattrs import BaseValidationError

from meteorlib.config.conflicts import check
from meteorlib.config.converter import CONVERTER
from meteorlib.config.node import Place, path_text
from meteorlib.config.schema import ScorerConfig
from meteorlib.errors import ConfigError


def override(config: ScorerConfig, values: Mapping[Place, Any], name: str = "") -> ScorerConfig:
    """`config` with other values at some places, e.g. ``("search", "width")``; held to a file's rules.

    Args:
        config: the configuration.
        values: place → value. Another search begins with its own settings.
        name: of the new configuration; empty for the same.

    Raises:
        ConfigError: there is no such key, or it may not have the value.
    """
    data = config.to_dict() | {"name": name or config.name}
    for place, value in sorted(values.items(), key=lambda item: len(item[0]) if item[0] != ("search", "name") else 0):
        if place == ("search", "name"):
            data["search"] = {}
        part: Any = data
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = value
    try:
        made: ScorerConfig = CONVERTER.structure(data, ScorerConfig)
    except BaseValidationError as error:
        settings = ", ".join(f"{path_text(place)} = {value}" for place, value in values.items())
        raise ConfigError(config.name, [f"{settings}: {text}" for text in _texts(error)]) from None
    check(made)
    return made


def _texts(error: Exception) -> Iterator[str]:
    if isinstance(error, BaseValidationError):
        for inner in error.exceptions:
            yield from _texts(inner)
    else:
        yield str(error)
