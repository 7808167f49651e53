"""The other search of METEOR 1.5's aligner (``-t maxacc``)."""

from __future__ import annotations

from attrs import frozen

from meteorlib.search.beam import Beam


@frozen
class Accurate(Beam):
    """The beam search, with another count of what is matched: words first, and phrases only where they take none away.

    All matches of single words count alike, whole, and no number of words in matched phrases outweighs one of them.
    METEOR 1.5 has it in its aligner alone, not for scores.
    """
