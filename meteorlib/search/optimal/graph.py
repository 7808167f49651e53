"""The candidates of a segment as a layered graph whose arcs carry the whole objective as one integer.

A *layer* is a reference position that has candidates; layers are numbered from the end of the reference, 0 being the
end itself. An *arc* is a candidate, or several for the same words of which only the best counts. An alignment is a
path from the first layer to the end that takes an arc or none at each layer, and takes no hypothesis word twice. Its
cost is `-matched * unit + chunks * chunk + distance`: smaller is better. No number of chunks costs as much as a matched
word, and no distance as much as a chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from attrs import frozen

from meteorlib.core.alignment import Candidate, Candidates
from meteorlib.core.chunking import Chunking

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
    """The graph of a segment.

    Attributes:
        hypothesis_length: number of words of the hypothesis.
        chunk: the cost of a chunk; above every distance.
        unit: the cost of the smallest difference in matched words; above every number of chunks.
        layers: the arcs of each layer, the end first.
        usable: for each layer, the hypothesis words that it or a later one can use (a bit set).
        gains: for each stage, the gain of a matched word as a whole number, in units.
    """

    hypothesis_length: int
    chunk: int
    unit: int
    layers: Sequence[Sequence[Arc]]
    usable: Sequence[int]
    gains: Sequence[int]

    @classmethod
    def of(cls, candidates: Candidates, hypothesis_length: int, gains: Sequence[float]) -> Graph:
        """Build the graph.

        Args:
            candidates: candidates of each reference position.
            hypothesis_length: number of words of the hypothesis.
            gains: for each stage, the gain of one matched word.
        """
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
