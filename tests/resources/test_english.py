"""The English stemmer gives the stems of snowballstemmer 1.2.1, which are METEOR 1.5's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.resources.english import stem
from tests.examples import examples
from tests.resources.english_stemmer import EnglishStemmer

ENDINGS = """
ed edly ing ingly eed eedly s 's ' 's' us ss sses ies ied y ly li tional enci anci abli entli izer ization
ational ation ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi logi fulli lessli alize
icate iciti ical ful ness ative al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion
sion tion e l ll at bl iz bb tt
""".split()

SPECIAL = """
skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes innings
outing cannings herrings earring proceeds exceeded succeeding generate generous communion arsenal arsenic yes
youth boyish sayings Yes YOUTH boYs 'tis o'clock a aa y yy yyy
""".split()


def _original(word: str) -> str:
    return EnglishStemmer().stemWord(word)


@pytest.mark.parametrize("word", SPECIAL)
def test_exceptions(word):
    """The words that the algorithm treats by themselves."""
    assert stem(word) == _original(word)


@given(
    st.text("abcdeghilnostuvwxyY'é", max_size=7),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)
@examples(3000)
def test_random_words(start, endings):
    """Any letters before any of the endings."""
    word = start + "".join(endings)
    assert stem(word) == _original(word)


@pytest.mark.thorough
def test_real_words(root: Path):
    """Every word of the project's own English, in three spellings, with endings put on."""
    texts = [*sorted((root / "examples").glob("*.en")), *sorted((root / "tests" / "data").glob("en.*"))]
    words = {word for path in texts for word in path.read_text(encoding="utf-8").split()}
    draw = random.Random(1)
    words |= {word + draw.choice(ENDINGS) for word in words}
    stemmer = EnglishStemmer()
    for word in words:
        for spelled in (word, word.lower(), word.upper()):
            assert stem(spelled) == stemmer.stemWord(spelled)
