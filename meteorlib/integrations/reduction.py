"""Reductions of several scores to one, by name, with NumPy's rounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from meteorlib.errors import ExtraMissing

Reduction = Callable[[Sequence[float]], Any]
"""Function that reduces several numbers to one, such as ``numpy.mean``."""

_BLOCK = 128


def mean(scores: Sequence[float]) -> float:
    """Arithmetic mean, equal to ``numpy.mean`` to the last digit."""
    return _pairwise(scores) / len(scores)


def reduction(given: object) -> Callable[[Sequence[float]], float]:
    """Find a reduction by name, or check a callable.

    Args:
        given: the name of a NumPy reduction, or a callable. Names other than max, min and mean need NumPy.

    Raises:
        TypeError: neither a known name nor a callable.
        ValueError: the callable does not reduce several numbers to one.
        ExtraMissing: NumPy is not installed.
    """
    found = _reduction_named(given) if isinstance(given, str) else given
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


def _reduction_named(name: str) -> object:
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    try:
        import numpy as np  # noqa: PLC0415 – nothing else here needs it
    except ModuleNotFoundError as error:
        raise ExtraMissing(str(error.name), "nlgmetricverse") from None
    return getattr(np, name, None)


def _pairwise(values: Sequence[float]) -> float:
    """Pairwise sum in NumPy's order: halves are added, down to blocks with eight parallel sums."""
    count = len(values)
    if count > _BLOCK:
        half = count // 2 // 8 * 8
        return _pairwise(values[:half]) + _pairwise(values[half:])
    whole = count // 8 * 8
    a, b, c, d, e, f, g, h = (reduce(add, values[lane:whole:8], 0.0) for lane in range(8))
    return reduce(add, values[whole:], ((a + b) + (c + d)) + ((e + f) + (g + h)))
