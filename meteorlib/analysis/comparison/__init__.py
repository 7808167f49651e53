"""Comparison of presets on the same text, with the reasons why their scores differ."""

from meteorlib.analysis.comparison.comparison import Compared, Comparison, Difference, compare

__all__ = ["Compared", "Comparison", "Difference", "compare"]
