"""Views of an alignment."""

from __future__ import annotations

from itertools import combinations

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Chunking, Match, Scorer
from meteorlib.core import Alignment, Chunk

# reference: the cat sat down quickly · hypothesis: fast the cat took a seat
PARAPHRASE = Alignment(
    ("the", "cat", "sat", "down", "quickly"),
    ("fast", "the", "cat", "took", "a", "seat"),
    (Match(0, 1, 1, 1, 0), Match(1, 1, 2, 1, 0), Match(2, 2, 3, 3, 2), Match(4, 1, 0, 1, 1)),
    ("exact", "synonym", "paraphrase"),
)
NOTHING = Alignment(("a",), ("b", "c"), (), ("exact",))


@st.composite
def one_to_one(draw):
    """Alignments of single words."""
    order = draw(st.permutations(range(draw(st.integers(0, 9)))))
    kept = draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    words = tuple(map(str, range(len(order))))
    matches = [Match(place, 1, start, 1, 0) for place, start in enumerate(order) if kept[place]]
    return Alignment(words, words, tuple(matches), ("exact",))


def test_by_reference():
    """Each matched reference position leads to its match, all words of a phrase to the same one."""
    first, second, phrase, last = PARAPHRASE.matches
    assert PARAPHRASE.by_reference == {0: first, 1: second, 2: phrase, 3: phrase, 4: last}


def test_by_hypothesis():
    """Each matched hypothesis position leads to its match, all words of a phrase to the same one."""
    first, second, phrase, last = PARAPHRASE.matches
    assert PARAPHRASE.by_hypothesis == {0: last, 1: first, 2: second, 3: phrase, 4: phrase, 5: phrase}


def test_unmatched():
    """The words that no match covers are named by position, on either side."""
    assert (PARAPHRASE.unmatched_reference, PARAPHRASE.unmatched_hypothesis) == ((), ())
    assert (NOTHING.unmatched_reference, NOTHING.unmatched_hypothesis) == ((0,), (0, 1))


def test_pairs():
    """Matches can be read as words with the name of their stage."""
    assert list(PARAPHRASE.pairs()) == [
        (("the",), ("the",), "exact"),
        (("cat",), ("cat",), "exact"),
        (("sat", "down"), ("took", "a", "seat"), "paraphrase"),
        (("quickly",), ("fast",), "synonym"),
    ]
    assert list(NOTHING.pairs()) == []


def test_plain_data():
    """Plain data name the stage of a match, and its grade where matches may count in part."""
    graded = evolve(NOTHING, matches=(Match(0, 1, 1, 1, 0),), grades=(2500,))
    (match,) = graded.to_dict()["matches"]
    (ungraded,) = evolve(graded, grades=None).to_dict()["matches"]
    assert match == ungraded | {"grade": 0.25}
    assert graded.to_dict() == {"reference": ["a"], "hypothesis": ["b", "c"], "matches": [match], "optimal": True}
    assert repr(evolve(graded, optimal=False)) == (
        "Alignment(reference_words=1, hypothesis_words=2, matches=1, optimal=False)"
    )


def test_crossings_of_an_example():
    """A match that goes back over three others crosses three."""
    assert PARAPHRASE.crossings == 3
    assert NOTHING.crossings == 0


@given(one_to_one())
def test_crossings(alignment):
    """Two matches cross where the products of their position differences is negative."""
    expected = sum(
        (a.reference_start - b.reference_start) * (a.hypothesis_start - b.hypothesis_start) < 0
        for a, b in combinations(alignment.matches, 2)
    )
    assert alignment.crossings == expected


@given(one_to_one())
def test_matched_and_unmatched_are_all(alignment):
    """Every position of either side is matched or unmatched, never both."""
    for matched, unmatched in (
        (alignment.by_reference, alignment.unmatched_reference),
        (alignment.by_hypothesis, alignment.unmatched_hypothesis),
    ):
        assert sorted([*matched, *unmatched]) == list(range(len(alignment.reference)))


def test_frozen():
    """Nobody changes the evidence behind a score."""
    with pytest.raises(FrozenInstanceError):
        PARAPHRASE.matches = ()


def chunking(*matches):
    """The chunks of matches between long enough segments."""
    words = ("w",) * 20
    return Alignment(words, words, tuple(Match(*match) for match in matches), ("exact",)).chunking


@pytest.mark.parametrize(
    ("starts", "chunks"),
    [
        ([], 0),
        ([(0, 0)], 1),
        ([(0, 0), (1, 1), (2, 2)], 1),
        ([(0, 5), (1, 6)], 1),
        ([(0, 1), (1, 0)], 2),  # the other way round
        ([(0, 0), (2, 1)], 2),  # a reference word between them is unmatched
        ([(0, 0), (1, 2)], 2),  # a hypothesis word is
        ([(0, 3), (1, 4), (2, 5), (3, 0), (4, 1)], 2),
        ([(0, 0), (1, 1), (3, 3), (4, 4)], 2),
    ],
)
def test_count(starts, chunks):
    """A chunk ends where either side does not go on with the next word."""
    found = chunking(*((reference, 1, hypothesis, 1, 0) for reference, hypothesis in starts))
    assert found.count == len(found.chunks) == len(found.heads) == chunks


def test_chunks_of_phrases():
    """A chunk may have different lengths on its two sides; stages do not end it."""
    found = chunking((0, 1, 2, 1, 0), (1, 2, 3, 3, 3), (3, 1, 6, 1, 1), (4, 1, 0, 2, 3))
    assert found.chunks == (Chunk(0, 4, 2, 5), Chunk(4, 1, 0, 2))
    assert found.heads == (0, 3)


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core", "nltk"])
def test_what_a_scorer_gives(preset):
    """A breakdown has the chunking of its alignment, and its statistics count its chunks."""
    scored = Scorer(preset).score("the cat sat on the mat", "on the mat sat the cats")
    assert scored.chunking == scored.alignment.chunking == Chunking.of(scored.alignment.matches)
    assert scored.chunking.count == scored.statistics.chunks == len(scored.chunking.chunks) > 1


def test_no_alignment_no_chunking():
    """A corpus has no alignment, and so no chunking."""
    corpus = Scorer().corpus()
    corpus.add("the cat", "cat the")
    assert corpus.score().chunking is None
