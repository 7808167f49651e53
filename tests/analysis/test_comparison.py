"""Comparison of the same segments under several scorers."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.comparison import compare
from meteorlib.config import ParameterConfig, SearchConfig, load_preset
from meteorlib.errors import InputMismatch

EXACT = load_preset("meteor-2005-exact")
SEGMENTS = [
    (["the cat sat on the mat"], "the cat sat on the mat"),
    (["the cat is on the mat and the rug"], "the cat is on the mat"),
    (["the cats sat ."], "the cat sat."),
    (["a b c d", "A B"], "a b"),
]


def _compare(*configs, segments=SEGMENTS, worst=5):
    return compare([Scorer(config) for config in configs], lambda: iter(segments), worst)


def _only(one, other):
    """The one segment that two configurations score differently."""
    (difference,) = _compare(one, other).segments
    return difference


def test_scores_are_those_of_the_scorers():
    """Each preset's corpus score, mean and signature are what its own corpus says."""
    names = ("meteor-2005", "nltk", "meteor-1.5-en-core")
    compared = _compare(*names)
    assert [one.preset for one in compared.presets] == list(names)
    for one in compared.presets:
        scorer = Scorer(one.preset)
        references, hypotheses = zip(*SEGMENTS, strict=True)
        corpus = scorer.corpus().extend(references=references, hypotheses=hypotheses)
        assert (one.scored, one.mean, one.signature) == (corpus.score(), corpus.mean(), str(scorer.signature))
        assert one.mean_effect == corpus.mean() - corpus.score().score
    assert compared.segment_count == len(SEGMENTS)


def test_spread_is_between_the_lowest_and_the_highest_corpus_score():
    """The spread names both ends; its contributions add up to it."""
    compared = _compare("meteor-2005", "nltk", "meteor-1.5-en-core")
    scores = {one.preset: one.scored.score for one in compared.presets}
    spread = compared.spread
    assert scores[spread.lowest] == min(scores.values())
    assert scores[spread.highest] == max(scores.values())
    assert spread.amount == max(scores.values()) - min(scores.values())
    assert sum(spread.contributions.values()) == pytest.approx(spread.amount, abs=1e-12)
    assert spread.reason == next(iter(spread.contributions))


def test_worst_segments_come_first_and_add_up():
    """The segments are in the order of their differences, as many as asked for; contributions make up each."""
    presets = ("meteor-2005", "nltk", "meteor-1.5-en-core")
    found = _compare(*presets, worst=10).segments
    amounts = [difference.amount for difference in found]
    assert amounts == sorted(amounts, reverse=True)
    assert 0 < len(found) <= len(SEGMENTS)
    for difference in found:
        assert difference.text == SEGMENTS[difference.segment - 1]
        scores = [Scorer(preset).score(*difference.text).score for preset in presets]
        assert [scored.score for scored in difference.scored.values()] == scores
        assert difference.amount == max(scores) - min(scores)
        assert sum(difference.contributions.values()) == pytest.approx(difference.amount, abs=1e-12)
    assert _compare(*presets, worst=2).segments == found[:2]
    assert _compare(*presets, worst=0).segments == ()


def test_reason_search():
    """Same candidates, other alignment: NLTK's search leaves four chunks where one is possible."""
    found = _only(EXACT, evolve(EXACT, name="greedy", search=SearchConfig("greedy")))
    assert (found.segment, found.reason, found.lowest) == (2, "search", "greedy")
    assert found.evidence == "greedy: 6 matched in 4 chunks; meteor-2005-exact: 6 matched in 1 chunk"


def test_reason_stages():
    """Matched by a stage that the other one lacks."""
    config = evolve(EXACT, name="stems", stages=[*EXACT.stages, load_preset("meteor-2005").stages[1]])
    found = _only(EXACT, config)
    assert (found.segment, found.reason, found.highest) == (3, "stages", "stems")
    assert found.evidence == "only stems: cats – cat"


def test_reason_text():
    """Other words: without lowercasing, one word of two is another."""
    segments = [(["A b"], "a b")]
    compared = _compare(EXACT, evolve(EXACT, name="as-is", text="none"), segments=segments)
    (found,) = compared.segments
    assert (found.reason, found.lowest) == ("text", "as-is")
    assert found.evidence == "only as-is: A; only meteor-2005-exact: a"


def test_reason_parameters():
    """Same matches, other formula."""
    config = evolve(EXACT, name="lenient", parameters=ParameterConfig(0.5, 1.0, 0.0))
    found = _compare(EXACT, config).segments[0]
    assert (found.reason, found.highest) == ("parameters", "lenient")
    assert found.evidence == (
        "meteor-2005-exact: F_mean 0.2564, penalty 0.5000; lenient: F_mean 0.2857, penalty 0.0000"
    )


def test_reason_references():
    """Another of several references counts, or their mean."""
    found = _only(EXACT, evolve(EXACT, name="mean", reduce="mean"))
    assert (found.segment, found.reason, found.lowest) == (4, "references", "mean")
    assert found.evidence == "mean: mean of all references; meteor-2005-exact: reference 2"


def test_equal_scorers_have_no_reason():
    """If nothing differs, no reason is made up."""
    compared = _compare(EXACT, evolve(EXACT, name="copy"))
    assert compared.segments == ()
    assert (compared.spread.amount, compared.spread.reason, compared.spread.contributions) == (0.0, None, {})


@pytest.mark.parametrize("configs", [[EXACT], [EXACT, EXACT]])
def test_too_few_scorers(configs):
    """One scorer, or one name twice, is nothing to compare."""
    with pytest.raises(InputMismatch, match="at least two presets, each of a name of its own"):
        _compare(*configs)


def test_formulas_of_all_years(scorer_2026, segments_2026):
    """A preset of METEOR 2026 is compared with others: every difference is made up of its contributions."""
    segments = [([reference], hypothesis) for reference, hypothesis in zip(*segments_2026, strict=True)]
    others = [Scorer(name) for name in ("meteor-2005", "meteor-1.5-en-core")]
    compared = compare([scorer_2026, *others], lambda: iter(segments))
    for difference in (compared.spread, *compared.segments):
        assert sum(difference.contributions.values()) == pytest.approx(difference.amount, abs=1e-12)
        assert difference.reason is not None


def test_crossing_matches_are_evidence(config_2026):
    """If the parameters make the difference, the share of crossing matches is beside the penalty."""
    free = evolve(config_2026, name="free", parameters=evolve(config_2026.parameters, crossing=0.0))
    texts = [(["the cat sat on the mat"], "on the mat sat the cat")]
    (difference,) = _compare(free, config_2026, segments=texts).segments
    assert difference.reason == "parameters"
    share = difference.scored["free"].crossing
    assert share > 0
    for name in ("free", "small-2026"):
        scored = difference.scored[name]
        told = f"{name}: F_mean {scored.f_mean:.4f}, penalty {scored.penalty:.4f} (crossing {share:.4f})"
        assert told in difference.evidence


def test_progress():
    """Every segment is counted once for its scores and once for its explanation, as it is done."""
    done = []
    compare([Scorer("nltk"), Scorer("meteor-2005")], lambda: iter(SEGMENTS), 1, done.append)
    assert done == [1] * (2 * len(SEGMENTS))
