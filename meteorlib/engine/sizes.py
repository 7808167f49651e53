"""How much a word counts in lengths and matches."""

from __future__ import annotations

from collections.abc import Callable

from meteorlib.config.schema import ScorerConfig
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
        floor, punctuation = round(weights.floor * WHOLE), round(weights.punctuation * WHOLE)
        return lambda word: floor + information(word) if any(map(str.isalnum, word)) else punctuation
    if config.count == "characters":
        return lambda word: unit * (len(word.encode("utf-16-le", "surrogatepass")) // 2)
    return None if unit == 1 else lambda _: unit
