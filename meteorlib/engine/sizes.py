"""How much a word counts in lengths and matches."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from meteorlib.config.schema import ScorerConfig, WeightConfig
from meteorlib.core.segment import WHOLE


def word_size(config: ScorerConfig, information: Callable[[str], int] | None) -> Callable[[str], int] | None:
    """Word → its size: 1, its UTF-16 code units, or its weight, the last two in units of 1/`WHOLE` where needed.

    Args:
        config: says what is counted.
        information: word → what it tells, 0..`WHOLE`; None where words are not weighted.

    Returns:
        None where every word counts 1.
    """
    weights, unit = config.weights, WHOLE if config.fractional else 1
    if weights is not None and information is not None:
        return _weight(weights, information)
    if config.count == "characters":
        return lambda word: unit * (len(word.encode("utf-16-le", "surrogatepass")) // 2)
    return None if unit == 1 else lambda _: unit


def _weight(weights: WeightConfig, information: Callable[[str], int]) -> Callable[[str], int]:
    floor, punctuation = round(weights.floor * WHOLE), round(weights.punctuation * WHOLE)
    by_length = weights.length * WHOLE

    def weight(word: str) -> int:
        length = len(word) if word.isalnum() else sum(map(str.isalnum, word))
        if not length:
            return punctuation
        return floor + information(word) + (round(by_length * log2(length)) if by_length else 0)

    return weight
