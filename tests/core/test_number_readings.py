"""Numbers in texts: which are equal, in whatever form they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.number_readings import find_numbers, read_number, unequal, unpaired
from tests.examples import examples

EQUAL = """35,000 | 35 thousand
35,000 | 35.000
35,000 | 35000
623,000 | 623 000
1 million | 1 000 000
0.192 billion | 192 million
2.5 million | 2 . 5 million
2m | 2 million
3.2bn | 3.2 billion
2 crore | 20 million
1,234,567.89 | 1.234.567,89
1'000 | 1000
2,5 | 2.50
5.30 pm | 17 : 30
5 : 30 pm | 17.30
5 : 30pm | 17h30
17h | 17 : 00
10.00 | 10 : 00
5 pm | 17 : 00
5 pm | 17
2 : 30 | 14 : 30
2.30 | 14.30
840pm | 20 : 40
2.15pm | 2 : 15.00 pm
22 : 00 | 10 : 0 pm
12 : 30 | 12 h 30
25 | 25.10.
1st | 01.09.2014
24.05.2016 | 05.24.2016
12.5 | 12 and a half
12.75 | 12 years three quarters
12 am | 0 : 00
95 | 1995
1980s | 80s
11th | 11
٧ | 7
３５ | 35
thirty | 30
five million | 5,000,000
two hundred | 200"""

UNEQUAL = """30 | 13
35 million | 35 thousand
1980s | 90s
1995 | 1895
2.5 | 2.6
17 : 30 | 17 : 45
5 pm | 18
840pm | 20 : 45
25 | 24.10.
1 | 1.234.567
12.5 | 13 and a half
1980s | 1880s
2 : 30 | 15 : 30
0.50 | 12.50
11th | 12th
0.5 | 5
1,000 | 1,100
f16 | f18"""


def numbers(text):
    """The numbers of words between spaces."""
    return [*find_numbers([read_number(word) for word in text.split()])]


def contradict(one, other):
    """Whether both texts have a number in digits that the other lacks."""
    left = unpaired(numbers(one), numbers(other))
    return all(any(number.written for number in side) for side in left)


@pytest.mark.parametrize("pair", EQUAL.splitlines())
def test_equal(pair):
    """A number in two forms is equal, in either order, with words around it."""
    one, other = pair.split(" | ")
    for texts in ((one, other), (other, one), (f"in {one} , yes", f"by {other} .")):
        assert not contradict(*texts)


@pytest.mark.parametrize("pair", UNEQUAL.splitlines())
def test_unequal(pair):
    """Different numbers, in either order."""
    one, other = pair.split(" | ")
    assert contradict(one, other)
    assert contradict(other, one)


def test_each_number_is_the_equal_of_one():
    """A number that stands twice on one side needs two on the other; the first equal is taken."""
    left = unpaired(numbers("7 7 8"), numbers("7 9 9"))
    assert [[number.place for number in side] for side in left] == [[1, 2], [1, 2]]


def test_number_words_never_contradict():
    """A number in letters is the equal of one in digits, but no contradiction."""
    assert not contradict("twenty cars", "30 cars")
    assert not contradict("one of 7", "7 of them")


def test_spans():
    """Words with numbers, none of which are equal; a span without a number in digits has none to compare."""
    for one, other, expected in (
        ("12 may", "13 may", True),
        ("12 may", "may 12th", False),
        ("12", "twelve", False),
        ("may", "13", False),
        ("1 13", "13", False),
    ):
        spans = [[read_number(word) for word in text.split()] for text in (one, other)]
        assert unequal(*spans) == unequal(*reversed(spans)) == expected


ANY = st.text("0123456789.,:'hkmps٧", max_size=40) | st.from_regex(r"[0-9]{1,60}([.,][0-9]{1,60}){0,3}", fullmatch=True)


@examples(100)
@given(st.lists(ANY | st.sampled_from([".", ":", "000", "million", "k", "pm", "ten"]), max_size=12))
def test_any_text(words):
    """Whatever the words are, values fit 64 bits, and a text contradicts itself nowhere."""
    found = [*find_numbers([read_number(word) for word in words])]
    assert all(abs(reading) < 1 << 62 for number in found for reading in number.readings)
    assert unpaired(found, found) == ([], [])
