"""Scorer: from raw text to a breakdown."""

from __future__ import annotations

import sys
from inspect import signature
from math import fsum, isnan
from pathlib import Path

import pytest
from attrs import astuple, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from meteorlib import Pair, ParameterConfig, Scorer, ScorerConfig, StageConfig
from meteorlib.config import DEFAULT_PRESET, load_preset
from meteorlib.core.totals import Totals
from meteorlib.engine import engine
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import LanguageWarning

NEEDS_KERNEL = pytest.mark.skipif(load_kernel() is None, reason="not compiled")

PAPER = Scorer()
EXACT = Scorer("meteor-2005-exact")
NEW = Scorer("meteor-1.5-en-core")
ALL = {"2005": PAPER, "exact": EXACT, "1.5": NEW}

WORDS = ["the", "a", "cat", "cats", "dog", "sat", "sits", "on", "mat", "well", "good", "goods"]

word = st.one_of(st.sampled_from(WORDS), st.text("aé.,'ß😀", min_size=1, max_size=4))
sentence = st.lists(word, max_size=10).map(" ".join)
any_scorer = st.sampled_from(list(ALL.values()))


@pytest.mark.parametrize(
    ("hypothesis", "precision", "recall", "f_mean", "chunks", "penalty", "score"),
    [
        ("on the mat sat the cat", 1, 1, 1, 6, 0.5, 0.5),
        ("the cat sat on the mat", 1, 1, 1, 1, 0.0023, 0.9977),
        ("the cat was sat on the mat", 0.8571, 1, 0.9836, 2, 0.0185, 0.9654),
    ],
)
def test_worked_examples(hypothesis, precision, recall, f_mean, chunks, penalty, score):
    """METEOR 2005's worked examples, from raw text, with all of its stages."""
    found = PAPER.score("the cat sat on the mat", hypothesis)
    numbers = (found.precision, found.recall, found.f_mean, found.penalty, found.score)
    assert numbers == pytest.approx((precision, recall, f_mean, penalty, score), abs=5e-5)
    assert found.statistics.chunks == chunks
    assert found.optimal


def test_search_objective_belongs_to_a_preset():
    """METEOR 2005 aligns with 8 crossings in 6 chunks what METEOR 1.5 aligns with 11 in 3."""
    pair = ("the cat sat on the mat", "on the mat sat the cat")
    old, new = PAPER.score(*pair), NEW.score(*pair)
    assert (old.alignment.crossings, old.statistics.chunks) == (8, 6)
    assert (new.alignment.crossings, new.statistics.chunks) == (11, 3)


def test_stages_of_2005():
    """Exact good-good, stem goods-good, synonym well-good."""
    for reference, stage in (("good", "exact"), ("goods", "stem"), ("well", "synonym")):
        assert [name for *_, name in PAPER.align(reference, "good").pairs()] == [stage]


def test_default():
    """The default is METEOR 2005, which needs nothing but the package."""
    assert PAPER.config == load_preset(DEFAULT_PRESET) == load_preset("meteor-2005")


@settings(deadline=None)
@given(any_scorer, sentence, sentence)
def test_scores_and_alignments(metric, reference, hypothesis):
    """Scores are from 0 to 1, matches one-to-one, in reference order, inside both sides."""
    found = metric.score(reference, hypothesis)
    assert 0 <= found.score <= 1
    alignment = found.alignment
    assert len(alignment.by_reference) == sum(match.reference_length for match in alignment.matches)
    assert len(alignment.by_hypothesis) == sum(match.hypothesis_length for match in alignment.matches)
    assert list(alignment.by_reference) == sorted(alignment.by_reference)
    assert set(alignment.by_reference) <= set(range(len(alignment.reference)))
    assert set(alignment.by_hypothesis) <= set(range(len(alignment.hypothesis)))
    assert found.statistics.hypothesis_length == len(alignment.hypothesis)
    assert found.statistics.reference_length == len(alignment.reference)


@settings(deadline=None)
@given(any_scorer, sentence.filter(str.strip))
def test_identical_texts(metric, text):
    """Identical texts are matched whole: precision and recall are 1, and METEOR 1.5 takes nothing off."""
    found = metric.score(text, text)
    if not found.statistics.hypothesis_length:
        return
    assert found.precision == found.recall == pytest.approx(1, rel=1e-15)
    assert found.statistics.chunks == 1
    if metric is NEW:
        assert found.score == pytest.approx(1, rel=1e-15)


@settings(deadline=None)
@given(any_scorer, st.lists(sentence, min_size=1, max_size=4), sentence)
def test_best_reference_counts(metric, references, hypothesis):
    """The reference with the highest score counts, with its alignment and statistics; of equals the larger or first."""
    found = metric.score(references, hypothesis)
    single = [metric.score(reference, hypothesis) for reference in references]
    ranks = [(one.score, () if metric is NEW else astuple(one.statistics)) for one in single]
    best = ranks.index(max(ranks))
    assert found.reference_index == best
    assert (found.score, found.statistics, found.alignment) == (
        single[best].score, single[best].statistics, single[best].alignment,
    )  # fmt: skip


@pytest.mark.parametrize("implementation", ["python", pytest.param("compiled", marks=NEEDS_KERNEL)])
@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-2026-en-core"])
@settings(deadline=None, max_examples=30)
@given(texts=st.lists(st.tuples(st.lists(sentence, min_size=2, max_size=4), sentence), max_size=8), draw=st.randoms())
def test_order_of_references(preset, implementation, texts, draw):
    """Scores of segments and of a corpus do not change with the order of the references; empty ones do not count."""
    scorer = Scorer(preset, implementation=implementation)
    texts.append((["", "dogs bark", "cats"], "a mat"))  # all have one score
    totals = scorer.totals(Pair(references, hypothesis) for references, hypothesis in texts)
    for references, _ in texts:
        draw.shuffle(references)
    pairs = [Pair(references, hypothesis) for references, hypothesis in texts]
    assert scorer.totals(pairs) == totals == sum(map(Totals.of, map(scorer.engine.score, pairs)), scorer.engine.zero)
    present = [[text for text in references if text] or references for references, _ in texts]
    assert scorer.totals(map(Pair, present, [hypothesis for _, hypothesis in texts])) == totals


@pytest.mark.parametrize("implementation", ["python", pytest.param("compiled", marks=NEEDS_KERNEL)])
@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "nltk"])
def test_first_of_equal_references(preset, implementation):
    """METEOR 1.5 and NLTK's METEOR take the first of references with one score, also an empty one."""
    scorer = Scorer(preset, implementation=implementation)
    for references in (["", "dogs bark", "cats"], ["cats", "dogs bark", ""]):
        assert scorer.score(references, "a mat").reference_index == 0


def test_equal_references():
    """Among equal references the first counts."""
    assert PAPER.score(["a x", "a b", "a b"], "a b").reference_index == 1


def test_reduce():
    """max, min and mean of several references, as the configuration says."""
    references, hypothesis = ["the cat sat", "a cat sat", "dogs bark"], "the cat sat"
    scorers = {name: Scorer(evolve(PAPER.config, reduce=name)) for name in ("max", "min", "mean")}
    by_name = {name: metric.score(references, hypothesis) for name, metric in scorers.items()}
    single = [PAPER.score(reference, hypothesis) for reference in references]
    assert (by_name["max"].score, by_name["max"].reference_index) == (single[0].score, 0)
    assert (by_name["min"].score, by_name["min"].reference_index) == (0.0, 2)
    mean = by_name["mean"]
    assert mean.score == fsum(one.score for one in single) / 3
    assert mean.recall == fsum(one.recall for one in single) / 3
    assert isnan(mean.penalty)
    assert (mean.alignment, mean.reference_index) == (None, None)
    assert mean.statistics == single[0].statistics + single[1].statistics + single[2].statistics


def test_reduce_of_one_reference():
    """With one reference every reduction is that reference."""
    for name in ("min", "mean"):
        found = Scorer(evolve(PAPER.config, reduce=name)).score("the cat", "a cat")
        assert found == PAPER.score("the cat", "a cat")


def test_words():
    """score_tokens takes words as they are; what score does to raw text is not done to them."""
    assert PAPER.score("The CAT", "the cat").alignment.matches
    assert not EXACT.score_tokens([["The", "CAT"]], ["the", "cat"]).alignment.matches
    assert PAPER.score_tokens([["don't", "a b"]], ["a b"]).alignment.hypothesis == ("a b",)


@settings(deadline=None)
@given(st.lists(sentence, min_size=1, max_size=3), sentence)
def test_words_of_text(references, hypothesis):
    """Words that are already as the text mode makes them give the same breakdown."""
    words = [reference.lower().split() for reference in references]
    assert PAPER.score_tokens(words, hypothesis.lower().split()) == PAPER.score(references, hypothesis)


def test_align():
    """The alignment alone is that of the breakdown; a string is one reference, whatever it looks like."""
    assert PAPER.align("the cat", "a cat") == PAPER.score("the cat", "a cat").alignment
    assert PAPER.align("['a', 'cat']", "a cat") == PAPER.score(["['a', 'cat']"], "a cat").alignment


def test_characters():
    """If characters count, they are UTF-16 code units, as in METEOR 1.5; chunks stay chunks."""
    config = ScorerConfig("mine", [StageConfig("exact")], ParameterConfig(0.5, 1, 0.5), count="characters")
    statistics = Scorer(config).score("naïve 😀 cat", "😀 cat x").statistics
    assert (statistics.reference_length, statistics.hypothesis_length) == (5 + 2 + 3, 2 + 3 + 1)
    assert (statistics.matches, statistics.chunks, statistics.hypothesis_matches) == ((5,), 1, 2)


@pytest.mark.parametrize("preset", ["nltk", load_preset("nltk")])
def test_preset_by_name(preset):
    """The first argument is `preset`, by an older name `config`; both take a name or a configuration, and not both."""
    expected = Scorer("nltk")
    assert Scorer(preset) == Scorer(preset=preset) == Scorer(config=preset) == expected
    with pytest.raises(TypeError, match="preset and config are two names of one argument: pass only one"):
        Scorer("nltk", config=preset)
    for nothing in ({"preset": None}, {"config": None}):
        with pytest.raises(TypeError, match="a preset's name or a ScorerConfig is expected, got NoneType"):
            Scorer(**nothing)


def test_references_and_hypotheses_are_named_where_they_are_alike():
    """Methods with two columns of texts take them by keyword only, so that they cannot be swapped."""
    scorer = Scorer("meteor-2005-exact")
    for call in (scorer.matrix, scorer.corpus().extend):
        with pytest.raises(TypeError):
            signature(call).bind(["a b"], ["a"])
        signature(call).bind(references=["a b"], hypotheses=["a"])


@pytest.mark.parametrize(("cells", "shares"), [(1, 35), (7, 19), (1 << 16, 7)])
@pytest.mark.parametrize("implementation", ["python", "auto"])
def test_matrix_in_shares(lowered, cells, shares, implementation):
    """Each score has its place, for any size of the shares and any number of threads."""
    scorer = Scorer("meteor-1.5-en-core", implementation=implementation)
    words = "the cat sat on a mat cats sit".split()
    hypotheses = [" ".join(words[number % 5 : number % 5 + number // 5]) for number in range(35)]
    references = ["the cat sat", "cats sit on a mat", ""]
    expected = [[scorer.score(ref, hyp).score for ref in references] for hyp in hypotheses]
    for threads in (1, 2, 3, 50):
        given = lowered(engine, "CELLS", cells, "cancel_when")
        assert scorer.matrix(references=references, hypotheses=hypotheses, threads=threads) == expected
        assert given() == shares if threads == 1 else given() >= shares
        assert scorer.matrix(references=[], hypotheses=hypotheses, threads=threads) == [[]] * 35
        assert scorer.matrix(references=references, hypotheses=[], threads=threads) == []


@NEEDS_KERNEL
def test_a_score_takes_few_calls():
    """A score by the compiled engine takes at most seven calls of Python functions."""
    scorer, calls = Scorer("meteor-1.5-en-core", implementation="compiled"), []
    for _ in range(engine.LOOKED_AT):
        scorer.score("the cat sat", "a cat sat")
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        scorer.score("the cat sat", "a cat sat")
    finally:
        sys.setprofile(None)
    assert len(calls) <= 7, calls


RUSSIAN = "Собака лает ночью"


@pytest.mark.parametrize("implementation", ["python", "auto"])
@pytest.mark.parametrize(
    "score",
    [
        lambda scorer, text: scorer.score(text, text),
        lambda scorer, text: scorer.score_tokens([text.split()], text.split()),
        lambda scorer, text: [*scorer.breakdowns([Pair((text,), text)] * 3)],
        lambda scorer, text: scorer.totals([Pair((text,), text)] * 3),
        lambda scorer, text: scorer.arrays([Pair((text,), text)] * 3),
        lambda scorer, text: scorer.matrix(references=[text], hypotheses=[text] * 2),
        lambda scorer, text: scorer.corpus().extend(references=[text], hypotheses=[text]),
        lambda scorer, text: scorer.corpus().add(text, text),
    ],
)
def test_text_in_another_script_is_warned_of_once(implementation, score):
    """A scorer warns once of letters that are not its language's, whatever scores them, at the line that calls it."""
    scorer = Scorer("nltk", implementation=implementation)
    with pytest.warns(LanguageWarning, match="^nltk is for English, but the text is in Cyrillic letters; ") as caught:
        score(scorer, RUSSIAN)
    assert [Path(one.filename).name for one in caught] == ["test_scorer.py"]
    score(scorer, RUSSIAN)
    score(Scorer("meteor-1.5-ru-core", implementation=implementation), RUSSIAN)
    score(Scorer("nltk", implementation=implementation), "The dog barks, as Лев said")


def test_later_segments_are_not_looked_at():
    """The first segments show the script; looking at all would take time."""
    scorer = Scorer("nltk")
    for _ in range(20):
        scorer.score("a dog barks", "a dog")
    scorer.score(RUSSIAN * 50, RUSSIAN * 50)
