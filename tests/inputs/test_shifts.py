"""Detection of lines that are shifted, or in another order."""

from __future__ import annotations

import random

import pytest

from meteorlib import compare
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Rows
from meteorlib.errors import MeteorWarning
from meteorlib.inputs.shifts import OrderFinder

WORDS = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("a", "e", "an", "ol", "ir", "us")]
COMMON = "the of and to in a is that".split()


def texts(count, seed=1):
    """References, and hypotheses that have about half of their words; neighbors share common words."""
    draw = random.Random(seed)
    references = [draw.choices(COMMON, k=6) + draw.choices(WORDS, k=8) for _ in range(count)]
    hypotheses = [[word if draw.random() < 0.6 else draw.choice(WORDS) for word in words] for words in references]
    return [[" ".join(words) for words in side] for side in (hypotheses, references)]


def found_in(hypotheses, references, size=500):
    """A shift or another order in texts that are read in batches; None if there is none."""
    finder = OrderFinder(len(hypotheses), lambda: [Rows(pairs)])
    pairs = [Pair([ref] if isinstance(ref, str) else ref, hyp) for hyp, ref in zip(hypotheses, references, strict=True)]
    for start in range(0, len(pairs), size):
        finder.add(Rows(pairs[start : start + size]))
    return finder.found()


@pytest.mark.parametrize("count", [8, 60, 700, 5000])
@pytest.mark.parametrize("offset", [-3, -1, 1, 2])
def test_shifted(count, offset):
    """A whole file that is shifted is found, in files of any length."""
    hypotheses, references = texts(count)
    moved = hypotheses[offset:] + [""] * offset if offset > 0 else ["x"] * -offset + hypotheses[:offset]
    found = found_in(moved, references)
    assert found is not None
    assert found.offset == offset
    assert found.last - found.first > 0.4 * count


@pytest.mark.parametrize("count", [1, 8, 60, 700, 5000])
def test_parallel(count):
    """Parallel files are not noted, whatever their order, nor texts that all differ from their references."""
    hypotheses, references = texts(count)
    assert found_in(hypotheses, references) is None
    assert found_in(texts(count, 2)[0], references) is None
    assert found_in([""] * count, references) is None


def test_repeated_references_are_read_once():
    """Several systems' outputs of a segment, one after the other, are no reason to read all references again."""

    def again():
        raise AssertionError("read again")

    hypotheses, references = texts(60)
    pairs = [Pair([references[at // 8]], hypotheses[at // 8]) for at in range(480)]
    finder = OrderFinder(len(pairs), again)
    finder.add(Rows(pairs))
    assert finder.found() is None


def test_repeated_references():
    """Neighbors with the same reference, such as captions of one image, are no shift."""
    hypotheses, references = texts(100)
    assert (
        found_in([hyp for hyp in hypotheses for _ in range(5)], [ref for ref in references for _ in range(5)]) is None
    )


def test_from_a_lost_line_on():
    """A line that is lost in the middle is found where it is; one that is added at the end makes up for it."""
    hypotheses, references = texts(2000)
    found = found_in([*hypotheses[:1200], *hypotheses[1201:], "x"], references)
    assert found is not None
    assert (found.offset, found.last) == (1, 1906)
    assert 1190 < found.first < 1280
    assert str(found).startswith(
        f"to be shifted: its segments {found.first} to 1906 match the references 1 line later clearly better"
    )


@pytest.mark.parametrize("count", [60, 700])
@pytest.mark.parametrize("order", ["shuffled", "sorted", "reversed", "halves", "third"])
def test_another_order(count, order):
    """Lines in another order than their references are found, by an example; one pair of texts is enough."""
    hypotheses, references = texts(count)
    places = [*range(count)]
    if order == "third":
        places[: count // 3] = places[count // 3 - 1 :: -1]
    moved = {
        "shuffled": random.Random(7).sample(places, count),
        "sorted": sorted(places, key=lambda place: hypotheses[place]),
        "reversed": places[::-1],
        "halves": places[count // 2 :] + places[: count // 2],
    }.get(order, places)
    found = found_in([hypotheses[place] for place in moved], references)
    segment, reference = found.places
    assert segment != reference == moved[segment - 1] + 1
    assert 4 <= found.found <= found.looked_at <= 30
    assert str(found).endswith(f"segment {segment} that of segment {reference}: put the lines into one order")


def test_texts_of_others():
    """Texts that match groups of equal references, or many a little, do not show another order."""
    hypotheses, references = texts(600)
    moved = random.Random(7).sample(hypotheses, 600)
    assert found_in([hyp for hyp in moved for _ in range(3)], [ref for ref in references for _ in range(3)]) is None
    assert found_in([" ".join(COMMON)] * 600, references) is None


def test_references_are_read_again_where_needed_only():
    """A file in the order of its references is read once."""
    hypotheses, references = texts(600)
    finder = OrderFinder(600, pytest.fail)
    finder.add(Rows([Pair((ref,), hyp) for hyp, ref in zip(hypotheses, references, strict=True)]))
    assert finder.found() is None


def test_several_references():
    """The best of several references counts."""
    hypotheses, references = texts(60)
    listed = [["other words", ref] for ref in references]
    assert found_in(hypotheses, listed) is None
    assert found_in(["x", *hypotheses[:-1]], listed).offset == -1


def test_without_blanks():
    """Text of a script without blanks is compared by its letters."""
    draw = random.Random(3)
    references = ["".join(chr(draw.randint(0x4E00, 0x4F00)) for _ in range(20)) for _ in range(40)]
    assert found_in(references, references) is None
    assert found_in([*references[1:], "x"], references).offset == 1


def test_compare():
    """In Python it is a warning."""
    hypotheses, references = texts(60)
    with pytest.warns(
        MeteorWarning, match="moved seems to be shifted: its segments 1 to 59 match the references 1 line "
    ):
        compare({"moved": [*hypotheses[1:], "x"], "other": hypotheses}, references, samples=10)
    with pytest.warns(MeteorWarning, match="moved seems to be in another order than the references: "):
        compare({"moved": hypotheses[::-1], "other": hypotheses}, references, samples=10)
