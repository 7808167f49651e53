"""The provably best alignment of METEOR 1.5's candidates, which METEOR's own beam often misses (docs/searches.md).

A proof is attempted on the graph of a segment: a relaxation bounds the cost of an alignment from below
(`optimal_graph`), and label setting (`optimal_labels`) looks for an alignment of that cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import frozen

from meteorlib.core.alignment import Candidate, Candidates, Found
from meteorlib.search import beam_width, linked, step_budget
from meteorlib.search.beam import Beam
from meteorlib.search.optimal_graph import Graph, Relaxation, initial_multipliers
from meteorlib.search.optimal_labels import Label, set_labels, uses

BUDGET = 2_000_000
"""Default number of steps: a few seconds in Python."""

SCHEDULE = ((24, 0), (24, 20), (32, 30), (64, 60), (64, 120), (128, 200), (256, 300), (1024, 400))
"""Width of label setting and iterations of subgradient ascent before it, for each attempt at a proof; after these, the
width grows fourfold each time."""

HOPELESS = 6
"""Number of words violated by the cheapest path above which no proof is attempted without an incumbent: hardly any
succeeds."""

HEURISTIC_WIDTH = 8
"""Width of the label setting that looks for a better alignment after an attempt without proof."""

ALL = -1
"""All words, as a bit set."""

LARGEST = 64
"""Segments with more than budget / LARGEST candidates are left to the beam: their graph alone would fill the memory."""

WORDS_PER_SHARE = 512
"""Above LARGEST * WORDS_PER_SHARE hypothesis words, the limit is budget * WORDS_PER_SHARE / words candidates: the graph
has sets of hypothesis words for each candidate."""


@frozen
class Optimal:
    """Search for the best alignment: most matched, then fewest chunks, then smallest distance.

    *Matched* is the sum of the values of the matches: gain · (hypothesis words + reference words), with gain 1 for
    exact matches and ½ for all others, whatever the preset's weights; unlike METEOR 1.5's, not truncated.
    *Distance* is the sum of |reference start − hypothesis start|. If several candidates cover
    the same words, the one with the greatest value counts; among equal values, the one of the earliest stage. Among
    several best alignments, the result is the smallest as a list of (reference start, hypothesis start, reference
    length, hypothesis length, stage), where a list that is the beginning of another sorts after it.
    """

    width: int = beam_width()  # the width of the beam whose result is returned where that is better than the best found
    # steps (a label extended by an arc, or an arc in the relaxation) after which the best found is returned
    budget: int = step_budget(BUDGET)

    def __call__(self, candidates: Candidates, hypothesis_length: int, gains: Sequence[float]) -> Found:
        """See `Search`: matches that are never worse than METEOR's beam of this width."""
        if sum(map(len, candidates)) > self.budget // max(LARGEST, hypothesis_length // WORDS_PER_SHARE):
            straight = _match_straight(candidates, gains) if len(candidates) == hypothesis_length else None
            return straight or Beam(self.width)(candidates, hypothesis_length, gains)._replace(optimal=False)
        graph = Graph.of(candidates, hypothesis_length, gains)
        best, proven = _solve(graph, self.budget)
        matches = [
            (place, length, start, hypothesis_words, stage)
            for place, start, length, hypothesis_words, stage in reversed(linked(best[3]))
        ]
        if not proven:
            beam = Beam(self.width)(candidates, hypothesis_length, gains).matches
            if graph.cost(beam) < best[0]:
                return Found(beam, optimal=False)
        return Found(matches, proven)


def _solve(graph: Graph, budget: int) -> tuple[Label, bool]:
    """The best alignment found, and whether none costs less."""
    relaxation = Relaxation.of(graph, initial_multipliers(graph))
    incumbent: Label | None = None
    upper_bound = graph.unit  # above the cost of every alignment
    schedule = iter(SCHEDULE)
    width, iterations = next(schedule)
    while True:
        relaxation = relaxation.improve(graph, upper_bound, iterations)
        attempt = _attempt(graph, relaxation, width, upper_bound, budget)
        # more, not as much: an alignment of the same cost might come first in the order of `Optimal`
        if attempt.best is not None and attempt.others > attempt.best[0]:
            return attempt.best, True
        best = attempt.best
        budget -= attempt.steps + iterations * graph.steps
        if best is None or best[0] >= upper_bound:
            best, dropped, steps = set_labels(graph, relaxation, HEURISTIC_WIDTH, upper_bound, ALL)
            budget -= steps
            if best is not None and dropped > best[0]:
                return best, True
        if best is not None and (incumbent is None or best[0] < upper_bound):
            incumbent, upper_bound = best, best[0]
        wider, iterations = next(schedule, (4 * width, iterations))
        wider = min(wider, budget // graph.steps - iterations)
        if wider < width:
            break
        width = wider
    assert incumbent is not None  # noqa: S101 – the first labeling has no upper bound that could stop it
    return incumbent, attempt.others >= upper_bound


class Attempt(NamedTuple):
    """An attempt at a proof."""

    best: Label | None  # the best alignment found, if any; proven the best of all where its cost is below `others`
    others: float  # a lower bound of the cost of every alignment that was not ruled out
    steps: int  # the steps taken


def _attempt(graph: Graph, relaxation: Relaxation, width: int, upper_bound: int, budget: int) -> Attempt:
    """Make more words critical until the cheapest path takes none twice.

    This is decremental state space relaxation: Righini & Salani 2008. It ends without a proof if dropped
    labels may have led to an alignment as good, or if the budget ends. If no incumbent is known and many words are
    violated, it ends at once.
    """
    critical = _violated_words(relaxation, relaxation.uses(graph))
    if upper_bound == graph.unit and critical.bit_count() > HOPELESS:
        return Attempt(None, relaxation.bound, 0)
    if not critical:
        # the cheapest path takes no word twice, so it is an alignment of this cost
        upper_bound = min(upper_bound, relaxation.bound)
    best: Label | None = None
    spent = 0
    while True:
        end, dropped, steps = set_labels(graph, relaxation, width, upper_bound, critical)
        spent += steps
        if end is None:
            return Attempt(best, dropped, spent)
        violated = _violated_words(relaxation, uses(end[3], graph.hypothesis_length)) & ~critical
        if dropped > end[0] and not violated:
            return Attempt(end, dropped, spent)
        repaired = _repair(graph, end)
        if best is None or repaired[0] < best[0]:
            best, upper_bound = repaired, min(upper_bound, repaired[0])
        if dropped <= end[0] or spent > budget:
            return Attempt(best, min(dropped, end[0]), spent)
        critical |= violated


def _repair(graph: Graph, end: Label) -> Label:
    """The alignment of a path without matches whose words an earlier match takes."""
    used, matches = 0, []
    link: Any = None
    for match in reversed(linked(end[3])):
        place, start, length, words, stage = match
        mask = ((1 << words) - 1) << start
        if not used & mask:
            used |= mask
            link = match, link
            matches.append((place, length, start, words, stage))
    return graph.cost(matches), 0, -1, link


def _violated_words(relaxation: Relaxation, counts: Sequence[int]) -> int:
    """The hypothesis words whose subgradient is not 0 (a bit set): the path's cost differs from its bound."""
    return sum(1 << word for word, slope in enumerate(relaxation.subgradient(counts)) if slope)


def _match_straight(candidates: Candidates, gains: Sequence[float]) -> Found | None:
    """The alignment of each word with the same position, by stages of the highest gain, if it exists: the best one."""
    highest = max(gains)
    if highest <= 0:
        return None
    stages = [stage for stage, gain in enumerate(gains) if gain == highest]
    known: dict[int, set[Candidate]] = {}
    matches = []
    for place, here in enumerate(candidates):
        if id(here) not in known:
            known[id(here)] = set(here)
        stage = next((stage for stage in stages if (1, place, 1, stage) in known[id(here)]), None)
        if stage is None:
            return None
        matches.append((place, 1, place, 1, stage))
    return Found(matches, optimal=True)
