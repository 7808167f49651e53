"""A configuration as it is given: by name, or itself."""

from __future__ import annotations

from meteorlib.config.conflicts import check
from meteorlib.config.located import located
from meteorlib.config.schema import ScorerConfig


def as_config(config: str | ScorerConfig) -> ScorerConfig:
    """The configuration that a preset's name or a `ScorerConfig` stands for.

    Raises:
        UnknownName: there is no such preset.
        ConfigError: the configuration contradicts itself.
        TypeError: neither a name nor a configuration.
    """
    if isinstance(config, ScorerConfig):
        check(config)
        return located(config)
    if not isinstance(config, str):
        raise TypeError(f"a preset's name or a ScorerConfig is expected, got {type(config).__name__}")
    from meteorlib.config.builtin import load_preset  # noqa: PLC0415 – YAML is only needed for presets

    return load_preset(config)
