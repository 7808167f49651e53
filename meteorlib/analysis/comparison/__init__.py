"""Comparison: the same text under several presets, and why their scores differ."""

from meteorlib.analysis.comparison.comparison import Compared, Comparison, Difference, compare

__all__ = ["Compared", "Comparison", "Difference", "compare"]
