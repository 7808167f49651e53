"""Porter's first stemmer gives the stems of snowballstemmer 1.2.1."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.resources.porter_1980 import stem
from tests.examples import examples
from tests.resources.porter_stemmer import PorterStemmer

ENDINGS = """
ed ing eed s ss sses ies y Y tional enci anci abli entli eli izer ization ational ation ator alli alism aliti ousli
fulness ousness iveness iviti biliti alize icate iciti ical ative ful ness al ance ence er ic able ible ant ement ment
ent ou ism ate iti ous ive ize ion sion tion e l ll at bl iz bb tt zz
""".split()

SPECIAL = "s y Y ys yy yoYo Yes YOUTH boYs boyish eyes syzygy feed agreed bed fallen falling hoping hopping ed ing ies"


def _original(word: str) -> str:
    return PorterStemmer().stemWord(word)


@pytest.mark.parametrize("word", ["", "élan", "'s", *SPECIAL.split()])
def test_odd_words(word):
    """Words that are little more than an ending, and the two kinds of y."""
    assert stem(word) == _original(word)


@given(st.text("abcdeghilnostuvwxyYé'", max_size=7), st.lists(st.sampled_from(ENDINGS), max_size=3))
@examples(3000)
def test_random_words(start, endings):
    """Any letters before any of the endings."""
    word = start + "".join(endings)
    assert stem(word) == _original(word)


def test_real_words(root: Path):
    """Every word of the project's own English, in three spellings, with endings put on."""
    texts = [*sorted((root / "examples").glob("*.en")), *sorted((root / "tests" / "data").glob("en.*"))]
    words = {word for path in texts for word in path.read_text(encoding="utf-8").split()}
    draw = random.Random(1)
    words |= {word + draw.choice(ENDINGS) for word in words}
    for word in words:
        for spelled in (word, word.lower(), word.upper()):
            assert stem(spelled) == _original(spelled)
