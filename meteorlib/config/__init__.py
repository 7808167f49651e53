"""Configuration of a scorer: built-in presets and users' YAML files as `ScorerConfig`.

Importing this is cheap: what reads YAML is loaded when a function that needs it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.schema import (
    DEFAULT_PRESET,
    ParameterConfig,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    WeightConfig,
)

if TYPE_CHECKING:
    from meteorlib.config.families import preset_yaml
    from meteorlib.config.loader import load_file, load_presets
else:

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"meteorlib.config.{_MODULES[name]}"), name)


_MODULES = {"load_file": "loader", "load_presets": "loader", "preset_yaml": "families"}

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
