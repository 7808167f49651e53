"""The graph of a segment: its costs order alignments as the criteria do."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from meteorlib.search.optimal_graph import Graph, Relaxation, initial_multipliers
from tests.examples import examples
from tests.search.problems import GAINS, alignments, problems, quality


@examples(300)
@given(problem=problems(longest=5))
def test_one_integer_holds_all_criteria(problem):
    """The alignment with the lower cost is the better one in matched, chunks, distance."""
    candidates, length = problem
    graph = Graph.of(candidates, length, GAINS)
    found = sorted(alignments(candidates), key=graph.cost)
    for better, worse in pairwise(found):
        assert (graph.cost(better) == graph.cost(worse)) == (quality(better) == quality(worse))
        assert quality(better) <= quality(worse)


@st.composite
def graphs(draw):
    """The graph of a problem, its candidates, and two choices of multipliers."""
    candidates, length = draw(problems())
    graph = Graph.of(candidates, length, GAINS)
    multiplier = st.one_of(st.just(0), st.integers(0, 4 * graph.unit))
    return graph, candidates, *(draw(st.lists(multiplier, min_size=length, max_size=length)) for _ in range(2))


def cheapest(graph, candidates):
    """The cost of the best alignment, by trying all."""
    return min(graph.cost(matches) for matches in alignments(candidates))


@examples(300)
@given(graphs())
def test_no_alignment_costs_less_than_the_bound(case):
    """The bound is a lower bound under any multipliers, and where the cheapest path violates nothing it is reached."""
    graph, candidates, multipliers, _ = case
    relaxation = Relaxation.of(graph, multipliers)
    best = cheapest(graph, candidates)
    assert relaxation.bound <= best
    if not any(relaxation.subgradient(relaxation.uses(graph))):
        assert relaxation.bound == best


@examples(300)
@given(graphs())
def test_the_subgradient_is_one(case):
    """The bound is concave in the multipliers: along the subgradient of a point it is above the bound elsewhere."""
    graph, _, here, there = case
    relaxation = Relaxation.of(graph, here)
    slopes = [count - 1 for count in relaxation.uses(graph)]
    plane = sum(slope * (other - one) for slope, one, other in zip(slopes, here, there, strict=True))
    assert Relaxation.of(graph, there).bound <= relaxation.bound + plane


@examples(200)
@given(graphs())
def test_iterations_never_lower_the_bound(case):
    """Subgradient ascent returns the best relaxation it came by, the first one included."""
    graph, candidates, _, _ = case
    first = Relaxation.of(graph, initial_multipliers(graph))
    improved = first.improve(graph, cheapest(graph, candidates), 20)
    assert improved.bound >= first.bound
    assert min(improved.multipliers, default=0) >= 0
