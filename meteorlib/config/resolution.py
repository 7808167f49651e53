"""The checked configuration for a preset's name or a `ScorerConfig`, with absolute paths."""

from __future__ import annotations

from os import path as paths
from warnings import warn

from attrs import evolve

from meteorlib.config.builtin import load_preset
from meteorlib.config.conflicts import check
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.resource_names import is_path
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
        check(config)
        _warn_of_first_stage(config)
        return resolve_paths(config)
    if not isinstance(config, str):
        raise TypeError(f"a preset's name or a ScorerConfig is expected, got {type(config).__name__}")
    return load_preset(config)


def _warn_of_first_stage(config: ScorerConfig) -> None:
    """Warn if the first stage, which alone matches identical sides (METEOR's rule), does not match equal words."""
    first = config.stages[0].matcher
    if not MATCHERS.part(first).equal_words:
        warn(
            f"preset {config.name!r}: its first stage, {first}, does not match equal words, so a sentence scores "
            "0 against itself; put {matcher: exact} first",
            MeteorWarning,
            stacklevel=4,
        )


def resolve_paths(config: ScorerConfig, folder: str = "") -> ScorerConfig:
    r"""`config` with its relative paths taken from its folder ``resources``, and that from `folder`.

    Strings with a ``/``, a ``\`` or a ``.`` are paths, all others names. Doing it again changes nothing.
    Without `folder` and ``resources``, the configuration is returned unchanged.
    """
    base = folder if config.resources is None else paths.abspath(paths.join(folder, config.resources))
    if not base:
        return config

    def joined(name: str | None) -> str | None:
        return paths.normpath(paths.join(base, name)) if name is not None and is_path(name) else name

    return evolve(
        config,
        stages=tuple(evolve(stage, resource=joined(stage.resource)) for stage in config.stages),
        function_words=joined(config.function_words),
        negations=joined(config.negations),
        weights=config.weights and evolve(config.weights, resource=joined(config.weights.resource) or ""),
        resources=None if config.resources is None else base,
    )
