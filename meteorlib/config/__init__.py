"""Configuration: presets built in and YAML files of users → `ScorerConfig`.

Importing this is cheap: YAML is read by `builtin` and `loader`, which are loaded when a function below is first
asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meteorlib.config.schema import (
    DEFAULT_PRESET,
    ParameterConfig,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    WeightConfig,
)

if TYPE_CHECKING:
    from meteorlib.config.builtin import load_preset, preset_names, preset_yaml
    from meteorlib.config.loader import load_file, load_presets
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 – yaml and cattrs are heavy

        module = "loader" if name in ("load_file", "load_presets") else "builtin"
        return getattr(import_module(f"meteorlib.config.{module}"), name)


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
