"""Copies of a configuration with other settings; each search declares its own settings."""

from __future__ import annotations

import pickle

import pytest
from attrs import evolve, fields_dict

from meteorlib.config import SearchConfig, load_preset
from meteorlib.config.converter import override
from meteorlib.engine.signatures import signature_of
from meteorlib.errors import ConfigError, UnknownName
from meteorlib.extras import Versions
from meteorlib.registry import SEARCHES
from meteorlib.search.beam import Beam
from meteorlib.search.optimal import Optimal

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


def test_what_each_search_has():
    """Settings are those that the search uses, with the defaults that its class has."""
    settings = {name: list(fields_dict(SEARCHES.get(name))) for name in SEARCHES.builtin}
    assert settings == {
        "beam": ["width"],
        "accurate": ["width"],
        "staged": ["budget"],
        "greedy": [],
        "greedy_again": [],
        "optimal": ["width", "budget"],
        "weighted": ["width", "chunk", "distance", "far", "kept"],
    }
    for name in settings:
        assert SearchConfig(name).settings == SEARCHES.get(name)()
    assert SearchConfig("optimal").settings.budget == 2_000_000


def test_a_value():
    """Equal settings are equal, hash alike, survive pickling, and are printed as they are written."""
    one = SearchConfig("optimal", budget=5)
    assert one == SearchConfig("optimal", Optimal(budget=5)) == pickle.loads(pickle.dumps(one))  # noqa: S301
    assert hash(one) == hash(SearchConfig("optimal", width=40, budget=5))
    assert one != SearchConfig("staged", budget=5) != SearchConfig("optimal")
    assert eval(repr(one)) == one  # noqa: S307
    assert evolve(one, width=3) == SearchConfig("optimal", width=3, budget=5)
    assert SearchConfig() == SearchConfig("beam", width=40)


@pytest.mark.parametrize(
    ("name", "settings", "error", "message"),
    [
        ("beam", {"width": "a"}, TypeError, "width must be a whole number, not 'a'"),
        ("beam", {"width": True}, TypeError, "width must be a whole number, not True"),
        ("beam", {"width": 4.0}, TypeError, "width must be a whole number, not 4.0"),
        ("beam", {"width": 0}, ValueError, "width must be between 1 and 1,000,000: 0"),
        ("beam", {"width": 10**20}, ValueError, f"width must be between 1 and 1,000,000: {10**20:,}"),
        ("optimal", {"budget": -1}, ValueError, "budget must be between 1 and 1,000,000,000,000: -1"),
        ("staged", {"width": 3}, TypeError, "search 'staged' has no setting 'width'; it has budget"),
        ("greedy", {"budget": 3}, TypeError, "search 'greedy' has no setting 'budget'; it has none"),
        (
            "beam",
            {"widht": 3},
            TypeError,
            "search 'beam' has no setting 'widht' (did you mean 'width'?); it has width",
        ),
        ("beam", {"settings": 40}, TypeError, "search 'beam' takes settings by name, or Beam(…), not 40"),
        (
            "staged",
            {"settings": Beam(7)},
            TypeError,
            "search 'staged' takes settings by name, or Staged(…), not Beam(width=7)",
        ),
    ],
)
def test_wrong_settings(name, settings, error, message):
    """An unknown or invalid setting of a search is an error that names the setting and the reason."""
    with pytest.raises(error) as caught:
        SearchConfig(name, **settings)
    assert str(caught.value) == message


def test_an_unknown_search():
    """A name that no search has is an error."""
    with pytest.raises(UnknownName, match=r"^unknown search 'bema' \(did you mean 'beam'\?\)"):
        SearchConfig("bema")


def test_numbers_of_other_types():
    """A whole number of numpy's is one."""
    numpy = pytest.importorskip("numpy")
    search = SearchConfig("beam", width=numpy.int32(7))
    assert search == SearchConfig("beam", width=7)
    assert type(search.settings.width) is int


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (SearchConfig(), "search:beam(width=40)"),
        (SearchConfig("staged", budget=7), "search:staged(budget=7)"),
        (SearchConfig("greedy"), "search:greedy()"),
        (SearchConfig("optimal"), "search:optimal(width=40,budget=2000000)"),
    ],
)
def test_settings_in_the_signature(search, text):
    """The signature has all settings of a search, and nothing else."""
    config = evolve(load_preset("meteor-2005"), search=search)
    assert text in signature_of(config, config.formula_parameters(), {}, {}, Versions()).numbers.split("|")
