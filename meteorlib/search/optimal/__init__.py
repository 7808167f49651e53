"""The provably best alignment of METEOR 1.5's candidates (docs/optimal-search.md).

`search` makes attempts at a proof on the `graph` of a segment: a `relaxation` bounds what an alignment costs, and label
setting (`labels`) looks for the one that costs no more.
"""

from meteorlib.search.optimal.optimal import Optimal, OptimalTruncated

__all__ = ["Optimal", "OptimalTruncated"]
