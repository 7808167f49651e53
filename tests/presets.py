"""Which presets are tried: those of other languages differ in little, so that by default English and German stand in.

A test that tries every preset takes `WHICH` as its parameter, loops over the names, and names the preset in what it
asserts. There are more than a hundred presets: a test for each would take more time than what it tries.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib.config import ScorerConfig, preset_names

_OF_ANOTHER_LANGUAGE = re.compile(r"meteor-(1\.5-|2026-|e-dbnary-)?(?!en|de)[a-z]{2}(-core|-full|-intended)?")

FEW = [name for name in preset_names() if not _OF_ANOTHER_LANGUAGE.fullmatch(name)]
"""Every kind of preset."""

OTHERS = [name for name in preset_names() if name not in FEW]

WHICH = [pytest.param(FEW, id="few"), pytest.param(OTHERS, id="others", marks=pytest.mark.thorough)]
"""Parameter for tests that run with several presets; with ``--thorough`` with all."""


def presets(config: pytest.Config) -> list[str]:
    """The names of the presets that a fixture makes something of: all in CI."""
    every = any(config.getoption(run) for run in ("thorough", "stress", "oracle"))
    return [*preset_names()] if every else FEW


def with_table(config: ScorerConfig, table: str | Path) -> ScorerConfig:
    """The configuration with another paraphrase table."""
    stages = [evolve(one, resource=str(table)) if one.matcher == "paraphrase" else one for one in config.stages]
    return evolve(config, stages=tuple(stages))
