"""Configuration of a scorer: built-in presets and users' YAML files as `ScorerConfig`.

Importing this is cheap: what reads YAML is loaded when a function that needs it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from meteorlib.config.builtin import load_preset, preset_names, preset_yaml
from meteorlib.config.schema import (
    DEFAULT_PRESET,
    ParameterConfig,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    WeightConfig,
)

if TYPE_CHECKING:
    from meteorlib.config.loader import load_file, load_presets
else:

    def __getattr__(name: str) -> object:
        if name not in {"load_file", "load_presets"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("meteorlib.config.loader"), name)


__all__ = [
    "DEFAULT_PRESET",
    "ParameterConfig",
    "ScorerConfig",
    "SearchConfig",
    "StageConfig",
    "WeightConfig",
    "load_file",
    "load_preset",
    "load_presets",
    "preset_names",
    "preset_yaml",
]
