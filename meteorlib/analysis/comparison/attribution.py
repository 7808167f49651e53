"""Attribution of a score difference to the parts of the configuration by Shapley values.

Take the configuration with the lower score and give it, one after the other, the parts of the one with the higher
score. Each step moves the score; all together make up the difference. What a step moves depends on those before it
(a paraphrase stage gains more where its weight is high), so every order is gone through and a part given the mean of
its steps. These are Shapley's values (1953): they add up to the difference and do not depend on the order of the parts.
An order in which some configuration cannot be (a paraphrase stage in a search for single words) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import fsum

Parts = frozenset[str]


def subsets(parts: Sequence[str]) -> list[Parts]:
    """All sets of `parts`, the smaller ones first."""
    return [frozenset(chosen) for size in range(len(parts) + 1) for chosen in combinations(parts, size)]


def contributions(parts: Sequence[str], value: Callable[[Parts], float | None]) -> dict[str, float]:
    """The mean step of each part over all orders in which every step is possible.

    Args:
        parts: the parts in which the two configurations differ.
        value: the score of the first configuration with a set of parts of the second; None where there is no such
            configuration.

    Returns:
        What each part contributes, the largest contribution first; together they make up the difference. Empty where
        nothing differs, or where no order is possible.
    """
    values = {chosen: value(chosen) for chosen in subsets(parts)}
    steps: dict[str, list[float]] = {part: [] for part in parts}
    for order in permutations(parts):
        path = [values[frozenset(order[:length])] for length in range(len(order) + 1)]
        reached = [score for score in path if score is not None]
        if len(reached) == len(path):
            for part, (before, after) in zip(order, pairwise(reached), strict=True):
                steps[part].append(after - before)
    means = {part: fsum(moved) / len(moved) for part, moved in steps.items() if moved}
    return dict(sorted(means.items(), key=lambda item: -item[1]))


def largest_contributor(contributed: Mapping[str, float]) -> str | None:
    """The part that contributes most to a difference; None where none does."""
    return max(contributed, key=contributed.__getitem__, default=None)
