"""Comparison: the same text under several presets, and why their scores differ."""

from meteorlib.comparison.compare import Compared, Comparison, Difference, compare

__all__ = ["Compared", "Comparison", "Difference", "compare"]
