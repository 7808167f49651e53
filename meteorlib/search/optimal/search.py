"""The provably best alignment of METEOR 1.5's candidates, which METEOR's own beam often misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from meteorlib.core.alignment import Found, Proposal, Proposals
from meteorlib.search.beam import Beam
from meteorlib.search.beam.fixed import split_fixed
from meteorlib.search.optimal.graph import Arcs
from meteorlib.search.optimal.labels import State, effort, read, sweep, uses
from meteorlib.search.optimal.relaxation import Relaxation, first_prices
from meteorlib.search.search import beam_width, step_budget

BUDGET = 2_000_000
"""Steps, some seconds of Python."""

SCHEDULE = ((24, 0), (32, 15), (64, 30), (64, 60), (64, 120), (128, 200), (256, 300), (1024, 400))
"""States a layer that a proof keeps, and price changes before it; then four times the width each time."""

PROBE = 8
"""States a layer of the sweep that looks for a better alignment where a proof failed."""

ALL = -1
"""All words, as a bit set."""

LARGEST = 64
"""Segments with more than budget / LARGEST candidates are left to the beam: their graph alone would fill the memory."""

WORDS_PER_SHARE = 512
"""Beyond LARGEST * WORDS_PER_SHARE hypothesis words, more than budget * WORDS_PER_SHARE / words: the graph has sets of
hypothesis words for each candidate."""


@frozen
class Optimal:
    """Finds the best alignment: most matched, then fewest chunks, then smallest distance.

    *Matched* is the sum over the matches of weight · (hypothesis words + reference words), with weight 1 for exact
    matches and ½ for all others, whatever the preset's weights; unlike METEOR 1.5's it is not cut to whole numbers.
    *Distance* is the sum of |reference start − hypothesis start|. Of several candidates for the same words the one
    of most weight counts, of equal ones that of the earliest stage. Of several best alignments it is the one that is
    smallest as a list of (reference start, hypothesis start, reference length, hypothesis length, stage), where a list
    that ends sorts behind one that goes on.

    Attributes:
        width: the width of the beam whose result is returned where that is better than the best found.
        budget: steps (an arc looked at from a state, or priced) after which the best found is returned.
    """

    width: int = beam_width()
    budget: int = step_budget(BUDGET)

    def __call__(self, proposals: Proposals, hypothesis_length: int, gains: Sequence[float]) -> Found:
        """Choose one alignment.

        Args:
            proposals: the candidates of each reference position.
            hypothesis_length: words of the hypothesis.
            gains: for each stage, its weight in the search: 1 for exact matches, ½ for all others.

        Returns:
            The matches, never worse than METEOR's beam of this width; `optimal` where no alignment is better.
        """
        return _align(proposals, hypothesis_length, gains, self.width, self.budget, truncated=False)


@frozen
class OptimalTruncated:
    """Finds what METEOR 1.5's beam looks for: the best alignment by METEOR's truncated count.

    As `Optimal`, but each side of a match counts ⌊words · weight⌋, so that a match of two single words that is not
    exact counts nothing; and, as in METEOR, candidates that meet no other are matched in any case.

    Attributes:
        width: as in `Optimal`.
        budget: as in `Optimal`.
    """

    width: int = beam_width()
    budget: int = step_budget(BUDGET)

    def __call__(self, proposals: Proposals, hypothesis_length: int, gains: Sequence[float]) -> Found:
        """Choose one alignment; see `Optimal`."""
        return _align(proposals, hypothesis_length, gains, self.width, self.budget, truncated=True)


def _align(
    proposals: Proposals, hypothesis_length: int, gains: Sequence[float], width: int, budget: int, *, truncated: bool
) -> Found:
    if sum(map(len, proposals)) > budget // max(LARGEST, hypothesis_length // WORDS_PER_SHARE):
        straight = _straight(proposals, gains, truncated=truncated) if len(proposals) == hypothesis_length else None
        return straight or Beam(width)(proposals, hypothesis_length, gains)._replace(optimal=False)
    forced = [match[0] for match in split_fixed(proposals, hypothesis_length).fixed] if truncated else []
    arcs = Arcs.of(proposals, hypothesis_length, gains, truncated=truncated, forced=forced)
    best, proven = _search(arcs, budget)
    found = [
        (place, length, start, hypothesis_words, stage)
        for place, start, length, hypothesis_words, stage in read(best[3])
    ]
    if not proven:
        beam = Beam(width)(proposals, hypothesis_length, gains).matches
        if arcs.cost(beam) < best[0]:
            return Found(beam, optimal=False)
    return Found(found, proven)


def _search(arcs: Arcs, budget: int) -> tuple[State, bool]:
    """The best end found, and whether none costs less."""
    relaxation = Relaxation.of(arcs, first_prices(arcs))
    once = effort(arcs)
    best: State | None = None
    ceiling = arcs.unit  # above the cost of every alignment that has what is forced
    schedule = iter(SCHEDULE)
    width, rounds = next(schedule)
    while True:
        relaxation = relaxation.improved(arcs, ceiling, rounds)
        end, dropped, steps = _proof(arcs, relaxation, width, ceiling, budget)
        if end is not None and dropped > end[0]:
            return end, True
        floor = dropped
        budget -= steps + rounds * once
        if end is None or end[0] >= ceiling:
            end, dropped, steps = sweep(arcs, relaxation, PROBE, ceiling, ALL)
            budget -= steps
            if end is not None and dropped > end[0]:
                return end, True
        if end is not None and (best is None or end[0] < ceiling):
            best, ceiling = end, end[0]
        wider, rounds = next(schedule, (4 * width, rounds))
        wider = min(wider, budget // once - rounds)
        if wider < width:
            break
        width = wider
    assert best is not None  # noqa: S101 – the first sweep has no ceiling that could stop it
    return best, floor >= ceiling


def _proof(
    arcs: Arcs, relaxation: Relaxation, width: int, ceiling: int, budget: int
) -> tuple[State | None, float, int]:
    """Watch words until the cheapest path takes none twice (decremental state space relaxation: Righini & Salani 2008).

    Returns:
        The best alignment found, the best of all if less was not dropped; what was dropped, or what no alignment costs
        less than where the budget ended; the steps taken.
    """
    watched = _unsettled(relaxation, relaxation.uses(arcs))
    if not watched:
        ceiling = min(ceiling, relaxation.bound)
    best: State | None = None
    spent = 0
    while True:
        end, dropped, steps = sweep(arcs, relaxation, width, ceiling, watched)
        spent += steps
        if end is None:
            return best, dropped, spent
        unsettled = _unsettled(relaxation, uses(end[3], arcs.hypothesis_length)) & ~watched
        if dropped > end[0] and not unsettled:
            return end, dropped, spent
        rounded = _rounded(arcs, end)
        if best is None or rounded[0] < best[0]:
            best, ceiling = rounded, min(ceiling, rounded[0])
        if dropped <= end[0] or spent > budget:
            return best, min(dropped, end[0]), spent
        watched |= unsettled


def _rounded(arcs: Arcs, end: State) -> State:
    """The alignment that is left of a path without the matches of words that earlier ones take."""
    used, matches = 0, []
    link: Any = None
    for match in read(end[3]):
        place, start, length, words, stage = match
        mask = ((1 << words) - 1) << start
        if not used & mask:
            used |= mask
            link = match, link
            matches.append((place, length, start, words, stage))
    return arcs.cost(matches), 0, -1, link


def _unsettled(relaxation: Relaxation, counts: Sequence[int]) -> int:
    """The hypothesis words that make a path cost other than its bound (a bit set)."""
    return sum(1 << word for word, slope in enumerate(relaxation.slopes(counts)) if slope)


def _straight(proposals: Proposals, gains: Sequence[float], *, truncated: bool) -> Found | None:
    """All words matched where they stand, by stages of the highest weight: where they can be, nothing is better."""
    highest = max(gains)
    if highest <= 0 or (truncated and highest % 1):
        return None
    stages = [stage for stage, gain in enumerate(gains) if gain == highest]
    known: dict[int, set[Proposal]] = {}
    matches = []
    for place, candidates in enumerate(proposals):
        if id(candidates) not in known:
            known[id(candidates)] = set(candidates)
        stage = next((stage for stage in stages if (1, place, 1, stage) in known[id(candidates)]), None)
        if stage is None:
            return None
        matches.append((place, 1, place, 1, stage))
    return Found(matches, optimal=True)
