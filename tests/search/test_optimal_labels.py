"""Label setting: what reaches the end, and what the bound of the dropped labels promises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from meteorlib.search import linked
from meteorlib.search.optimal_graph import Graph, Relaxation, initial_multipliers
from meteorlib.search.optimal_labels import set_labels, uses
from tests.examples import examples
from tests.search.problems import GAINS, alignments, problems

ALL = -1


def labeled(problem, width, critical):
    """The graph of a problem, the cost of its best alignment, its labeling, and the length of the hypothesis."""
    candidates, length = problem
    graph = Graph.of(candidates, length, GAINS)
    relaxation = Relaxation.of(graph, initial_multipliers(graph))
    best = min(graph.cost(matches) for matches in alignments(candidates))
    return graph, best, set_labels(graph, relaxation, width, graph.unit, critical), length


@examples(300)
@given(problem=problems(), width=st.integers(1, 20))
def test_with_all_words_critical_the_end_is_an_alignment(problem, width):
    """No word is taken twice, the label costs what the alignment does, and only dropped labels may cost less."""
    graph, best, labeling, length = labeled(problem, width, ALL)
    assert labeling.end is not None
    assert max(uses(labeling.end[3], length), default=0) <= 1
    matches = [
        (place, words, start, others, stage) for place, start, words, others, stage in reversed(linked(labeling.end[3]))
    ]
    assert labeling.end[0] == graph.cost(matches)
    assert best >= min(labeling.end[0], labeling.dropped)


@examples(300)
@given(problem=problems(), width=st.integers(1, 20), critical=st.integers(0, 63))
def test_fewer_critical_words_give_a_lower_bound(problem, width, critical):
    """If words may be taken twice, the end, or a dropped label, costs no more than the best alignment."""
    _, best, labeling, _ = labeled(problem, width, critical)
    assert best >= min(labeling.end[0], labeling.dropped)


@examples(300)
@given(problem=problems())
def test_steps_are_counted(problem):
    """One label per layer takes no more steps than the graph has, and a labeling that drops nothing says so."""
    graph, best, narrow, _ = labeled(problem, 1, ALL)
    assert narrow.steps <= graph.steps
    _, _, wide, _ = labeled(problem, 10_000, ALL)
    assert wide.dropped == float("inf")
    assert wide.end[0] == best
