"""``meteorlib stem``."""

from __future__ import annotations

import pytest

from meteorlib import Scorer


@pytest.mark.parametrize(
    "word", ["100", "11", "1,000", "3.1400", "-22", "555-44", "...", "--", "\u0661\u0661", "\u0967\u0967"]
)
def test_numbers_stay(run, word):
    """METEOR's stemmer leaves tokens of digits and . , - unchanged, also in Finnish, which would stem *100* to *10*."""
    assert run("stem", "fi", stdin=f"{word}\n".encode()).out == f"{word}\n"


@pytest.mark.parametrize(
    ("word", "stem"), [("a11", "a1"), ("%%", "%"), ("1:00", "1:0"), ("+11", "+1"), ("𝟙266", "𝟙26")]
)
def test_what_has_another_sign_is_a_word(run, word, stem):
    """Anything else is stemmed; digits beyond U+FFFF are none for Java."""
    assert run("stem", "fi", stdin=f"{word}\n".encode()).out == f"{stem}\n"


def test_scores_stem_numbers_all_the_same():
    """In METEOR's aligner 100 and 10 have one Finnish stem: only its command Stemmer leaves them."""
    alignment = Scorer("meteor-1.5-fi").align("100", "10")
    assert [stage for _, _, stage in alignment.pairs()] == ["stem"]


def test_byte_order_mark(run):
    """A byte order mark is no part of the first word."""
    assert run("stem", "en", stdin="\ufeffcats\n".encode()).out == "cat\n"
