"""Configurations with other values at some places."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import SearchConfig
from meteorlib.config import load_preset
from meteorlib.config.overrides import override
from meteorlib.errors import ConfigError

CORE = load_preset("meteor-1.5-en-core")


def test_values_at_their_places():
    """Only the named settings change; another search begins with its own settings."""
    found = override(
        CORE, {("parameters", "alpha"): 0.5, ("stages", 1, "weight"): 0.25, ("search", "width"): 7}, "mine"
    )
    expected = evolve(
        CORE,
        name="mine",
        parameters=evolve(CORE.parameters, alpha=0.5),
        stages=(CORE.stages[0], evolve(CORE.stages[1], weight=0.25), CORE.stages[2]),
        search=SearchConfig("beam", width=7),
    )
    assert found == expected
    assert override(CORE, {}) == CORE
    assert override(CORE, {("search", "name"): "optimal"}).search == SearchConfig("optimal")


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("parameters", "alpha"), 2.0, r"parameters\.alpha = 2\.0: alpha must be between 0 and 1"),
        (("search", "width"), "wide", r"search\.width = wide: must be a whole number"),
        (("text",), "shout", r"text = shout: unknown text"),
    ],
)
def test_values_that_cannot_be(place, value, told):
    """A file's rules hold; the message names place and value."""
    with pytest.raises(ConfigError, match=told):
        override(CORE, {place: value})
