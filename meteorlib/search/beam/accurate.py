"""The accurate search of METEOR 1.5's aligner (``-t maxacc``): words before phrases."""

from __future__ import annotations

from attrs import frozen

from meteorlib.search.beam import Beam


@frozen
class Accurate(Beam):
    """Beam search with other gains: words first, and phrases only if they cost no word match.

    All matches of single words have the same gain, which no number of words in matched phrases outweighs. METEOR 1.5
    has this search in its aligner only, not for scores.
    """
