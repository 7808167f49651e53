"""A configuration by its name, or as it was made: what it stands for, checked."""

from __future__ import annotations

from warnings import warn

from meteorlib.config.located import located
from meteorlib.config.schema import ScorerConfig
from meteorlib.errors import MeteorWarning
from meteorlib.registry import MATCHERS


def as_config(config: str | ScorerConfig) -> ScorerConfig:
    """The configuration that a preset's name or a `ScorerConfig` stands for.

    Raises:
        UnknownName: there is no such preset.
        ConfigError: the configuration contradicts itself.
        TypeError: neither a name nor a configuration.

    Warns:
        MeteorWarning: the first stage does not match equal words.
    """
    if isinstance(config, ScorerConfig):
        from meteorlib.config.conflicts import check  # noqa: PLC0415 – presets have none

        check(config)
        _warn(config)
        return located(config)
    if not isinstance(config, str):
        raise TypeError(f"a preset's name or a ScorerConfig is expected, got {type(config).__name__}")
    from meteorlib.config.builtin import load_preset  # noqa: PLC0415 – nothing is loaded before a preset is asked for

    return load_preset(config)


def _warn(config: ScorerConfig) -> None:
    """Two sides of the same words are matched by the first stage alone (METEOR's rule)."""
    first = config.stages[0].matcher
    if not MATCHERS.part(first).equal_words:
        warn(
            f"preset {config.name!r}: its first stage, {first}, does not match equal words, so that a sentence scores "
            "0 against itself; put {matcher: exact} first",
            MeteorWarning,
            stacklevel=4,
        )
