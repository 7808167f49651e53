"""The staged search against brute force, the worked examples, and sizes that no brute force could take."""

from __future__ import annotations

import pickle
from collections import defaultdict
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core.alignment import Chunking, Found
from meteorlib.search import staged_bipartite
from meteorlib.search.staged import Staged
from tests.examples import examples, many


def matchings(references, edges, used=frozenset()):
    """Every one-to-one matching of a graph, as sorted pairs."""
    if not references:
        yield ()
        return
    first, *others = references
    for position in edges[first]:
        if position not in used:
            for rest in matchings(others, edges, used | {position}):
                yield ((first, position), *rest)
    yield from matchings(others, edges, used)


def crossings(pairs):
    """Pairs of matches whose position differences have a negative product."""
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(pairs, 2))


def chunks(pairs):
    """Matches that do not continue another one on both sides."""
    return sum((reference - 1, position - 1) not in pairs for reference, position in pairs)


def brute_force(candidates):
    """The rule word by word: every matching of every stage, the smallest by the four criteria."""
    done = {}
    for stage in sorted({candidate[3] for here in candidates for candidate in here}):
        earlier = set(done)
        edges = {
            reference: sorted(
                {c[1] for c in here if c[3] == stage and c[1] not in {position for _, position in earlier}}
            )
            for reference, here in enumerate(candidates)
            if reference not in {word for word, _ in earlier}
        }
        best = min(
            matchings(list(edges), edges),
            key=lambda pairs: (-len(pairs), crossings(earlier | {*pairs}), chunks(earlier | {*pairs}), pairs),
        )
        done |= dict.fromkeys(best, stage)
    return [(reference, 1, position, 1, stage) for (reference, position), stage in sorted(done.items())]


def exact(reference, hypothesis):
    """Candidates of the exact matcher: one list for all places of a word."""
    places = defaultdict(list)
    for position, word in enumerate(hypothesis):
        places[word].append((1, position, 1, 0))
    return [places.get(word, ()) for word in reference]


def align(reference, hypothesis):
    """Exact matches of two sentences."""
    words = hypothesis.split()
    return Staged()(exact(reference.split(), words), len(words))


def pairs_of(found):
    """The matches as a set of pairs of positions."""
    return {(reference, position) for reference, _, position, _, _ in found.matches}


@st.composite
def words_of_few_types(draw):
    """Segments with many places of few words, which two stages tell apart more and less finely."""
    types = draw(st.integers(1, 5))
    word = st.integers(0, types - 1)
    longest = 7 if many() else 6
    reference = draw(st.lists(word, max_size=longest))
    hypothesis = draw(st.lists(word, max_size=longest))
    stem = draw(st.lists(st.integers(0, 2), min_size=types, max_size=types))
    return [
        [(1, i, 1, 0) for i, other in enumerate(hypothesis) if other == word]
        + [(1, i, 1, 1) for i, other in enumerate(hypothesis) if stem[other] == stem[word]]
        for word in reference
    ]


@st.composite
def any_graphs(draw):
    """Any candidates of up to three stages."""
    candidate = st.tuples(st.just(1), st.integers(0, 5), st.just(1), st.integers(0, draw(st.integers(0, 2))))
    return draw(st.lists(st.lists(candidate, max_size=6), max_size=6))


@examples(2000)
@given(words_of_few_types())
def test_equals_brute_force_on_repeated_words(candidates):
    """Most matches, fewest crossings, fewest chunks, smallest pairs: as brute force finds them, and proven."""
    assert Staged()(candidates, 7) == (brute_force(candidates), True)


@examples(2000)
@given(any_graphs())
def test_equals_brute_force_on_any_graph(candidates):
    """Synonyms do not come in classes: any candidates are aligned as brute force aligns them."""
    assert Staged()(candidates, 6) == (brute_force(candidates), True)


@pytest.mark.parametrize("seed", range(12))
def test_equals_brute_force_where_words_compete(seed):
    """Six words of either side with two or three candidates each, in two stages, are aligned as by brute force."""
    pick = Random(seed)
    candidates = [[(1, i, 1, pick.randrange(2)) for i in pick.sample(range(6), pick.randint(1, 3))] for _ in range(6)]
    assert Staged()(candidates, 6) == (brute_force(candidates), True)


@examples(500)
@given(st.one_of(words_of_few_types(), any_graphs()))
def test_without_budget_still_a_largest_matching(candidates):
    """If the budget ends, a stage still has the most one-to-one matches, and an unproven result is marked."""
    candidates = [[candidate for candidate in here if candidate[3] == 0] for here in candidates]
    found = Staged(budget=1)(candidates, 7)
    optimum = brute_force(candidates)
    assert len({match[0] for match in found.matches}) == len({match[2] for match in found.matches}) == len(optimum)
    assert found.matches == optimum or not found.optimal


def test_fewest_crossings_before_fewest_chunks():
    """The paper's criterion takes 8 crossings in 6 chunks rather than 11 crossings in 3."""
    found = align("the cat sat on the mat", "on the mat sat the cat")
    assert crossings(pairs_of(found)) == 8
    assert Chunking.of(found.matches).count == 6


def test_fewest_chunks_among_fewest_crossings():
    """No crossing either way: the first three words are matched as one chunk, where a greedy search makes four."""
    found = align("the cat is on the mat", "the cat is on the mat and the rug")
    assert Chunking.of(found.matches).count == 1


def test_later_stages_see_only_free_words():
    """A word of either side that an earlier stage matched is not there for a later one."""
    both = [(1, 0, 1, 0), (1, 0, 1, 1), (1, 1, 1, 1)]
    assert Staged()([both, [(1, 0, 1, 1)]], 2) == ([(0, 1, 0, 1, 0)], True)


def test_nothing_to_align():
    """No words, or no candidates: no matches, and that is optimal."""
    assert Staged()([], 0) == Found([], optimal=True)
    assert Staged()([(), []], 3) == Found([], optimal=True)


@pytest.mark.parametrize("candidate", [(2, 0, 1, 0), (1, 0, 2, 0)])
def test_phrases_are_refused(candidate):
    """METEOR 2005 aligns single words: a longer candidate is an error that names its place."""
    with pytest.raises(ValueError, match=r"single words: \d reference words at 1 .* hypothesis words at 0"):
        Staged()([[], [candidate]], 2)


def test_is_a_value():
    """Searches compare by their settings and can be pickled."""
    assert pickle.loads(pickle.dumps(Staged(budget=7))) == Staged(budget=7) != Staged()  # noqa: S301


@pytest.mark.thorough
def test_hard_segments_are_aligned_within_the_budget():
    """200 words of 20 types on both sides: as many matches as possible, the same ones each time."""
    random = Random(1)
    reference = [random.randrange(20) for _ in range(200)]
    hypothesis = [random.randrange(20) for _ in range(200)]
    found = Staged()(exact(reference, hypothesis), 200)
    assert len(found.matches) == sum(min(reference.count(word), hypothesis.count(word)) for word in range(20))
    assert found == Staged()(exact(reference, hypothesis), 200)


@pytest.mark.parametrize(("reference", "hypothesis"), [(2000, 2000), (2000, 1999), (1999, 2000)])
def test_repeats_of_one_word(reference, hypothesis):
    """One word again and again is matched from the beginning on, in one chunk."""
    few = min(reference, hypothesis)
    found = Staged()(exact("x" * reference, "x" * hypothesis), hypothesis)
    assert found == ([(word, 1, word, 1, 0) for word in range(few)], True)


@pytest.mark.parametrize(("reference", "hypothesis"), [(600, 300), (300, 600)])
def test_too_many_words_to_spare(reference, hypothesis):
    """With more pairs than the budget covers the last words to spare are left out, and it is said."""
    found = Staged(budget=1000)(exact("x" * reference, "x" * hypothesis), hypothesis)
    assert found == ([(word, 1, word, 1, 0) for word in range(300)], False)


@pytest.mark.stress
@pytest.mark.parametrize(("reference", "hypothesis"), [(2000, 1000), (1000, 2000)])
def test_many_words_to_spare(reference, hypothesis):
    """A thousand words to spare are within the default budget."""
    found = Staged()(exact("x" * reference, "x" * hypothesis), hypothesis)
    assert found == ([(word, 1, word, 1, 0) for word in range(1000)], True)


def classes(length):
    """Overlapping synonym classes: each word matches the positions of the two classes of three that are not its own."""
    lists = [[(1, i, 1, 0) for i in range(length) if i % 3 != own] for own in range(3)]
    return [lists[word % 3] for word in range(length)]


def is_one_to_one(found):
    """Whether no word is matched twice."""
    sides = [{match[side] for match in found.matches} for side in (0, 2)]
    return len(sides[0]) == len(sides[1]) == len(found.matches)


@pytest.mark.parametrize("budget", [200, pytest.param(200_000, marks=pytest.mark.thorough)])
def test_large_loose_graph(budget):
    """Overlapping synonym classes of 300 words: a largest matching, without recursion, with all pairs or a few."""
    found = Staged(budget=budget)(classes(300), 300)
    assert len(found.matches) == 300
    assert is_one_to_one(found)
    assert not found.optimal


@examples(500)
@given(st.one_of(words_of_few_types(), any_graphs()))
def test_what_was_not_looked_at_is_not_proven(candidates):
    """If a large component is searched in part, the result is a largest matching, marked unless it is the best."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staged_bipartite, "VISITS", 0)
        found = Staged()([[candidate for candidate in here if candidate[3] == 0] for here in candidates], 7)
    best = brute_force([[candidate for candidate in here if candidate[3] == 0] for here in candidates])
    assert is_one_to_one(found)
    assert len(found.matches) == len(best)
    assert found.matches == best or not found.optimal


@pytest.mark.parametrize("budget", [2000, 20_000, pytest.param(200_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("reference", "hypothesis", "types"), [(200, 200, 20), (400, 400, 5), (150, 300, 3), (300, 150, 3)]
)
def test_steps_stay_within_the_budget(searches, budget, reference, hypothesis, types):
    """After the greedy search about as many moves are looked at as the budget has at most, whatever the length."""
    random = Random(3)
    words = [[random.randrange(types) for _ in range(length)] for length in (reference, hypothesis)]
    assert is_one_to_one(Staged(budget=budget)(exact(*words), hypothesis))
    assert searches[0] <= reference * hypothesis / types
    assert sum(searches[1:]) <= 1.05 * budget


@pytest.mark.oracle
def test_real_text_is_solved(shared):
    """Every segment of newstest2009 is aligned to proven optimality."""
    folder = shared / "data" / "newstest2009"
    sides = [(folder / name).read_text("utf-8").lower().splitlines() for name in ("reference.en", "system1.en")]
    assert all(align(reference, hypothesis).optimal for reference, hypothesis in zip(*sides, strict=True))
