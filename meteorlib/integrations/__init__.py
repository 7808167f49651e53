"""Drop-ins and adapters for other packages, imported only on demand."""

from __future__ import annotations

from functools import lru_cache

from attrs import evolve

from meteorlib import caches
from meteorlib.config import ScorerConfig, load_preset
from meteorlib.scorer import Scorer


@lru_cache(caches.SCORERS)
def scorer_with(preset: str | ScorerConfig, **parameters: float) -> Scorer:
    """A scorer of a preset with other values of some parameters, made once."""
    config = load_preset(preset) if isinstance(preset, str) else preset
    return Scorer(evolve(config, parameters=evolve(config.parameters, **parameters)))
