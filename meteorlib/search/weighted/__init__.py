"""The search for the alignment of the greatest value: a beam with merged states."""

from meteorlib.search.weighted.weighted import Weighted

__all__ = ["Weighted"]
