"""Porter's stemmer with NLTK's extensions."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from meteorlib.resources.stemmers import stemmer

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "porter-nltk.tsv"

stem = stemmer("porter-nltk")


def test_recorded_stems():
    """The examples of Porter's paper, NLTK's irregular forms, and words of the examples inflected have NLTK's stems."""
    rows = [line.split("\t") for line in GOLDEN.read_text(encoding="utf-8").split("\n")[:-1]]
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
    assert stem(word) == expected


def test_it_lowercases():
    """NLTK's stemmer lowercases, other stemmers do not."""
    assert stem("RUNNING") == "run"
    assert stemmer("porter")("RUNNING") == "RUNNING"


def test_any_string():
    """Any string has a stem, long ones of y soon."""
    for word in ["", "\0", "\ud800", "Ωμέγα", "y" * 100_000, "*ded", "ing", "ied"]:
        assert isinstance(stem(word), str)


def test_pickle():
    """It goes through pickle."""
    assert pickle.loads(pickle.dumps(stem))("cats") == "cat"  # noqa: S301
