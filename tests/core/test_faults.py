"""Faults of a segment: what counts as one, what it costs, and that all engines agree."""

import re
from itertools import pairwise

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.arrays import breakdowns
from meteorlib.config import load_preset
from meteorlib.core.faults import WHOLES
from meteorlib.core.formula import FORMULA
from meteorlib.core.parameters import FAULTS
from meteorlib.core.statistics import Statistics
from meteorlib.errors import ConfigError
from tests.examples import examples
from tests.presets import with_table

_BASE = load_preset("meteor-2026-en-core")
PRICES = {
    "bound": 0.6,
    "inversion": 0.1,
    "swap": 0.5,
    "omission": 2.0,
    "repetition": 0.5,
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
    "the a of not don't no cat dogs dog Paris 7 17 ٧ 3,000 000 2024 1980s 80S 80 , . : pm million ran runs He he eBay"
    " miles km seven".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


WHOLE = {field for _, field in WHOLES.values()} | {"hypothesis_words"}


def faults(reference, hypothesis):
    """The counts of faults that are not 0, without those that they are shares of."""
    found = SCORER.score(reference, hypothesis).statistics.faults._asdict()
    return {name: count for name, count in found.items() if count and name not in WHOLE}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("red cars stop", "cars red stop", {"inversions": 1, "swaps": 1}),
        ("red cars stop", "cars , new red stop", {"inversions": 1, "swaps": 1, "excess": 5}),
        ("red cars stop now", "stop now red cars", {"inversions": 1}),
        ("the cars stop in the rain", "the cars stop rain", {"omitted": 2}),
        ("the cars stop in the rain", "the cars stop during rain", {"omitted": 2}),
        ("the cars stop in the rain", "the cars stop of rain", {"omitted": 1}),
        ("the cars stop in the rain", "the cars stop , rain", {"omitted": 2}),
        ("cars stop", "cars cars cars stop stop", {"repeated": 300, "excess": 10}),
        ("cars cars stop", "cars cars stop", {}),
        ("cars the stop the", "vans vans stop the", {"omitted": 1, "repeated": 67}),
        ("he sold 30 cars", "he sold 13 cars", {"contradictions": 1}),
        ("he sold 30 cars", "he sold 30 , 13 cars", {"excess": 4}),
        ("he sold 7 or 30 cars", "he sold 8 or 13 cars", {"contradictions": 2}),
        ("he sold 30 cars and 13 vans", "he sold 13 cars and 30 vans", {"inversions": 2}),
        ("7 cars 30 vans ; 7 cars 30 vans", "7 cars 7 vans ; 7 cars 7 vans", {"contradictions": 2, "repeated": 200}),
        ("the 1980s cars stop", "the 80s cars stop", {}),
        ("the 1980s cars stop", "the 90s cars stop", {"contradictions": 1}),
        ("they drove 30 miles today", "they drove 48 km today", {}),
        ("they drove 30 miles today", "they drove 48 miles today", {"contradictions": 1}),
        ("they sold cars", "they can't have sold cars", {"negations": 1, "excess": 9}),
        ("he sold 30 cars", "he sold thirty cars", {}),
        ("he sold 3,000 cars", "he sold 3000 cars", {}),
        ("he came at 17:30", "he came at 5.30 pm", {}),
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


NUMBERS = st.lists(
    st.sampled_from(
        "7 17 ٧ 3,000 000 2.50 2,5 95 1995 1980s 80s . , : am pm million k km miles seven ten 5pm 17h30 x"
        " 840 15.00 25.10. half quarters h".split()
    ),
    max_size=14,
).map(" ".join)


@examples(400)
@given(NUMBERS, NUMBERS)
def test_engines_agree_on_numbers(reference, hypothesis):
    """Both engines read and pair numbers alike."""
    one, other = (scorer.score(f"{reference} x", f"{hypothesis} x") for scorer in (SCORER, PYTHON))
    assert (one.score, one.statistics) == (other.score, other.statistics)


def test_different_numbers_are_no_paraphrases(compiled_table):
    """A paraphrase of another number is no match; where faults are not counted, it is one."""
    table = compiled_table([("35", "36"), ("12 may", "may 13")])
    config = with_table(load_preset("meteor-2026-en"), table)
    without = evolve(
        config,
        parameters=evolve(config.parameters, **dict.fromkeys(FAULTS, 0.0)),
        weights=evolve(config.weights, function=0.0),
    )
    for reference, hypothesis, expected, at_least in (
        ("he sold 35 cars", "he sold 36 cars", 3, 4),
        ("cars of 12 may sold", "cars of may 13 sold", 4, 4),
        ("cars of 12 may sold", "cars of may 12 sold", 5, 5),
    ):
        for which in (None, "python"):
            found = [
                Scorer(one, implementation=which).score(reference, hypothesis).alignment.matches
                for one in (config, without)
            ]
            assert len(found[0]) == expected
            assert len(found[1]) >= at_least


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
    """Two of six words are omitted function words: 2 · (2/6)³ is added to the sum, which is bounded by 0.6."""
    scored = SCORER.score("the cars stop in the rain", "the cars stop rain")
    terms = {term.parameter: term.penalty for term in FORMULA.fault_terms(scored.statistics, SCORER.parameters)}
    assert terms.pop("omission") == 2.0 * ((2 / 6) * (2 / 6) * (2 / 6))
    assert not any(terms.values())
    free = Scorer(evolve(CONFIG, parameters=evolve(CONFIG.parameters, omission=0, bound=0))).score(
        "the cars stop in the rain", "the cars stop rain"
    )
    total = free.penalty + 2 / 27
    assert scored.penalty == pytest.approx(total / (1 + (total / 0.6) ** 2) ** 0.5)


PRESETS = ("meteor-2026-en-core", "meteor-2026-en-strict", "meteor-2026-en-summary")


@pytest.fixture(scope="module", params=[(name, which) for name in PRESETS for which in (None, "python")], ids=str)
def shipped(request, compiled_table):
    """A shipped preset, with a small table of paraphrases, in each engine."""
    name, which = request.param
    config = load_preset(name)
    if any(stage.matcher == "paraphrase" for stage in config.stages):
        config = with_table(config, compiled_table([("35", "36"), ("of course", "naturally")]))
    return Scorer(config, implementation=which)


def penalties(scorer, reference, hypothesis):
    """The alignment, and the sum of the penalties for faults."""
    scored = scorer.score(reference, hypothesis)
    return scored.alignment, sum(term.penalty for term in FORMULA.fault_terms(scored.statistics, scorer.parameters))


SENTENCES = st.lists(
    st.sampled_from("the of in to and not cars vans rain sold stop red blue council city 7 30 1995 2,000".split()),
    min_size=8,
    unique=True,
)


@st.composite
def damaged(draw):
    """A sentence, and the same with some words left out, swapped, repeated or replaced."""
    words = draw(SENTENCES)
    others = []
    for word in words:
        others += draw(st.sampled_from([[word]] * 6 + [[], [word, word], ["13"], ["not"], ["bridge"], ["at"]]))
    for place in draw(st.lists(st.integers(0, 40), max_size=4)):
        others[place : place + 2] = reversed(others[place : place + 2])
    return " ".join(words), " ".join(others)


@examples(25)
@given(texts=damaged())
def test_text_said_twice(shipped, texts):
    """A rate of faults costs the same at any length."""
    reference, hypothesis = (f"{text} ." for text in texts)
    alignment, once = penalties(shipped, reference, hypothesis)
    length, other = len(alignment.reference), len(alignment.hypothesis)
    for times in (2, 5):
        found, again = penalties(shipped, *(" ".join([text] * times) for text in (reference, hypothesis)))
        repeated = [
            (place + copy * length, size, start + copy * other, words, stage)
            for copy in range(times)
            for place, size, start, words, stage in alignment.matches
        ]
        assume([*map(tuple, found.matches)] == repeated)
        assert again == pytest.approx(once, abs=0.02)


@examples(25)
@given(texts=damaged(), place=st.integers(0, 40), sign=st.sampled_from(";!…"))
def test_a_sign_or_rubbish_removes_no_penalty(shipped, texts, place, sign):
    """A sign or a word that is not in the reference raises no score by removing a penalty."""
    reference, hypothesis = texts[0], texts[1].split(" ")
    with_sign, with_rubbish = (" ".join([*hypothesis[:place], new, *hypothesis[place:]]) for new in (sign, "zyxwv"))
    plain, signed, worded = (shipped.score(reference, text).score for text in (texts[1], with_sign, with_rubbish))
    assert signed <= plain + 0.02
    assert worded <= signed + 0.02


@examples(25)
@given(texts=damaged())
def test_bounds(shipped, texts):
    """Penalties come close to their bound, never over it; no sum of penalties is reduced by much if it is small."""
    scored = shipped.score(*texts)
    bound = shipped.parameters.bound
    total = FORMULA.total(scored.statistics, scored.fragmentation, shipped.parameters)
    assert 0 <= scored.penalty <= min(bound, total)
    assert total - scored.penalty <= total**3 / bound**2
    assert 0 <= scored.score <= 1


def test_no_cliff(shipped):
    """Each further repetition, omission or swap costs no less, and not much more than the one before."""
    function = "the of in to and a on at by for with from as is".split()
    words = [word for place, each in enumerate(function) for word in (each, f"ax{chr(97 + place)}y")]
    reference = " ".join(words)
    repeated = [[*words, *words[:count]] for count in range(28)]
    omitted = [[word for at, word in enumerate(words) if at % 2 or at >= 2 * count] for count in range(14)]
    swapped = [[word for at in range(28) for word in [words[at ^ 1 if at < 4 * count else at]]] for count in range(7)]
    for texts in (repeated, omitted, swapped):
        found = [penalties(shipped, reference, " ".join(text))[1] for text in texts]
        steps = [other - one for one, other in pairwise(found)]
        assert min(steps) >= -0.001
        assert max(steps) < 0.2


@examples(25)
@given(st.lists(TEXTS, min_size=2, max_size=4), TEXTS, st.randoms(use_true_random=False))
def test_order_of_references(shipped, references, hypothesis, random):
    """References count the same in any order, empty ones too, and where nothing matches."""
    shuffled = random.sample(references, len(references))
    one, other = (shipped.score([*each, ""], hypothesis) for each in (references, shuffled))
    assert (one.score, one.statistics) == (other.score, other.statistics)
    assert shipped.score(["", *references], hypothesis).statistics == one.statistics


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
