"""Statistics: counting, adding, METEOR's line of 23 numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.arrays import breakdowns
from meteorlib.core import Parameters, Segment, StageCounts, Statistics
from meteorlib.core.breakdown import breakdown
from meteorlib.core.formula import penalize

ZERO = Statistics.zero(4)
LINE = "29.0 31.0 12.0 13.0 14.0 14.0 9.0 9.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 3.0 2.0 0.0 1.0 10.0 26.0 25.0"
PERFECT = "6.0 6.0 3.0 3.0 3.0 3.0 3.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 6.0 6.0"

number = st.integers(0, 10**6)
counts = st.builds(StageCounts, number, number, number, number)


def some_statistics(stages=4):
    """Any statistics with the given number of stages."""
    return st.builds(Statistics, *[number] * 4, st.tuples(*[counts] * stages), *[number] * 4)


def segment(text, function="the a", *, characters=False):
    """A segment with its function words."""
    words = tuple(text.split())
    sizes = [len(word) if characters else 1 for word in words]
    return Segment(words, [word in function.split() for word in words], sizes, {}, ())


def parameters(formula):
    """Any parameters of a formula."""
    return Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula=formula)


def test_counting():
    """Content and function words are counted apart, for each side and stage; chunks as the rule says."""
    reference, hypothesis = segment("the cat sat on a mat"), segment("a feline sat the mat")
    matches = [(0, 1, 3, 1, 0), (1, 1, 1, 1, 1), (2, 1, 2, 1, 0), (4, 2, 4, 1, 2)]
    assert Statistics.of(reference, hypothesis, matches, 3) == Statistics(
        5, 6, 2, 2, (StageCounts(1, 1, 1, 1), StageCounts(1, 1, 0, 0), StageCounts(1, 1, 0, 1)), 3, 3, 4, 5
    )


def test_counting_characters():
    """If characters count, lengths and stage counts are theirs; chunks and matched words stay words."""
    reference, hypothesis = segment("the cat", characters=True), segment("the felines", characters=True)
    found = Statistics.of(reference, hypothesis, [(0, 1, 0, 1, 0), (1, 1, 1, 1, 1)], 2)
    assert found == Statistics(10, 6, 3, 3, (StageCounts(0, 0, 3, 3), StageCounts(7, 3, 0, 0)), 1, 1, 2, 2)
    assert found.is_perfect


def test_perfect_segment():
    """All of both sides in one chunk: one chunk for people, none for the penalty of METEOR 1.5, one for 2005's."""
    both = segment("the cat sat")
    matches = [(position, 1, position, 1, 0) for position in range(3)]
    for formula, penalized in (("meteor-1.5", 0), ("meteor-2005", 1)):
        found = penalize(Statistics.of(both, both, matches, 1), parameters(formula))
        assert (found.chunks, found.penalized_chunks) == (1, penalized)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "matches"),
    [
        ("a cat", "a cat sat", [(0, 1, 0, 1, 0), (1, 1, 1, 1, 0)]),
        ("a cat sat", "a cat", [(0, 1, 0, 1, 0), (1, 1, 1, 1, 0)]),
        ("a cat", "cat a", [(0, 1, 1, 1, 0), (1, 1, 0, 1, 0)]),
        ("", "", []),
    ],
)
def test_not_perfect(reference, hypothesis, matches):
    """A word left over on either side, or a second chunk, and all chunks are penalized."""
    found = penalize(Statistics.of(segment(reference), segment(hypothesis), matches, 1), parameters("meteor-1.5"))
    assert found.penalized_chunks == found.chunks


@given(some_statistics(), some_statistics(), some_statistics())
def test_monoid(a, b, c):
    """Adding is associative and commutative, with zero as its neutral element."""
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + ZERO == ZERO + a == a


def test_adding_other_stages():
    """Statistics of different numbers of stages do not add up, and the error says both numbers."""
    with pytest.raises(ValueError, match="statistics of 4 and of 2 stages do not add up"):
        ZERO + Statistics.zero(2)


def test_matches_by_stage():
    """Each stage's matched hypothesis words, content and function together."""
    assert Statistics.from_line(LINE).matches == (23, 4, 12, 3)


@pytest.mark.parametrize("line", [LINE, PERFECT])
def test_line_is_read_and_written(line):
    """METEOR's line comes back as it was."""
    assert Statistics.from_line(line).line() == line


@given(some_statistics())
def test_line_round_trip(statistics):
    """A line holds all but which chunks are penalized, which follows from the rest in a segment."""
    read = Statistics.from_line(statistics.line())
    assert read.line() == statistics.line()
    assert read.stages == statistics.stages


def test_line_of_fewer_stages():
    """METEOR's line always has four stages; those that a preset lacks are 0.0 and left out in reading."""
    line = PERFECT.replace("1.0 6.0 6.0", "2.0 6.0 6.0")
    found = Statistics.from_line(line, stages=1)
    assert len(found.stages) == 1
    assert found.line() == line


@pytest.mark.parametrize("stages", [1, 3, 4, 6])
def test_line_for_a_meteor(stages):
    """A line is read for a given number of stages, and nothing in it is silently left out."""
    found = Statistics.from_line(PERFECT, stages)
    assert found.stages == (StageCounts(3, 3, 3, 3), *[StageCounts(0, 0, 0, 0)] * (stages - 1))
    assert (found.hypothesis_matches, found.penalized_chunks) == (6, 0)
    if stages < 4:
        with pytest.raises(
            ValueError, match=rf"^the line has matches of stage {stages + 1}, but is read for {stages} "
        ):
            Statistics.from_line(LINE, stages)


def test_line_finds_perfect_segments():
    """A line of a perfect segment penalizes no chunk."""
    assert Statistics.from_line(PERFECT).penalized_chunks == 0
    assert Statistics.from_line(LINE).penalized_chunks == 10


@pytest.mark.parametrize("count", [1, 2])
def test_line_is_scored_by_any_formula(count):
    """A line does not say which chunks are penalized: the formula that scores it decides, also for a sum of lines."""
    total = sum((Statistics.from_line(PERFECT, 1) for _ in range(count)), Statistics.zero(1))
    for formula, fragmentation in (("meteor-1.5", 0.0), ("meteor-2005", 1 / 6)):
        assert breakdown(total, parameters(formula)).fragmentation == fragmentation
        assert breakdowns(np.array([total.counts()]), parameters(formula)).fragmentation == fragmentation


def test_line_in_other_forms():
    """Whole numbers in any form are read, and text after the 23rd is ignored."""
    assert Statistics.from_line("6 " + PERFECT[4:] + " 1.5 x") == Statistics.from_line(PERFECT)
    assert Statistics.from_line("1e3 " + PERFECT[4:]).hypothesis_length == 1000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 23 statistics, got 0"),
        ("1.0 2.0", "expected 23 statistics, got 2"),
        (LINE.replace("31.0", "31.5"), "not a whole number: 31.5"),
        (LINE.replace("31.0", "3_1"), "not a whole number: 3_1"),
        (LINE.replace("31.0", "３１"), "not a whole number: ３１"),
        (LINE.replace("31.0", "nan"), "not a whole number: nan"),
        (LINE.replace("31.0", "inf"), "not a whole number: inf"),
        (LINE.replace("31.0", "x"), "not a whole number: x"),
    ],
)
def test_bad_lines(line, message):
    """A line that is too short or has anything but whole numbers is refused with the reason."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 – compared below
        Statistics.from_line(line)
    assert str(caught.value) == message


@pytest.mark.parametrize("place", [1, 5, 21, 23])
def test_negative_numbers_are_refused(place):
    """A negative number is refused with its place, and so is a negative number of stages."""
    numbers = LINE.split()
    numbers[place - 1] = "-3"
    with pytest.raises(ValueError, match=f"^number {place} of the line is negative: -3$"):
        Statistics.from_line(" ".join(numbers))
    with pytest.raises(ValueError, match="stages must be 0 or more, got -1"):
        Statistics.from_line(LINE, stages=-1)
