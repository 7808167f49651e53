"""English stemmers give the stems that were recorded from other programs; tests/oracle/test_stems.py asks METEOR's."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from meteorlib.resources.stemmers import stemmer

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.mark.parametrize("name", ["snowball-en", "porter", "porter-nltk"])
def test_recorded_stems(name):
    """Words of texts, irregular forms, and letters before any of the endings have the recorded stems."""
    stem = stemmer(name)
    lines = (GOLDEN / f"{name}.tsv").read_text(encoding="utf-8").split("\n")[:-1]
    rows = [line.split("\t") for line in lines if not line.startswith("# ")]
    assert len(rows) > 1_000
    assert [(word, stem(word), expected) for word, expected in rows if stem(word) != expected] == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("skies", "sky"),  # irregular
        ("Is", "is"),  # two letters are kept
        ("dies", "die"),  # four letters in -ies and -ied
        ("died", "die"),
        ("flies", "fli"),
        ("spied", "spi"),
        ("enjoy", "enjoy"),  # y behind a vowel
        ("spy", "spi"),  # y behind a consonant
        ("aging", "age"),  # a vowel and a consonant are short
        ("nationally", "nation"),  # -alli first
        ("hopefully", "hope"),  # -fulli
        ("geology", "geolog"),  # -logi with its l
        ("possibly", "possibl"),  # -bli
    ],
)
def test_where_nltk_departs_from_porter(word, expected):
    """NLTK's extensions, one by one."""
    assert stemmer("porter-nltk")(word) == expected


def test_nltk_lowercases():
    """NLTK's stemmer lowercases, other stemmers do not."""
    assert stemmer("porter-nltk")("RUNNING") == "run"
    assert stemmer("porter")("RUNNING") == "RUNNING"


def test_any_string():
    """Any string has a stem; a word of 100,000 letters takes no time."""
    for word in ["", "\0", "\ud800", "Ωμέγα", "y" * 100_000, "*ded", "ing", "ied"]:
        assert isinstance(stemmer("porter-nltk")(word), str)


@pytest.mark.parametrize(
    ("name", "word", "stem"),
    [
        ("porter-nltk", "cats", "cat"),
        ("snowball-en", "goods", "good"),
        ("snowball-de", "häuser", "haus"),
        ("snowball-fi", "talossa", "talo"),
    ],
)
def test_pickle(name, word, stem):
    """A stemmer goes through pickle."""
    assert pickle.loads(pickle.dumps(stemmer(name)))(word) == stem  # noqa: S301
