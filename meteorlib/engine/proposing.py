"""Proposing: the candidates of two texts, for who wants to see what a search chooses from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.alignment import Match
from meteorlib.core.pair import Pair
from meteorlib.engine.making import make_engine
from meteorlib.engine.python import PythonEngine


class Configured(Hashable, Protocol):
    """What is asked of a scorer."""

    @property
    def config(self) -> ScorerConfig:
        """What it was made from."""

    @property
    def given(self) -> Mapping[str, Any]:
        """Parts that were given by hand."""


def proposed(scorer: Configured, pair: Pair) -> tuple[Match, ...]:
    """See `meteorlib.Scorer.candidates`; the readable engine finds them, which is the one that decides."""
    return _readable(scorer).candidates(pair)


@lru_cache(maxsize=1)
def _readable(scorer: Configured) -> PythonEngine:
    engine = make_engine(scorer.config, scorer.given, "python")
    assert isinstance(engine, PythonEngine)  # noqa: S101 – it was asked for
    return engine
