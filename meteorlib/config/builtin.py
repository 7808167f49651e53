"""The built-in presets, read from a data file that the build makes of `presets/*.yaml`.

Without it a start takes 35 ms longer, for PyYAML. If there is no data file, if it is damaged, or if it was built from
other YAML files, the YAML files are read instead: they are the one source of the presets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, WeightConfig
from meteorlib.config.unknown_preset import unknown_preset

_HERE = Path(__file__).parent
DATA_FILE = _HERE / "presets.json"


def data_text() -> str:
    """The content of the data file."""
    from meteorlib.config.families import read_presets  # noqa: PLC0415 – loads PyYAML

    presets = json.dumps({"presets": read_presets()}, allow_nan=False, separators=(",", ":"))[1:]
    return f"{_head(presets.encode())},{presets}"


def _head(presets: bytes) -> str:
    """The data file's text up to its first comma: a checksum of the YAML files and of what follows the comma."""
    found = 0
    for family in sorted((_HERE / "presets").glob("*.yaml")):
        found = crc32(family.read_bytes(), found)
    return f'{{"checksum":{crc32(presets, found)}'


@cache
def builtin_settings() -> Mapping[str, Mapping[str, Any]]:
    """The settings of each built-in preset, with all that it inherits, sorted by name."""
    try:
        data = DATA_FILE.read_bytes()
        head, _, presets = data.partition(b",")
        if head == _head(presets).encode():
            settings: Mapping[str, Mapping[str, Any]] = json.loads(data)["presets"]
            return settings
    except OSError:
        pass
    from meteorlib.config.families import read_presets  # noqa: PLC0415 – loads PyYAML

    return read_presets()


def preset_names() -> tuple[str, ...]:
    """The built-in presets."""
    return tuple(builtin_settings())


@cache
def load_preset(name: str) -> ScorerConfig:
    """A built-in preset.

    Raises:
        UnknownName: there is no such preset.
    """
    presets = builtin_settings()
    if name not in presets:
        raise unknown_preset(name, builtin=presets)
    settings = presets[name]
    weights = settings.get("weights")
    return ScorerConfig(
        **{
            **settings,
            "weights": WeightConfig(**weights) if weights else None,
            "name": name,
            "stages": [StageConfig(**stage) for stage in settings["stages"]],
            "search": SearchConfig(**settings["search"]),
            "parameters": ParameterConfig(**settings["parameters"]),
        }
    )
