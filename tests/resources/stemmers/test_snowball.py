"""The stemmers that are not snowballstemmer's own; tests/oracle/test_stems.py compares all with METEOR's."""

from __future__ import annotations

import pytest

from meteorlib.resources.stemmers.by_name import stemmer


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("ergebnis", "ergebnis"),
        ("ergebnisse", "ergebniss"),
        ("ergebnissen", "ergebniss"),
        ("zeugnisses", "zeugniss"),
        ("zeugniße", "zeugniss"),
        ("kenntnisser", "kenntniss"),
        ("nissen", "niss"),
        ("ERGEBNISSE", "ERGEBNISSE"),
        ("häuser", "haus"),
    ],
)
def test_german(word, stem):
    """Ergebnisse and Ergebnis have two stems, as in METEOR 1.5; newer Snowball gives them one."""
    assert stemmer("snowball-de")(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("aatteeseen", "aattees"),
        ("aatteiden", "aatteid"),
        ("afrikkalaisiin", "afrikkalais"),
        ("sektoreidenkin", "sektoreid"),
        ("talossa", "talo"),
        ("vapaaseen", "vapaas"),
    ],
)
def test_finnish(word, stem):
    """The endings -den, -tten, -siin and -seen are not found, as in METEOR 1.5; the others are."""
    assert stemmer("snowball-fi")(word) == stem
