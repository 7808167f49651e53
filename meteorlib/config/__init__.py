"""Configuration: presets built in and YAML files of users → `ScorerConfig`.

Importing this is cheap: what reads presets and YAML is loaded when a function below is first asked for.
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
    from meteorlib.config.builtin import load_preset, preset_names
    from meteorlib.config.families import preset_yaml
    from meteorlib.config.loader import load_file, load_presets
else:

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 – yaml and cattrs are heavy

        return getattr(import_module(f"meteorlib.config.{_MODULES[name]}"), name)


_MODULES = {
    "load_file": "loader",
    "load_preset": "builtin",
    "load_presets": "loader",
    "preset_names": "builtin",
    "preset_yaml": "families",
}

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
