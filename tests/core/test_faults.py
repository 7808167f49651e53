"""Faults of a segment: what counts as one, what it costs, and that all engines agree."""

import re

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.arrays import breakdowns
from meteorlib.config import load_preset
from meteorlib.core.faults import FaultCounts
from meteorlib.core.formula import FORMULA
from meteorlib.core.parameters import FAULTS
from meteorlib.core.statistics import Statistics
from meteorlib.errors import ConfigError
from tests.examples import examples

_BASE = load_preset("meteor-2026-en-core")
PRICES = {
    "inversion": 0.1,
    "swap": 0.5,
    "omission": 2.0,
    "repetition": 8.0,
    "excess": 0.1,
    "number": 0.2,
    "negation": 0.02,
    "start": 0.03,
}
CONFIG = evolve(
    _BASE,
    parameters=evolve(_BASE.parameters, **PRICES),
    weights=evolve(_BASE.weights, function=0.3),
    negations="negations-en",
)
SCORER = Scorer(CONFIG)
PYTHON = Scorer(CONFIG, implementation="python")
WORDS = st.sampled_from(
    "the a of not don't no cat dogs dog Paris 7 17 ٧ 3,000 2024 1980s 80S 80 , . ran runs He he eBay".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


def faults(reference, hypothesis):
    """The counts of faults that are not 0, without lengths and neighbors."""
    found = SCORER.score(reference, hypothesis).statistics.faults._asdict()
    return {name: count for name, count in found.items() if count and name not in FaultCounts._fields[:3]}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("red cars stop", "cars red stop", {"inversions": 1, "swaps": 1}),
        ("the cars stop in the rain", "the cars stop rain", {"omitted": 2}),
        ("the cars stop in the rain", "the cars stop during rain", {}),
        ("cars stop", "cars cars cars stop stop", {"repeated": 3, "excess": 10}),
        ("cars cars stop", "cars cars stop", {}),
        ("he sold 30 cars", "he sold 13 cars", {"contradictions": 1}),
        ("the 1980s cars stop", "the 80s cars stop", {}),
        ("the 1980s cars stop", "the 90s cars stop", {"contradictions": 1}),
        ("the 1980 cars stop", "the 80 cars stop", {"contradictions": 1}),
        ("they sold cars", "they can't have sold cars", {"negations": 1, "excess": 9}),
        ("he sold 30 cars", "he sold thirty cars", {}),
        ("he sold 3,000 cars", "he sold 3000 cars", {}),
        ("he does know cars", "he does not know cars", {"negations": 1}),
        ("Cars stop", "cars stop", {"lowercase_starts": 1}),
        ("7 Cars stop", "7 cars stop", {"lowercase_starts": 1}),
        ("eBay sells cars", "eBay sells cars", {}),
        ("cars", "", {}),
    ],
)
def test_counts(reference, hypothesis, expected):
    """Each fault is counted where it is one, and nowhere else."""
    assert faults(reference, hypothesis) == expected


@examples(60)
@given(TEXTS, TEXTS)
def test_engines_and_arrays_agree(reference, hypothesis):
    """Both engines count and score alike, to the last bit, and so do the arrays."""
    one, other = SCORER.score(reference, hypothesis), PYTHON.score(reference, hypothesis)
    assert (one.score, one.statistics) == (other.score, other.statistics)
    assert breakdowns(np.array([one.statistics.counts()]), SCORER.parameters).score[0] == pytest.approx(one.score)
    assert Statistics.from_counts(one.statistics.counts()) == one.statistics


def same_number(word):
    """A stem that all numbers share, so that they match."""
    return "number" if any(map(str.isdigit, word)) else word


MATCHED = [Scorer(CONFIG, given={"stem": same_number}, implementation=which) for which in (None, "python")]


def test_matched_numbers():
    """Two words that match contradict each other if their numbers differ; one word and its parts do not."""
    for scorer in MATCHED:
        for reference, hypothesis, expected in (
            ("he sold 35 cars", "he sold 36 cars", 1),
            ("from 7 to 17 cars", "from 8 to 18 cars", 2),
            ("he sold 3,000 cars", "he sold 3000 cars", 0),
            ("he sold 3000 cars", "he sold 3 000 cars", 0),
        ):
            scored = scorer.score(reference, hypothesis)
            assert scored.statistics.faults.contradictions == expected
            assert len(scored.alignment.matches) == len(reference.split())


@examples(40)
@given(TEXTS, TEXTS)
def test_engines_agree_on_matched_numbers(reference, hypothesis):
    """Both engines count alike where different numbers match."""
    one, other = (scorer.score(reference, hypothesis) for scorer in MATCHED)
    assert (one.score, one.statistics) == (other.score, other.statistics)


@examples(40)
@given(TEXTS)
def test_identical_text_has_no_fault(text):
    """Equal sides score 1, unless they are empty."""
    assert faults(text, text) == {}
    assert SCORER.score(text, text).score == (1.0 if text else 0.0)


@examples(20)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=6))
def test_corpora_merge_exactly(pairs):
    """The faults of a corpus are the sums of those of its segments, in any grouping."""
    references, hypotheses = zip(*pairs, strict=True)
    whole = SCORER.corpus().extend(references=references, hypotheses=hypotheses)
    parts = [SCORER.corpus().extend(references=[r], hypotheses=[h]) for r, h in pairs]
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    assert merged.statistics == whole.statistics
    assert merged.score() == whole.score()


def test_a_penalty_by_hand():
    """Two of six words are omitted function words: 2 · (2/6)² is added to the penalty."""
    scored = SCORER.score("the cars stop in the rain", "the cars stop rain")
    terms = {term.parameter: term.penalty for term in FORMULA.fault_terms(scored.statistics, SCORER.parameters)}
    assert terms.pop("omission") == 2.0 * ((2 / 6) * (2 / 6))
    assert not any(terms.values())
    free = Scorer(evolve(CONFIG, parameters=evolve(CONFIG.parameters, omission=0))).score(
        "the cars stop in the rain", "the cars stop rain"
    )
    assert scored.penalty == pytest.approx(free.penalty + 2 / 9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"negations": None}, "'negation' needs 'negations: negations-en'"),
        ({"case": None}, "'start' needs 'case'"),
        ({"weights": evolve(CONFIG.weights, function=0)}, "'omission' needs"),
        ({"function_words": "en"}, "by their weight or by a list"),
        ({"formula": "meteor-1.5"}, "only formula 'meteor-2026' has 'swap'"),
    ],
)
def test_what_cannot_be_counted_is_an_error(changes, message):
    """A penalty for faults that nothing can find is refused."""
    with pytest.raises(ConfigError, match=re.escape(message)):
        Scorer(evolve(CONFIG, **changes))


@pytest.mark.parametrize("name", FAULTS)
def test_ranges(name):
    """A penalty is finite and not negative."""
    for value in (-0.1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=name):
            evolve(CONFIG.parameters, **{name: value})


def test_statistics_without_faults_are_refused():
    """Statistics of a preset that counts no faults cannot be scored with penalties for them, nor added."""
    plain = Scorer(_BASE).score("a cat", "the cat").statistics
    if plain.faults is None:
        with pytest.raises(ValueError, match="score the text again"):
            SCORER.breakdown(plain)
        with pytest.raises(ValueError, match="do not add up"):
            plain + SCORER.score("a cat", "the cat").statistics
