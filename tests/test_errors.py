"""Errors say what was wrong and list the alternatives."""

from __future__ import annotations

import pickle

import pytest

from meteorlib import Scorer
from meteorlib.config import preset_names
from meteorlib.errors import InputMismatch, InvalidText, UnknownName, blame, blamed_segment, did_you_mean, error_at


@pytest.mark.parametrize(
    ("given", "meant"),
    {
        "meteor-1.5": "meteor-1.5-en",
        "meteor": "meteor-1.5-en",
        "METEOR-1.5-EN": "meteor-1.5-en",
        "meteor_1.5_en": "meteor-1.5-en",
        "Meteor 1.5 en core": "meteor-1.5-en-core",
        "meteor-1.5-cs": "meteor-1.5-cz",
        "meteor-1.5-CS-core": "meteor-1.5-cz-core",
        "meteor-1.5-Norwegian": "meteor-1.5-no",
        "cs": "meteor-1.5-cz",
        "en": "meteor-1.5-en",
        "hter": "meteor-1.5-en-hter",
        "2005": "meteor-2005",
        "meteor-2006": "meteor-2005",
        "meteor-15-en": "meteor-1.5-en",
        "meteor-1.5-en-cor": "meteor-1.5-en-core",
        "meteor-1.5-en-rank": "meteor-1.5-en",
        "meteor-1.5-sv-core": "meteor-1.5-se",
        "meteor-1.5-qq": "meteor-1.5-en",
        "NLTK": "nltk",
    }.items(),
)
def test_the_preset_that_is_meant(given, meant):
    """Suggestions ignore case, signs and other names of languages; English and complete names come first."""
    with pytest.raises(UnknownName) as caught:
        Scorer(given)
    assert str(caught.value) == (
        f"unknown preset {given!r} (did you mean {meant!r}?); known: those of `meteorlib presets list`"
    )
    assert caught.value.known == preset_names()


@pytest.mark.parametrize("given", ["xyzzy", "", "m", "-", "x" * 100_000])
def test_nothing_is_meant(given):
    """No suggestion is made without a similar name; very long names are shortened and not compared."""
    with pytest.raises(UnknownName) as caught:
        Scorer(given)
    assert "did you mean" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_no_names_at_all():
    """If nothing is known, nothing is proposed."""
    assert did_you_mean("x", []) == did_you_mean("", []) == ""


def test_pickle():
    """An error is the same in another process."""
    with pytest.raises(UnknownName) as caught:
        Scorer("cs")
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (str(copy), copy.known) == (str(caught.value), caught.value.known)


def test_the_first_segment_that_is_blamed_stays():
    """The first place that names the segment of an error is kept."""
    error = InvalidText("hypothesis", "x")
    blame(error, 3)
    blame(error, 0)
    assert blamed_segment(error) == 3


def test_a_letter_is_no_part_of_a_name():
    """A single letter is not taken for the name that has it between hyphens."""
    assert did_you_mean("e", ["meteor-e-en", "nltk"]) == ""
    assert did_you_mean("en", ["meteor-e-en", "nltk"]) == " (did you mean 'meteor-e-en'?)"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InvalidText("hypothesis", "NUL"), "image 3: hypothesis: NUL"),
        (InputMismatch("no reference"), "image 3: no reference"),
        (TypeError("no text"), "image 3: no text"),
    ],
)
def test_error_at_a_place(error, message):
    """An error about input names its place and stays of its class."""
    placed = error_at("image 3: ", error)
    assert (type(placed), str(placed)) == (type(error), message)
