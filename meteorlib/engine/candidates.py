"""Proposing: the candidates of two texts, for who wants to see what a search chooses from."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from meteorlib.core.alignment import Match
from meteorlib.core.pair import Pair
from meteorlib.engine.build import build_engine
from meteorlib.engine.engine import Engine, Identity
from meteorlib.engine.python import PythonEngine


def proposed(engine: Engine[Any], pair: Pair) -> tuple[Match, ...]:
    """See `meteorlib.Scorer.candidates`; always computed by the Python engine."""
    return _readable(engine.identity).candidates(pair)


@lru_cache(maxsize=1)
def _readable(identity: Identity) -> PythonEngine:
    engine = build_engine(identity.config, identity.given, "python")
    assert isinstance(engine, PythonEngine)  # noqa: S101 – it was asked for
    return engine
