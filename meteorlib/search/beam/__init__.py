"""The beam search of METEOR 1.5, with fixed matches."""

from meteorlib.search.beam.beam import Beam

__all__ = ["Beam"]
