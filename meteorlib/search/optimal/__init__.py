"""The provably best alignment of METEOR 1.5's candidates (docs/searches.md).

`optimal` attempts a proof on the `graph` of a segment: a `relaxation` bounds the cost of an alignment from below, and
label setting (`labels`) looks for an alignment of that cost.
"""

from meteorlib.search.optimal.optimal import Optimal

__all__ = ["Optimal"]
