"""The candidates that matchers propose for two texts, as `Scorer.candidates` shows them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from meteorlib.core.alignment import Match
from meteorlib.core.segment import Pair
from meteorlib.engine.build import build_engine
from meteorlib.engine.engine import Engine, Identity
from meteorlib.engine.python import PythonEngine


def propose_candidates(engine: Engine[Any], pair: Pair) -> tuple[Match, ...]:
    """See `meteorlib.Scorer.candidates`; always computed by the Python engine."""
    return _python_engine(engine.identity).candidates(pair)


@lru_cache(maxsize=1)
def _python_engine(identity: Identity) -> PythonEngine:
    engine = build_engine(identity.config, identity.given, "python")
    assert isinstance(engine, PythonEngine)  # noqa: S101 – it was asked for
    return engine
