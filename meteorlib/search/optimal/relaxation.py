"""A lower bound of what an alignment costs: hypothesis words may be taken twice, but at a price.

Without the rule that no hypothesis word is taken twice, the cheapest path through the layers is found in one pass from
the end. Each word then gets a price, which every match that uses it pays, and which comes back once. That is still a
lower bound whatever the prices (a Lagrangian relaxation), and the better the prices fit, the closer it is: they rise
where the cheapest path takes a word twice, and fall where it leaves a priced word alone (subgradient steps, Held & Karp
1971, of the length of Polyak 1969, deflected as by Camerini, Fratta & Maffioli 1975).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from attrs import frozen

from meteorlib.search.optimal.graph import FORBIDDEN, Arcs

ENOUGH = 1.001
"""Demand above which a hypothesis word is priced: 1, and room for rounding."""

PATIENCE = 4
"""Price changes without a better bound after which the steps are halved, at least."""

PHASES = 8
"""The same as a part of all price changes asked for: 1 / PHASES of them."""

AIM = 4
"""Units above the bound that the steps aim at, at most: the best alignment known may be far from the best there is."""

MOMENTUM = 0.6
"""What of the last step's direction the next one keeps, so that the prices do not swing to and fro."""


@frozen
class Relaxation:
    """The bound under given prices.

    Attributes:
        prices: the price of each hypothesis word.
        bound: no alignment costs less.
        rests: for each layer, the least that the rest costs (prices paid, none back) where no chunk is open.
        joined: for each layer and hypothesis position, the same where the chunk open there is continued.
        leasts: for each layer and arc, the least that it and all behind it cost; in a chunk, less `Arcs.chunk`.
    """

    prices: Sequence[int]
    bound: int
    rests: Sequence[int]
    joined: Sequence[dict[int, int]]
    leasts: Sequence[Sequence[int]]

    @classmethod
    def of(cls, arcs: Arcs, prices: Sequence[int]) -> Relaxation:
        """One pass over the arcs, from the end."""
        chunk, forced = arcs.chunk, arcs.forced
        paid = list(accumulate(prices, initial=0))
        rests: list[int] = [0]
        joined: list[dict[int, int]] = [{}]
        leasts: list[list[int]] = [[]]
        for layer in range(1, len(arcs.layers)):
            rest = FORBIDDEN if layer in forced else rests[-1]
            joins: dict[int, int] = {}
            here: list[int] = []
            for cost, _, start, stop, target, joining, _, _ in arcs.layers[layer]:
                least = rests[target]
                if joining >= 0:
                    continued = joined[target][joining]
                    if continued < least:  # noqa: PLR1730 – min() is slower
                        least = continued
                least += cost + paid[stop] - paid[start]
                if start not in joins or least < joins[start]:
                    joins[start] = least
                least += chunk
                if least < rest:  # noqa: PLR1730 – min() is slower
                    rest = least
                here.append(least)
            rests.append(rest)
            joined.append(joins)
            leasts.append(here)
        return cls(prices, rests[-1] - paid[-1], rests, joined, leasts)

    def uses(self, arcs: Arcs) -> list[int]:
        """How often the cheapest path takes each hypothesis word."""
        counts = [0] * len(self.prices)
        layer, open_ = len(self.rests) - 1, -1
        while layer:
            wanted = self.rests[layer]
            continued = self.joined[layer].get(open_)
            joins = continued is not None and continued <= wanted
            if continued is not None and joins:
                wanted = continued + arcs.chunk
            elif wanted == self.rests[layer - 1]:
                layer, open_ = layer - 1, -1
                continue
            leasts, here = self.leasts[layer], arcs.layers[layer]
            index = leasts.index(wanted)
            while joins and here[index][2] != open_:
                index = leasts.index(wanted, index + 1)
            _, _, start, stop, layer, open_, _, _ = here[index]
            for word in range(start, stop):
                counts[word] += 1
        return counts

    def slopes(self, uses: Iterable[int]) -> list[int]:
        """For each hypothesis word how often a path pays its price, less the once that it comes back; 0 for no price.

        A word without a price counts where a price would help: where it is taken twice. A path that takes no word twice
        and whose slopes are 0 costs what the bound says.
        """
        return [count - 1 if count or price else 0 for count, price in zip(uses, self.prices, strict=True)]

    def improved(self, arcs: Arcs, ceiling: int, rounds: int) -> Relaxation:
        """The best of so many further relaxations.

        Args:
            arcs: the graph.
            ceiling: the cost of the best alignment known.
            rounds: how often the prices change.
        """
        best = last = self
        eagerness, failures = 1.0, 0
        patience = max(PATIENCE, rounds // PHASES)
        course = [0.0] * len(self.prices)
        for _ in range(rounds):
            slopes = last.slopes(last.uses(arcs))
            if not any(slopes) or ceiling <= last.bound:
                return last
            course = [
                slope + MOMENTUM * before if price or slope > 0 else 0.0
                for slope, before, price in zip(slopes, course, last.prices, strict=True)
            ]
            square = sum([change * change for change in course]) or 1.0
            step = eagerness * min(ceiling - last.bound, AIM * arcs.unit) / square
            prices = [
                max(0, int(price + step * change)) if change else price
                for price, change in zip(last.prices, course, strict=True)
            ]
            last = Relaxation.of(arcs, prices)
            if last.bound > best.bound:
                best, failures = last, 0
            else:
                failures += 1
                if failures == patience:
                    eagerness, failures = eagerness / 2, 0
        return best


def first_prices(arcs: Arcs) -> list[int]:
    """Prices for the words that stand more often in the reference than in the hypothesis.

    Each reference word asks for the hypothesis words that are worth most to it, for equal parts of them. A hypothesis
    word that is asked for more than once costs what its match is worth, less a chunk.
    """
    demand = [0.0] * arcs.hypothesis_length
    worth = [0] * arcs.hypothesis_length
    for layer in arcs.layers[1:]:
        singles = [(cost // arcs.unit, start) for cost, _, start, stop, *_ in layer if stop == start + 1]
        if not singles:
            continue
        most = min(singles)[0]
        wanted = [start for value, start in singles if value == most]
        for word in wanted:
            demand[word] += 1 / len(wanted)
            worth[word] = max(worth[word], -most)
    return [
        max(0, value * arcs.unit - arcs.chunk) if asked > ENOUGH else 0
        for asked, value in zip(demand, worth, strict=True)
    ]
