"""The built-in presets, made of `parsed`.

Their settings are known to be right (the tests read their files as a user's); so they need neither YAML nor what
`loader` has for problems, which take longer to import than a segment to be scored.
"""

from __future__ import annotations

from functools import cache

from meteorlib.config.parsed import PRESETS
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig, WeightConfig
from meteorlib.config.unknown import unknown_preset


def preset_names() -> tuple[str, ...]:
    """The built-in presets."""
    return tuple(PRESETS)


@cache
def load_preset(name: str) -> ScorerConfig:
    """A built-in preset.

    Raises:
        UnknownName: there is no such preset.
    """
    if name not in PRESETS:
        raise unknown_preset(name, builtin=preset_names())
    settings = PRESETS[name]
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
