"""The formula of 2026: counts, score, laws."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Corpus, ParameterConfig, Scorer, ScorerConfig, SearchConfig, StageConfig
from meteorlib.config import WeightConfig
from meteorlib.core.breakdown import breakdown
from meteorlib.core.segment import SCALE, Pair
from meteorlib.core.statistics import OrderCounts, StageCounts, Statistics
from meteorlib.errors import ConfigError
from meteorlib.registry import TextPart

WORDS = ("a", "b", "cat", "cats", "catalog", "dog-house", "doghouse", "dog", "house", ",", "…")
sentences = st.lists(st.sampled_from(WORDS), max_size=9)


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """A preset of the new formula; its weights are a small file."""
    weights = tmp_path_factory.mktemp("weights") / "weights.txt"
    weights.write_text("a\t500\nb\t700\ncat\t5000\ndog\t6000\nhouse\t5500\n")
    return ScorerConfig(
        "small-2026",
        [
            StageConfig("exact"),
            StageConfig("stem", 0.6, "snowball-en"),
            StageConfig("joined", 0.9),
            StageConfig("near", 0.4),
        ],
        ParameterConfig(0.8, 0.5, 0.2, crossing=0.25, crossing_beta=0.5),
        text="none",
        search=SearchConfig("weighted"),
        formula="meteor-2026",
        weights=WeightConfig(str(weights)),
    )


@pytest.fixture(scope="module")
def scorer(config):
    return Scorer(config)


def test_counts_and_score(scorer):
    """Weights, order counts and the formula, by hand: ``b a`` against ``a b x``."""
    scored = scorer.score_tokens([["a", "b", "cat"]], ["b", "a", "cat"])
    statistics = scored.statistics
    assert (statistics.hypothesis_length, statistics.reference_length) == (1500 + 1700 + 6000,) * 2
    assert statistics.stages[0] == StageCounts(9200, 9200, 0, 0)
    assert (statistics.chunks, statistics.penalized_chunks, statistics.order) == (3, 2, OrderCounts(4, 1, 3))
    assert scored.fragmentation == 1
    assert scored.crossing == 1 / 3
    assert scored.penalty == 0.2 + 0.25 * (1 / 3) ** 0.5
    assert scored.score == 1 - scored.penalty


@pytest.mark.parametrize("name", ["floor", "punctuation"])
def test_every_word_weighs(config, name):
    """No weight is 0, so that no text of words is empty; with the least weights, too, a text is like itself."""
    with pytest.raises(ValueError, match=f"{name} must be between 0.0001 and 1: 0.0"):
        evolve(config.weights, **{name: 0})
    least = Scorer(evolve(config, weights=evolve(config.weights, floor=1 / SCALE, punctuation=1 / SCALE)))
    assert least.score_tokens([["…"]], ["…"]).score == least.score_tokens([["a", "…"]], ["a", "…"]).score == 1
    assert least.score_tokens([["…"]], ["a"]).score == 0


def test_long_words_weigh_more(config):
    """A word that is twice as long weighs as much more as the preset says; only letters and digits are counted."""
    scorer = Scorer(evolve(config, weights=evolve(config.weights, length=0.25)))
    words = "x", "xy", "xyzw", "x-y’z.w", "…………"
    lengths = [scorer.score_tokens([[word]], [word]).statistics.reference_length for word in words]
    assert lengths[1] - lengths[0] == lengths[2] - lengths[1] == SCALE // 4
    assert lengths[3] == lengths[2]
    assert lengths[4] == config.weights.punctuation * SCALE
    with pytest.raises(ValueError, match="length must be between 0 and 1"):
        evolve(config.weights, length=2)


@given(sentences)
def test_identity(scorer, words):
    """Text scores 1 against itself."""
    assert scorer.score_tokens([words], words).score == (1 if words else 0)


@given(sentences, st.lists(st.sampled_from(("x", "Yes", "9", "zzz")), max_size=9))
def test_nothing_in_common(scorer, words, others):
    """Texts without a match score 0, however much their words weigh; sides without words do, too."""
    scored = scorer.score_tokens([words], others)
    assert (scored.score, scored.alignment.matches) == (0, ())


@given(sentences, sentences)
def test_segments_do_not_know_each_other(config, scorer, reference, hypothesis):
    """A segment scores after any others, and among them, as one that is the first of its scorer."""
    alone = Scorer(config).score_tokens([reference], hypothesis)
    assert scorer.score_tokens([reference], hypothesis).score == alone.score
    texts = Pair((" ".join(reference),), " ".join(hypothesis))
    others = Pair(("cats dog-house",), "catalog doghouse"), Pair(("",), "a")
    assert scorer.arrays([others[0], texts, others[1]]).scores[1] == alone.score


@given(sentences, sentences, st.integers(0, 9))
def test_a_right_word_more(config, reference, hypothesis, place):
    """With exact matches, a word that the reference has and the hypothesis lacks never lowers recall."""
    exact = Scorer(evolve(config, stages=config.stages[:1]), implementation="python")
    before = exact.score_tokens([reference], hypothesis)
    for word in set(reference):
        if reference.count(word) > hypothesis.count(word):
            after = exact.score_tokens([reference], [*hypothesis[:place], word, *hypothesis[place:]])
            assert after.recall > (before.recall if hypothesis else 0)


@pytest.mark.parametrize("implementation", ["auto", "python"])
@pytest.mark.parametrize(
    ("reference", "hypothesis", "grades"),
    [
        ("in Rome", "in Rome", (1, 1)),
        ("in Rome", "in rome", (1, 0.5)),
        ("in ROME", "in Rome", (1, 0.5)),
        ("In Rome", "in Rome", (0.5, 1)),
        ("In Rome", "yes in Rome", (1, 1)),
        ("so in Rome", "In Rome", (1, 1)),
        ("two cats", "two Cat", (1, 0.5)),
        ("for Hassan", "for hasan", (1, 0.4166)),
        ("a DOG-HOUSE", "a dog house", (1, 1)),
    ],
)
def test_case(config, implementation, reference, hypothesis, grades):
    """A match of two words that differ in case counts in part, unless just one of them begins its text."""
    scorer = Scorer(evolve(config, case=0.5), implementation=implementation)
    scored = scorer.score(reference, hypothesis)
    assert scored.alignment.grades == tuple(round(grade * SCALE) for grade in grades)
    assert scorer.score(reference, reference).score == 1


def test_case_of_given_words(config):
    """Words that are given are compared in lowercase, and their case counts."""
    scorer = Scorer(evolve(config, case=0.5, weights=None, stages=config.stages[:1]))
    scored = scorer.score_tokens([["a", "Cat"]], ["a", "cat"])
    assert (scored.recall, scored.alignment.reference) == (0.75, ("a", "cat"))


def test_case_counts_in_every_search(config):
    """Searches that do not weigh candidates count case as well."""
    beam = evolve(config, case=0.5, weights=None, stages=config.stages[:1], search=SearchConfig("beam"))
    assert Scorer(beam).score("a cat", "a Cat").recall == 0.75


def test_case_needs_a_text_mode_that_keeps_it(config, registered):
    """A text mode without the method is named."""

    class Blanks:
        def words(self, line):
            return line.split()

    registered("texts", "blanks", TextPart(lambda *_: Blanks()))
    with pytest.raises(ConfigError, match="text mode 'blanks' has no method 'cased'"):
        Scorer(evolve(config, case=0.5, text="blanks"))


@pytest.mark.parametrize("case", [-0.1, 1.1, float("nan"), "much"])
def test_case_is_a_share(config, case):
    """Anything but a number of 0..1 is refused."""
    with pytest.raises((TypeError, ValueError), match=r"case must be|must be a number"):
        evolve(config, case=case)


@given(sentences, sentences)
def test_ranges(scorer, reference, hypothesis):
    """All numbers are within 0..1; no match scores 0."""
    scored = scorer.score_tokens([reference], hypothesis)
    assert 0 <= scored.score <= 1
    assert 0 <= scored.penalty <= 1
    assert scored.score == 0 or scored.alignment.matches
    if not scored.alignment.matches:
        assert scored.score == 0


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5), st.integers(0, 5))
def test_corpora_merge_exactly(scorer, pairs, cut):
    """A corpus of two parts is the corpus of both, whatever the order; each segment scores as it does alone."""
    scored = [scorer.score_tokens([reference], hypothesis) for reference, hypothesis in pairs]
    whole, first, second = Corpus(scorer), Corpus(scorer), Corpus(scorer)
    for index, one in enumerate(scored):
        whole.add_breakdown(one)
        (first if index < cut else second).add_breakdown(one)
    merged = second + first
    assert merged.statistics == whole.statistics
    assert merged.score() == whole.score()
    again = [scorer.score_tokens([reference], hypothesis) for reference, hypothesis in reversed(pairs)]
    assert again[::-1] == scored


@given(sentences, sentences)
def test_counts_there_and_back(scorer, reference, hypothesis):
    """The row of counts holds all; the formula on it gives the same score."""
    statistics = scorer.score_tokens([reference], hypothesis).statistics
    assert Statistics.from_counts(statistics.counts()) == statistics
    assert len(statistics.counts()) == 8 + 4 * 4 + 3
    assert breakdown(statistics, scorer.config.formula_parameters()).score == scorer.breakdown(statistics).score


def test_other_formulas_do_not_mix(scorer):
    """Statistics of one formula are neither added to those of another nor scored by it."""
    old = Scorer("meteor-2005").score("a", "a").statistics
    new = scorer.score("a", "a").statistics
    with pytest.raises(ValueError, match="do not add up"):
        evolve(old, stages=new.stages) + new
    with pytest.raises(ValueError, match="do not belong to formula"):
        breakdown(evolve(old, stages=new.stages), scorer.config.formula_parameters())
    with pytest.raises(ValueError, match="no place for meteor-2026"):
        new.line()


def test_a_perfect_segment_by_a_key():
    """The exception is a setting of its own: METEOR 1.5 without it, METEOR 2005 with it."""
    config = ScorerConfig("p", [StageConfig("exact")], ParameterConfig(0.5, 1, 0.5), text="none")
    scores = {
        (formula, perfect): Scorer(evolve(config, formula=formula, perfect_segments=perfect)).score("a b", "a b").score
        for formula in ("meteor-1.5", "meteor-2005")
        for perfect in (None, "exempt", "penalized")
    }
    assert scores == {
        ("meteor-1.5", None): 1,
        ("meteor-1.5", "exempt"): 1,
        ("meteor-1.5", "penalized"): 0.75,
        ("meteor-2005", None): 0.75,
        ("meteor-2005", "exempt"): 1,
        ("meteor-2005", "penalized"): 0.75,
    }


def test_a_word_that_tells_nothing_still_weighs(scorer):
    """Floor, punctuation, and words that are not known."""
    lengths = [scorer.score_tokens([[word]], ["x"]).statistics.reference_length for word in ("a", ",", "xyz")]
    assert lengths == [1500, 2500, 1000 + SCALE]
