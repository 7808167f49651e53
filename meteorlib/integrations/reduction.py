"""Several scores → one, as NumPy makes it: by the name of its function, and rounded as it rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from meteorlib.errors import ExtraMissing

Reduction = Callable[[Sequence[float]], Any]
"""What makes one number of several, such as ``numpy.mean``."""

_BLOCK = 128


def mean(scores: Sequence[float]) -> float:
    """``numpy.mean``, to the last digit."""
    return _pairwise(scores) / len(scores)


def reduction(given: object) -> Callable[[Sequence[float]], float]:
    """The reduction that is meant.

    Args:
        given: the name of a reduction of NumPy, or a callable. NumPy is needed for others than max, min and mean.

    Raises:
        TypeError: neither.
        ValueError: a callable that does not make one number of several.
        ExtraMissing: NumPy is not installed.
    """
    found = _named(given) if isinstance(given, str) else given
    if not callable(found):
        raise TypeError(f"reduce_fn must be the name of a reduction of NumPy, or a callable, not {given!r:.80}")

    def reduced(scores: Sequence[float]) -> float:
        value = found(scores)
        return float(value.item() if hasattr(value, "item") else value)

    try:
        reduced([0.25, 0.5])
    except (TypeError, ValueError):
        raise ValueError(f"reduce_fn must make one number of several: {given!r:.80} does not") from None
    return reduced


_BUILT_IN: Mapping[str, Reduction] = {"max": max, "min": min, "mean": mean}


def _named(name: str) -> object:
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    try:
        import numpy as np  # noqa: PLC0415 – nothing else here needs it
    except ModuleNotFoundError as error:
        raise ExtraMissing(str(error.name), "nlgmetricverse") from None
    return getattr(np, name, None)


def _pairwise(values: Sequence[float]) -> float:
    """NumPy's sum: halves are added, down to blocks in which eight sums go side by side."""
    count = len(values)
    if count > _BLOCK:
        half = count // 2 // 8 * 8
        return _pairwise(values[:half]) + _pairwise(values[half:])
    whole = count // 8 * 8
    a, b, c, d, e, f, g, h = (reduce(add, values[lane:whole:8], 0.0) for lane in range(8))
    return reduce(add, values[whole:], ((a + b) + (c + d)) + ((e + f) + (g + h)))
