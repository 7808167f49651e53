"""The beam search of METEOR 1.5: `search`; before it, the matches that need none (`fixed`); long lists (`blocks`)."""

from meteorlib.search.beam.beam import Beam

__all__ = ["Beam"]
