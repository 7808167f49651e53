"""Detection of shifted lines."""

from __future__ import annotations

import random

import pytest

from meteorlib import compare
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Rows
from meteorlib.errors import MeteorWarning
from meteorlib.inputs.shifts import ShiftFinder

WORDS = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("a", "e", "an", "ol", "ir", "us")]
COMMON = "the of and to in a is that".split()


def texts(count, seed=1):
    """References, and hypotheses that have about half of their words; neighbors share common words."""
    draw = random.Random(seed)
    references = [draw.choices(COMMON, k=6) + draw.choices(WORDS, k=8) for _ in range(count)]
    hypotheses = [[word if draw.random() < 0.6 else draw.choice(WORDS) for word in words] for words in references]
    return [[" ".join(words) for words in side] for side in (hypotheses, references)]


def shift_of(hypotheses, references, size=500):
    """The shift of texts that are read in batches."""
    finder = ShiftFinder(len(hypotheses))
    pairs = [Pair([ref] if isinstance(ref, str) else ref, hyp) for hyp, ref in zip(hypotheses, references, strict=True)]
    for start in range(0, len(pairs), size):
        finder.add(Rows(pairs[start : start + size]))
    return finder.shift()


@pytest.mark.parametrize("count", [8, 60, 700, 5000])
@pytest.mark.parametrize("offset", [-3, -1, 1, 2])
def test_shifted(count, offset):
    """A whole file that is shifted is found, in files of any length."""
    hypotheses, references = texts(count)
    moved = hypotheses[offset:] + [""] * offset if offset > 0 else ["x"] * -offset + hypotheses[:offset]
    found = shift_of(moved, references)
    assert found is not None
    assert found.offset == offset
    assert found.last - found.first > 0.4 * count


@pytest.mark.parametrize("count", [1, 8, 60, 700, 5000])
def test_parallel(count):
    """Parallel files are not noted, whatever their order, nor texts that all differ from their references."""
    hypotheses, references = texts(count)
    assert shift_of(hypotheses, references) is None
    assert shift_of(texts(count, 2)[0], references) is None
    assert shift_of([""] * count, references) is None


def test_repeated_references():
    """Neighbors with the same reference, such as captions of one image, are no shift."""
    hypotheses, references = texts(100)
    assert (
        shift_of([hyp for hyp in hypotheses for _ in range(5)], [ref for ref in references for _ in range(5)]) is None
    )


def test_from_a_lost_line_on():
    """A line that is lost in the middle is found where it is; one that is added at the end makes up for it."""
    hypotheses, references = texts(2000)
    found = shift_of([*hypotheses[:1200], *hypotheses[1201:], "x"], references)
    assert found is not None
    assert (found.offset, found.last) == (1, 1906)
    assert 1190 < found.first < 1280
    assert str(found).startswith(f"its segments {found.first} to 1906 match the references 1 line later clearly better")


def test_several_references():
    """The best of several references counts."""
    hypotheses, references = texts(60)
    listed = [["other words", ref] for ref in references]
    assert shift_of(hypotheses, listed) is None
    assert shift_of(["x", *hypotheses[:-1]], listed).offset == -1


def test_without_blanks():
    """Text of a script without blanks is compared by its letters."""
    draw = random.Random(3)
    references = ["".join(chr(draw.randint(0x4E00, 0x4F00)) for _ in range(20)) for _ in range(40)]
    assert shift_of(references, references) is None
    assert shift_of([*references[1:], "x"], references).offset == 1


def test_compare():
    """In Python it is a warning."""
    hypotheses, references = texts(60)
    with pytest.warns(
        MeteorWarning, match="moved seems to be shifted: its segments 1 to 59 match the references 1 line "
    ):
        compare({"moved": [*hypotheses[1:], "x"], "other": hypotheses}, references, samples=10)
