"""The candidates of a segment as a layered graph, and a lower bound of the cost of its alignments.

A *layer* is a reference position that has candidates; layers are numbered from the end of the reference, 0 being the
end itself. An *arc* is a candidate, or several for the same words of which only the best counts. An alignment is a
path from the first layer to the end that takes an arc or none at each layer, and takes no hypothesis word twice. Its
cost, one integer, is `-matched * unit + chunks * chunk + distance`: smaller is better. No number of chunks costs as
much as a matched word, and no distance as much as a chunk.

The bound comes from Lagrangian relaxation: words may be taken twice, at a price. Without the rule that no hypothesis
word is taken twice, the cheapest path through the layers is found in one pass from the end. Each word then gets a
multiplier: every match that uses the word pays it, and it is refunded once. The result is a lower bound for any
multipliers, and better multipliers give a closer bound. Multipliers rise if the cheapest path takes a word twice, and
fall if it does not use a word that has a multiplier (subgradient ascent, Held & Karp 1971, with the step length of
Polyak 1969, deflected as by Camerini, Fratta & Maffioli 1975).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

from attrs import frozen

from meteorlib.core.alignment import Candidate, Candidates, Chunking

MatchKey = tuple[int, int, int, int, int]
"""A match in the order that decides among equals: reference start, hypothesis start, lengths in that order, stage."""

Arc = tuple[int, int, int, int, int, int, int, MatchKey]
"""A candidate at a layer, as a tuple.

Its elements: the cost of taking it, beside the chunk that it may begin; the hypothesis words it
uses (a bit set), the first of them, the position behind the last; the layer that it leads to; that position again where
an arc of that layer could continue the chunk, otherwise -1; hypothesis words that it leaves alone and that nothing
behind it can use (a bit set); itself.
"""


@frozen
class Graph:
    """The graph of a segment."""

    hypothesis_length: int  # number of words of the hypothesis
    chunk: int  # the cost of a chunk; above every distance
    unit: int  # the cost of the smallest difference in matched words; above every number of chunks
    layers: Sequence[Sequence[Arc]]  # the arcs of each layer, the end first
    usable: Sequence[int]  # for each layer, the hypothesis words that it or a later one can use (a bit set)
    gains: Sequence[int]  # for each stage, the gain of a matched word as a whole number, in units

    @classmethod
    def of(cls, candidates: Candidates, hypothesis_length: int, gains: Sequence[float]) -> Graph:
        """Build the graph from what a `Search` is called with."""
        end = len(candidates)
        bits = (max(end, hypothesis_length) + 1).bit_length()
        chunk = 1 << 2 * bits
        unit = chunk << bits
        whole = whole_gains(gains)
        first = [0] * (end + 1)
        places, usable = [end], [0]
        layers: list[list[Arc]] = [[]]
        starts: list[frozenset[int]] = [frozenset()]
        span_lists: dict[int, tuple[list[tuple[int, int, int, int, int, int]], int, frozenset[int]]] = {}
        for place in range(end - 1, -1, -1):
            here = candidates[place]
            if here:
                if id(here) not in span_lists:
                    spans = _spans(here, whole)
                    words = 0
                    for span in spans:
                        words |= span[5]
                    span_lists[id(here)] = spans, words, frozenset(span[0] for span in spans)
                spans, words, begins = span_lists[id(here)]
                words |= usable[-1]
                arcs = []
                for start, length, hypothesis_words, stage, value, mask in spans:
                    target, stop = first[place + length], start + hypothesis_words
                    joined = stop in starts[target] and places[target] == place + length
                    cost = (start - place if start > place else place - start) - value * unit
                    match = (place, start, length, hypothesis_words, stage)
                    passed = words & ~usable[target] & ~mask
                    arcs.append((cost, mask, start, stop, target, stop if joined else -1, passed, match))
                places.append(place)
                layers.append(arcs)
                usable.append(words)
                starts.append(begins)
            first[place] = len(layers) - 1
        return cls(hypothesis_length, chunk, unit, layers, usable, whole)

    @property
    def steps(self) -> int:
        """Number of steps from the first layer to the end with one label per layer: one for each arc and each layer."""
        return sum(map(len, self.layers)) + len(self.layers)

    def cost(self, matches: Sequence[tuple[int, int, int, int, int]]) -> int:
        """The cost of an alignment, its matches in reference order."""
        total = Chunking.of(matches).count * self.chunk
        for reference, length, start, hypothesis_words, stage in matches:
            total += abs(reference - start) - (hypothesis_words + length) * self.gains[stage] * self.unit
        return total


def whole_gains(gains: Sequence[float]) -> list[int]:
    """The gains as whole numbers of their smallest common unit, without rounding."""
    # as whole numbers no two costs are equal, or differ, only by rounding
    exact = [Fraction(gain) for gain in gains]
    unit = lcm(*(gain.denominator for gain in exact))
    return [int(gain * unit) for gain in exact]


def _spans(candidates: Iterable[Candidate], gains: Sequence[int]) -> list[tuple[int, int, int, int, int, int]]:
    """The best candidate for each pair of spans, in order: highest value, then earliest stage."""
    best: dict[tuple[int, int, int], tuple[int, int]] = {}
    for length, start, hypothesis_words, stage in candidates:
        span = start, length, hypothesis_words
        ranked = -(hypothesis_words + length) * gains[stage], stage
        if span not in best or ranked < best[span]:
            best[span] = ranked
    return [
        (start, length, words, stage, -value, ((1 << words) - 1) << start)
        for (start, length, words), (value, stage) in sorted(best.items())
    ]


ENOUGH = 1.001
"""Demand above which a hypothesis word gets a multiplier: 1, and room for rounding."""

PATIENCE = 4
"""Iterations without a better bound after which the steps are halved, at least."""

PHASES = 8
"""Like `PATIENCE`, as a share of all iterations: 1 / PHASES of them."""

TARGET = 4
"""Units above the bound that the steps aim at, at most: the incumbent may be far from the best alignment there is."""

DEFLECTION = 0.6
"""Share of the last direction in the next one, so that the multipliers do not oscillate."""


@frozen
class Relaxation:
    """The lower bound under given multipliers."""

    multipliers: Sequence[int]  # one for each hypothesis word, 0 at least
    bound: int  # no alignment costs less
    # for each layer, the least that the rest costs (multipliers paid, none back) where no chunk is open
    to_go: Sequence[int]
    # for each layer and hypothesis position, the same where the chunk open there is continued
    continued: Sequence[dict[int, int]]
    # for each layer and arc, the least that it and all behind it cost; in a chunk, less `Graph.chunk`
    through: Sequence[Sequence[int]]

    @classmethod
    def of(cls, graph: Graph, multipliers: Sequence[int]) -> Relaxation:
        """Compute the bound in one pass over the arcs, from the end."""
        chunk = graph.chunk
        paid = list(accumulate(multipliers, initial=0))
        to_go: list[int] = [0]
        continued: list[dict[int, int]] = [{}]
        through: list[list[int]] = [[]]
        for layer in range(1, len(graph.layers)):
            rest = to_go[-1]
            joins: dict[int, int] = {}
            here: list[int] = []
            for cost, _, start, stop, target, joining, _, _ in graph.layers[layer]:
                least = to_go[target]
                if joining >= 0:
                    joined = continued[target][joining]
                    if joined < least:  # noqa: PLR1730 – min() is slower
                        least = joined
                least += cost + paid[stop] - paid[start]
                if start not in joins or least < joins[start]:
                    joins[start] = least
                least += chunk
                if least < rest:  # noqa: PLR1730 – min() is slower
                    rest = least
                here.append(least)
            to_go.append(rest)
            continued.append(joins)
            through.append(here)
        return cls(multipliers, to_go[-1] - paid[-1], to_go, continued, through)

    def uses(self, graph: Graph) -> list[int]:
        """Number of times that the cheapest path takes each hypothesis word."""
        counts = [0] * len(self.multipliers)
        layer, open_ = len(self.to_go) - 1, -1
        while layer:
            wanted = self.to_go[layer]
            joined = self.continued[layer].get(open_)
            joins = joined is not None and joined <= wanted
            if joined is not None and joins:
                wanted = joined + graph.chunk
            elif wanted == self.to_go[layer - 1]:
                layer, open_ = layer - 1, -1
                continue
            through, here = self.through[layer], graph.layers[layer]
            index = through.index(wanted)
            while joins and here[index][2] != open_:
                index = through.index(wanted, index + 1)
            _, _, start, stop, layer, open_, _, _ = here[index]
            for word in range(start, stop):
                counts[word] += 1
        return counts

    def subgradient(self, uses: Iterable[int]) -> list[int]:
        """For each hypothesis word, the number of times that a path pays its multiplier, less 1 (it comes back once).

        A word whose multiplier is 0 counts only if the path takes it twice, because then a multiplier would help. A
        path that takes no word twice and whose subgradient is 0 costs exactly the bound.
        """
        return [
            count - 1 if count or multiplier else 0 for count, multiplier in zip(uses, self.multipliers, strict=True)
        ]

    def improve(self, graph: Graph, upper_bound: int, iterations: int) -> Relaxation:
        """Improve the bound by subgradient ascent, and return the best relaxation.

        `upper_bound` is the cost of the best alignment known.
        """
        best = last = self
        scale, failures = 1.0, 0
        patience = max(PATIENCE, iterations // PHASES)
        direction = [0.0] * len(self.multipliers)
        for _ in range(iterations):
            subgradient = last.subgradient(last.uses(graph))
            if not any(subgradient) or upper_bound <= last.bound:
                return last
            direction = [
                slope + DEFLECTION * before if multiplier or slope > 0 else 0.0
                for slope, before, multiplier in zip(subgradient, direction, last.multipliers, strict=True)
            ]
            square = 0.0
            for change in direction:  # one by one: sum() rounds otherwise from Python 3.12 on
                square += change * change
            length = scale * min(upper_bound - last.bound, TARGET * graph.unit) / (square or 1.0)
            multipliers = [
                max(0, int(multiplier + length * change)) if change else multiplier
                for multiplier, change in zip(last.multipliers, direction, strict=True)
            ]
            last = Relaxation.of(graph, multipliers)
            if last.bound > best.bound:
                best, failures = last, 0
            else:
                failures += 1
                if failures == patience:
                    scale, failures = scale / 2, 0
        return best


def initial_multipliers(graph: Graph) -> list[int]:
    """Multipliers for words that are more frequent in the reference than in the hypothesis.

    Each reference word demands equal parts of the hypothesis words that have the greatest value for it. If the demand
    for a hypothesis word exceeds 1, its multiplier is the value of its match, less a chunk.
    """
    demand = [0.0] * graph.hypothesis_length
    values = [0] * graph.hypothesis_length
    for layer in graph.layers[1:]:
        singles = [(cost // graph.unit, start) for cost, _, start, stop, *_ in layer if stop == start + 1]
        if not singles:
            continue
        most = min(singles)[0]
        wanted = [start for value, start in singles if value == most]
        for word in wanted:
            demand[word] += 1 / len(wanted)
            values[word] = max(values[word], -most)
    return [
        max(0, value * graph.unit - graph.chunk) if asked > ENOUGH else 0
        for asked, value in zip(demand, values, strict=True)
    ]
