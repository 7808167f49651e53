"""The laws of Corpus: a sum of statistics that is scored once."""

from __future__ import annotations

from itertools import permutations
from math import fsum

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from meteorlib import Scorer, SearchConfig
from meteorlib.core.formula import NUMBERS
from meteorlib.errors import InputMismatch

SCORER = Scorer()
NEW = Scorer("meteor-1.5-en-core")

WORDS = ["the", "a", "cat", "cats", "dog", "sat", "sits", "on", "mat", "rug", "good", "well"]

sentence = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
segment = st.tuples(st.one_of(sentence, st.lists(sentence, min_size=1, max_size=3)), sentence)
segments = st.lists(segment, max_size=6)
scorers = st.sampled_from([SCORER, NEW])


def corpus_of(pairs, scorer=SCORER):
    """A corpus of segments given as references and hypothesis."""
    corpus = scorer.corpus()
    for reference, hypothesis in pairs:
        corpus.add(reference, hypothesis)
    return corpus


def content(corpus):
    """Results of a corpus for all its segments together."""
    state = (corpus.statistics, corpus.segment_count, corpus.empty_hypotheses, corpus.empty_references, corpus.inexact)
    numbers = (corpus.score(), corpus.mean()) if len(corpus) else ()
    return *state, *numbers


@settings(deadline=None)
@given(scorers, segment)
def test_corpus_of_one(scorer, pair):
    """A corpus of one segment scores as the segment does, to the last digit."""
    corpus = scorer.corpus()
    scored = corpus.add(*pair)
    total = corpus.score()
    for name in NUMBERS:
        assert getattr(total, name) == pytest.approx(getattr(scored, name), rel=0, abs=0, nan_ok=True)
    assert total.statistics == scored.statistics
    assert corpus.mean() == scored.score
    assert (total.alignment, total.reference_index) == (None, None)


@settings(deadline=None)
@given(scorers, segments, st.randoms())
def test_order_does_not_matter(scorer, pairs, random):
    """Segments in any order make the same corpus: sums, score and mean, to the last digit."""
    shuffled = random.sample(pairs, len(pairs))
    assert content(corpus_of(shuffled, scorer)) == content(corpus_of(pairs, scorer))


@settings(deadline=None)
@given(scorers, segments, segments, segments)
def test_monoid(scorer, a, b, c):
    """Corpora add up associatively and commutatively, the empty corpus adds nothing, and + equals adding all."""
    one, two, three = (corpus_of(pairs, scorer) for pairs in (a, b, c))
    expected = content(corpus_of([*a, *b, *c], scorer))
    assert content((one + two) + three) == content(one + (two + three)) == content((three + one) + two) == expected
    assert content(one + scorer.corpus()) == content(scorer.corpus() + one) == content(one)


@settings(deadline=None)
@given(segments, segments)
def test_merge(a, b):
    """Merging changes its corpus into the sum, and leaves the other one as it is."""
    one, two = corpus_of(a), corpus_of(b)
    before = content(two)
    assert one.merge(two) is one
    assert content(one) == content(corpus_of([*a, *b]))
    assert content(two) == before
    assert len(one.segments) == len(a) + len(b)


def test_plus_leaves_both_sides():
    """+ makes a new corpus."""
    one, two = corpus_of([("a b", "a")]), corpus_of([("c", "c")])
    before = content(one), content(two)
    both = one + two
    both.add("d", "d")
    assert (content(one), content(two)) == before


def test_merge_with_itself():
    """A corpus can be merged with itself: each segment counts twice."""
    corpus = corpus_of([("a b", "a"), ("c", "d")])
    assert content(corpus.merge(corpus)) == content(corpus_of([("a b", "a"), ("c", "d")] * 2))


def test_perfect_segments_under_1_5():
    """METEOR 1.5: a perfect segment adds no chunk to those that the corpus is penalized for; 2005 counts all."""
    pairs = [("the cat sat", "the cat sat"), ("on the mat", "mat the on")]
    assert (corpus_of(pairs, NEW).statistics.chunks, corpus_of(pairs, NEW).statistics.penalized_chunks) == (4, 3)
    assert (corpus_of(pairs).statistics.chunks, corpus_of(pairs).statistics.penalized_chunks) == (4, 4)
    assert corpus_of(pairs[:1], NEW).score().score == 1.0


def test_mean():
    """The mean is that of the segment scores, exact in any order, and not the corpus score."""
    pairs = [("the cat sat on the mat", hypothesis) for hypothesis in ("the cat", "on the mat sat the cat", "x", "the")]
    means = {corpus_of(order).mean() for order in permutations(pairs)}
    corpus = corpus_of(pairs)
    assert means == {corpus.mean()}
    assert corpus.mean() == pytest.approx(fsum(one.score for one in corpus.segments) / 4, rel=1e-15)
    assert corpus.mean() != corpus.score().score


def test_segments():
    """The segments are kept in order, each as add returned it."""
    corpus = SCORER.corpus()
    scored = [corpus.add("a b", "a"), corpus.add(["c", "d e"], "d e")]
    assert corpus.segments == tuple(scored)
    assert len(corpus) == corpus.segment_count == 2


def test_without_segments():
    """A corpus that keeps no segments scores the same and says how to keep them."""
    kept, bare = SCORER.corpus(), SCORER.corpus(keep_segments=False)
    for corpus in (kept, bare):
        corpus.add("a b", "b a")
    assert content(kept) == content(bare)
    for corpus in (bare, kept + bare, bare + kept):
        with pytest.raises(
            InputMismatch, match=r"does not keep its segments; make it with corpus\(keep_segments=True\)"
        ):
            corpus.segments  # noqa: B018 – the property raises


def test_words():
    """Segments that are already in words add up with those that are not."""
    corpus = SCORER.corpus()
    corpus.add("a b", "a b")
    corpus.add_tokens([["a", "b"]], ["a", "b"])
    assert corpus.segments[0].statistics == corpus.segments[1].statistics


def test_extend_skips_nothing():
    """A value that is not text is refused, even if both sides have it."""
    corpus = SCORER.corpus()
    with pytest.raises(TypeError, match="got NoneType"):
        corpus.extend(references=[None, "a b"], hypotheses=[None, "a b"])
    assert len(corpus) == 0


def test_extend():
    """Extending adds segment by segment and returns the corpus."""
    corpus = SCORER.corpus().extend(references=["a b", ["c", "c d"]], hypotheses=iter(["a", "c d"]))
    assert content(corpus) == content(corpus_of([("a b", "a"), (["c", "c d"], "c d")]))


@pytest.mark.parametrize(
    ("references", "hypotheses", "message"),
    [
        (3, 2, "3 references but 2 hypotheses: segment 3 has no hypothesis; nothing was added"),
        (1, 4, "1 references but 4 hypotheses: segment 2 has no reference; nothing was added"),
        (0, 1, "0 references but 1 hypotheses: segment 1 has no reference; nothing was added"),
    ],
)
def test_unequal_lengths(references, hypotheses, message):
    """Unequal numbers of references and hypotheses are an error that names both."""
    with pytest.raises(InputMismatch) as caught:
        SCORER.corpus().extend(references=["a"] * references, hypotheses=iter(["a"] * hypotheses))
    assert str(caught.value) == message


def test_empty_segments_are_counted():
    """Segments without words score 0 and are counted, by side."""
    corpus = corpus_of([("a", ""), ("", "a"), ("", ""), ("a", " \t "), ("a", "a")])
    assert [one.score for one in corpus.segments][:4] == [0.0] * 4
    assert (corpus.empty_hypotheses, corpus.empty_references, corpus.segment_count) == (3, 2, 5)


def test_nothing_to_score():
    """A corpus without segments has no score and no mean, and says so."""
    for ask in (SCORER.corpus().score, SCORER.corpus().mean):
        with pytest.raises(InputMismatch) as caught:
            ask()
        assert str(caught.value) == "nothing to score: no segment was added"


def test_other_presets_are_refused():
    """Corpora of different METEORs are not merged; both signatures are named."""
    one, other = corpus_of([("a", "a")]), corpus_of([("a", "a")], NEW)
    before = content(one)
    for merge in (lambda: one.merge(other), lambda: one + other):
        with pytest.raises(InputMismatch) as caught:
            merge()
        assert str(caught.value) == (
            f"these corpora were scored differently and cannot be merged: {SCORER.signature} and {NEW.signature}"
        )
    assert content(one) == before


def test_equal_presets_are_merged():
    """Corpora of one configuration can be added, even if their Scorer objects differ."""
    assert len(corpus_of([("a", "a")]) + corpus_of([("a", "b")], Scorer("meteor-2005"))) == 2


def test_inexact_segments_are_counted():
    """Segments whose search hit its budget are counted, and the corpus score says that it is not certain."""
    scorer = Scorer(evolve(SCORER.config, search=SearchConfig("staged", budget=1)))
    corpus = scorer.corpus()
    scored = corpus.add("x " * 60, "x " * 30)
    corpus.add("a", "a")
    assert (scored.optimal, corpus.inexact, corpus.score().optimal) == (False, 1, False)


def test_a_refused_merge_changes_nothing():
    """A corpus that keeps its segments takes none that does not, and stays as it is; a number is no summand."""
    one, other = corpus_of([("a", "a")]), SCORER.corpus(keep_segments=False)
    other.add("b", "b")
    before = content(one)
    with pytest.raises(InputMismatch, match="does not keep its segments"):
        one.merge(other)
    assert content(one) == before
    with pytest.raises(TypeError):
        one + 1
