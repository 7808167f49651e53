"""The beam search of METEOR 1.5, with fixed matches, and blocks for long lists of candidates."""

from meteorlib.search.beam.beam import Beam

__all__ = ["Beam"]
