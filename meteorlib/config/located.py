"""Where the files of a preset are: relative paths joined to a folder."""

from __future__ import annotations

from os import path as paths

from attrs import evolve

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.names import is_path


def located(config: ScorerConfig, folder: str = "") -> ScorerConfig:
    r"""`config` with its relative paths taken from its folder ``resources``, and that from `folder`.

    What holds a ``/``, a ``\`` or a ``.`` is a path, anything else a name. Doing it again changes nothing. What has
    neither `folder` nor ``resources`` stays as it is.
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
        weights=config.weights and evolve(config.weights, resource=joined(config.weights.resource) or ""),
        resources=None if config.resources is None else base,
    )
