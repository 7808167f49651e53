"""The provably best alignment of METEOR 1.5's candidates (docs/optimal-search.md)."""

from meteorlib.search.optimal.search import Optimal, OptimalTruncated

__all__ = ["Optimal", "OptimalTruncated"]
