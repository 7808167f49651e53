"""Searches for the alignment of the greatest value: a beam with merged states, and the optimum."""

from meteorlib.search.weighted.weighted import Weighted, WeightedOptimal

__all__ = ["Weighted", "WeightedOptimal"]
