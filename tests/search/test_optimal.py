"""The optimal search against brute force, the beam, an integer program, and sizes that no brute force could take."""

from __future__ import annotations

import gzip
import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.alignment import Found
from meteorlib.matchers.matcher import propose
from meteorlib.registry import SEARCHES
from meteorlib.scorer import Scorer
from meteorlib.search import optimal, optimal_labels
from meteorlib.search.beam import Beam
from meteorlib.search.optimal import Optimal
from tests.examples import examples
from tests.search.problems import GAINS, alignments, problems, quality


def order(matches):
    """Order among equals: the smaller list first; a list that is the beginning of another sorts after it."""
    return [(place, start, length, words, stage) for place, length, start, words, stage in matches] + [(1_000_000,)]


def brute_force(candidates, rank):
    """The best of all alignments."""
    return list(min(alignments(candidates), key=lambda found: (rank(found), order(found))))


def drawn(seed, longest, types):
    """A long problem with phrases from a seeded generator."""
    pick = random.Random(seed)
    reference = [pick.choice(types) for _ in range(pick.randint(1, longest))]
    hypothesis = [pick.choice(types) for _ in range(pick.randint(1, longest))]
    candidates = [[(1, i, 1, 0) for i, word in enumerate(hypothesis) if word == wanted] for wanted in reference]
    for _ in range(pick.randint(0, longest)):
        position, start = pick.randrange(len(reference)), pick.randrange(len(hypothesis))
        length, words = pick.randint(1, 3), pick.randint(1, 3)
        if position + length <= len(reference) and start + words <= len(hypothesis):
            candidates[position].append((length, start, words, pick.randint(1, 3)))
    return candidates, len(hypothesis)


@given(problem=problems())
@examples(1500)
def test_equals_brute_force(problem):
    """Most matched, fewest chunks, smallest distance, smallest list: the alignment that brute force finds, proven."""
    candidates, hypothesis_length = problem
    best = brute_force(candidates, quality)
    assert Optimal()(candidates, hypothesis_length, GAINS) == (best, True)


@pytest.mark.parametrize("seed", range(12))
def test_equals_brute_force_where_words_compete(seed):
    """Up to eight words of two types with phrases are aligned as by brute force."""
    candidates, hypothesis_length = drawn(seed, 8, "ab")
    assert Optimal()(candidates, hypothesis_length, GAINS) == (brute_force(candidates, quality), True)


@given(problem=problems(), gains=st.tuples(*[st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5])] * 4))
@examples(300)
def test_any_gains(problem, gains):
    """Matchers of third parties may be worth other gains, which count to the last bit."""
    candidates, hypothesis_length = problem
    exact = [Fraction(gain) for gain in gains]
    best = brute_force(candidates, lambda found: quality(found, exact))
    assert Optimal()(candidates, hypothesis_length, gains) == (best, True)


@pytest.mark.parametrize("budget", [1, 2000, pytest.param(200_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("types", ["ab", "abcde", "abcdefghijklm"])
def test_never_worse_than_the_beam(budget, types):
    """Within any budget the result is a valid alignment, at least as good as METEOR's."""
    for seed in range(12):
        candidates, hypothesis_length = drawn(seed, 30, types)
        found = Optimal(budget=budget)(candidates, hypothesis_length, GAINS)
        assert valid(found.matches, candidates)
        assert quality(found.matches) <= quality(Beam()(candidates, hypothesis_length, GAINS).matches)


def valid(matches, candidates):
    """Whether all matches were proposed, and none shares a word with another."""
    reference = [word for place, length, *_ in matches for word in range(place, place + length)]
    hypothesis = [word for _, _, start, words, _ in matches for word in range(start, start + words)]
    return (
        len(set(reference)) == len(reference)
        and len(set(hypothesis)) == len(hypothesis)
        and all((m[1], m[2], m[3], m[4]) in candidates[m[0]] for m in matches)
        and list(matches) == sorted(matches)
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_budget_does_not_change_what_is_proven(seed):
    """A result proven optimal under a small budget is optimal under a large one."""
    for each in range(6):
        problem = drawn(100 * seed + each, 14, "abcd")
        small, large = (Optimal(budget=budget)(*problem, GAINS) for budget in (3000, 2_000_000))
        assert large.optimal
        assert quality(large.matches) <= quality(small.matches)
        if small.optimal:
            assert quality(large.matches) == quality(small.matches)


def test_the_beam_misses_what_it_cannot_see():
    """A 1:1 match that is not exact gains the beam nothing: it leaves out what the optimal search takes."""
    candidates = [[(1, 0, 1, 0)], [(1, 3, 1, 1), (1, 4, 1, 1)], [(1, 2, 1, 0)]]
    assert len(Beam()(candidates, 5, GAINS).matches) == 2
    assert Optimal()(candidates, 5, GAINS) == ([(0, 1, 0, 1, 0), (1, 1, 3, 1, 1), (2, 1, 2, 1, 0)], True)


def test_of_equal_candidates_the_earlier_stage():
    """Equal words from two stages of one weight: the earlier stage is named, whatever the order of candidates."""
    assert Optimal()([[(1, 0, 1, 3), (1, 0, 1, 1), (1, 0, 1, 2)]], 1, GAINS) == ([(0, 1, 0, 1, 1)], True)


def test_nothing_to_align():
    """No words, or no candidates: no matches, and that is optimal."""
    assert Optimal()([], 0, GAINS) == Found([], optimal=True)
    assert Optimal()([[], []], 3, GAINS) == Found([], optimal=True)


def test_is_a_value():
    """Searches compare by their settings, can be pickled, and are found by name."""
    assert pickle.loads(pickle.dumps(Optimal(budget=7))) == Optimal(budget=7) != Optimal()  # noqa: S301
    assert SEARCHES.get("optimal") is Optimal


@pytest.mark.parametrize(("reference", "hypothesis"), [(60, 60), (60, 50), (50, 60)])
def test_repeats_of_one_word(reference, hypothesis):
    """One word again and again is matched in one chunk, straight on."""
    everywhere = [(1, start, 1, 0) for start in range(hypothesis)]
    found = Optimal()([everywhere] * reference, hypothesis, GAINS)
    assert list(found.matches) == [(place, 1, place, 1, 0) for place in range(min(reference, hypothesis))]


@pytest.mark.parametrize(
    "budget",
    [150_000, pytest.param(400_000, marks=pytest.mark.thorough), pytest.param(2_000_000, marks=pytest.mark.stress)],
)
@pytest.mark.parametrize("types", [20, 60, pytest.param(400, marks=pytest.mark.thorough)])
def test_steps_stay_within_the_budget(monkeypatch, budget, types):
    """No more steps are taken than the budget has, whatever the length."""
    steps = []

    def counted(*arguments):
        labeling = optimal_labels.set_labels(*arguments)
        steps.append(labeling.steps)
        return labeling

    monkeypatch.setattr(optimal, "set_labels", counted)
    pick = random.Random(3)
    reference, hypothesis = ([pick.randrange(types) for _ in range(types * 2 + 100)] for _ in range(2))
    candidates = [[(1, i, 1, 0) for i, word in enumerate(hypothesis) if word == wanted] for wanted in reference]
    assert valid(Optimal(budget=budget)(candidates, len(hypothesis), GAINS).matches, candidates)
    assert steps
    assert sum(steps) <= budget


@pytest.mark.parametrize(("starts", "hypothesis"), [(200, 201), (1, 1_000_000)])
def test_a_graph_too_large_is_not_built(monkeypatch, starts, hypothesis):
    """With too many candidates, or too large sets of words, the beam's result is returned, and said to be no more."""
    monkeypatch.setattr(optimal, "Graph", None)
    candidates = [[(1, start, 1, 0) for start in range(starts)]] * 200
    found = Optimal(budget=100_000)(candidates, hypothesis, GAINS)
    assert found == (Beam()(candidates, hypothesis, GAINS).matches, False)


@pytest.mark.parametrize(
    ("gains", "proven"),
    [
        pytest.param((0.5, 1.0, 1.0), True, marks=pytest.mark.thorough),
        ((0.5, 2.0, 1.0), False),
        pytest.param((0.0,) * 3, False, marks=pytest.mark.thorough),
    ],
)
def test_matched_as_it_stands(gains, proven):
    """If all words of a large segment can be matched in place at the highest weight, nothing is better."""
    everywhere = [(1, start, 1, stage) for start in range(60) for stage in (0, 2)]
    last = [(1, start, 1, stage) for start in range(60) for stage in (0, 1)]
    found = Optimal(budget=20_000)([everywhere] * 59 + [last], 60, gains)
    assert found.optimal == proven
    if proven:
        assert found.matches == [(place, 1, place, 1, 2) for place in range(59)] + [(59, 1, 59, 1, 1)]
        assert not Optimal(budget=20_000)([everywhere] * 59, 60, gains).optimal


@pytest.mark.stress
def test_a_word_repeated_2000_times():
    """Two thousand candidates at each of two thousand positions: proven at once, as nothing can be better."""
    everywhere = [(1, start, 1, 0) for start in range(2000)]
    found = Optimal()([everywhere] * 2000, 2000, GAINS)
    assert found == ([(place, 1, place, 1, 0) for place in range(2000)], True)


@pytest.mark.stress
def test_two_hundred_words_of_five_types():
    """More than any budget solves: a valid alignment, no worse than the beam's, and it says that it is not proven."""
    pick = random.Random(5)
    reference, hypothesis = ([pick.choice("abcde") for _ in range(200)] for _ in range(2))
    candidates = [[(1, i, 1, 0) for i, word in enumerate(hypothesis) if word == wanted] for wanted in reference]
    found = Optimal()(candidates, 200, GAINS)
    assert not found.optimal
    assert valid(found.matches, candidates)
    assert quality(found.matches) <= quality(Beam()(candidates, 200, GAINS).matches)


@pytest.fixture(scope="module")
def newstest(shared, oracles):
    """The candidates of newstest2009 under the preset, with the lengths of the hypotheses."""
    scorer = Scorer("meteor-1.5-en-optimal", implementation="python")
    folder = shared / "data" / "newstest2009"
    sides = [(folder / name).read_text("utf-8").split("\n")[:-1] for name in ("reference.en", "system1.en")]
    return [problem_of(scorer, *pair) for pair in zip(*sides, strict=True)]


def problem_of(scorer, reference, hypothesis):
    """The candidates of a segment, and the length of its hypothesis."""
    engine = scorer.engine
    sides = engine.read(reference), engine.read(hypothesis)
    return propose(engine.matchers, *sides), len(sides[1].words)


@pytest.mark.oracle
def test_never_worse_than_the_beam_on_newstest2009(newstest):
    """On no segment is the beam better; all but a few are proven the best."""
    unproven = 0
    for candidates, hypothesis_length in newstest:
        found = Optimal(budget=300_000)(candidates, hypothesis_length, GAINS)
        assert quality(found.matches) <= quality(Beam()(candidates, hypothesis_length, GAINS).matches)
        unproven += not found.optimal
    assert unproven < 30


@pytest.mark.oracle
def test_never_worse_than_the_beam_on_wmt14(shared, oracles):
    """On no segment of a sample of WMT14's system outputs is the beam better."""
    scorer = Scorer("meteor-1.5-en-optimal", implementation="python")
    folder = shared / "data" / "judgements" / "wmt14_rank"
    for name in ("cs-en", "de-en", "fr-en", "hi-en", "ru-en"):
        references = {row[0]: row[2] for row in rows(folder / f"{name}.segments.tsv.gz")}
        for segment, _, hypothesis in rows(folder / f"{name}.hyps.tsv.gz")[::97]:
            candidates, length = problem_of(scorer, references[segment], hypothesis)
            found = Optimal(budget=100_000)(candidates, length, GAINS)
            assert quality(found.matches) <= quality(Beam()(candidates, length, GAINS).matches)


def rows(path):
    """A gzipped TSV file without its head; its texts hold other line breaks."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.removesuffix("\n").split("\t") for line in lines][1:]


def integer_program(candidates, hypothesis_length):
    """The best (matched, chunks, distance) by scipy's HiGHS, one criterion after the other."""
    np = pytest.importorskip("numpy")
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    matches = sorted({(p, *candidate) for p, here in enumerate(candidates) for candidate in here})
    if not matches:
        return 0, 0, 0
    begins = {}
    for index, (place, _, start, _, _) in enumerate(matches):
        begins.setdefault((place, start), []).append(index)
    joins = [
        (first, second)
        for first, (place, length, start, words, _) in enumerate(matches)
        for second in begins.get((place + length, start + words), ())
    ]
    size = len(matches) + len(joins)
    constraints, limits = [], []

    def at_most(terms, limit):
        row = np.zeros(size)
        for column, value in terms:
            row[column] += value
        constraints.append(row)
        limits.append(limit)

    for word in range(len(candidates)):
        at_most([(i, 1) for i, m in enumerate(matches) if m[0] <= word < m[0] + m[1]], 1)
    for word in range(hypothesis_length):
        at_most([(i, 1) for i, m in enumerate(matches) if m[2] <= word < m[2] + m[3]], 1)
    for column, pair in enumerate(joins, len(matches)):
        for match in pair:
            at_most([(column, 1), (match, -1)], 0)
    objectives = np.zeros((3, size))
    for index, (place, length, start, words, stage) in enumerate(matches):
        objectives[:, index] = -2 * GAINS[stage] * (length + words), 1, abs(place - start)
    objectives[1, len(matches) :] = -1
    best = []
    for objective in objectives:
        bounds = optimize.LinearConstraint(sparse.csr_array(np.array(constraints)), -np.inf, np.array(limits))
        solved = optimize.milp(
            objective, constraints=bounds, integrality=np.ones(size), bounds=(0, 1), options={"mip_rel_gap": 0}
        )
        assert solved.success
        best.append(round(solved.fun))
        constraints.append(objective)
        limits.append(best[-1] + 0.5)
    return tuple(best)


@pytest.mark.oracle
def test_equals_an_integer_program(newstest):
    """On a sample of real segments an independent solver finds the same matched, chunks and distance."""
    for candidates, hypothesis_length in newstest[::20]:
        found = Optimal()(candidates, hypothesis_length, GAINS)
        matched, chunks, distance = quality(found.matches)
        assert found.optimal
        assert (2 * matched, chunks, distance) == integer_program(candidates, hypothesis_length)
