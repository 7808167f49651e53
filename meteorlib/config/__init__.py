"""Configuration: presets built in and YAML files of users → `ScorerConfig`.

Importing this is cheap: YAML is read by `loader`, which the functions below load when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, default_preset

if TYPE_CHECKING:
    from meteorlib.config.loader import load_file, load_preset, load_presets, preset_names, preset_yaml
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from meteorlib.config import loader  # noqa: PLC0415 – yaml and cattrs are heavy

        return getattr(loader, name)


__all__ = [
    "ParameterConfig",
    "ScorerConfig",
    "SearchConfig",
    "StageConfig",
    "default_preset",
    "load_file",
    "load_preset",
    "load_presets",
    "preset_names",
    "preset_yaml",
]
