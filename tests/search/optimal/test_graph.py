"""The graph of a segment: its costs order alignments as the criteria do."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from meteorlib.search.optimal.graph import Graph
from tests.examples import examples
from tests.search.optimal.problems import GAINS, alignments, problems, quality


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
