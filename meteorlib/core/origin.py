"""Origin: the signature and stages of the METEOR variant that produced a score."""

from __future__ import annotations

from attrs import frozen


@frozen
class Origin:
    """The variant of METEOR that made a breakdown; all breakdowns of a scorer share it.

    Attributes:
        signature: the line that names the METEOR.
        stages: the names of its stages, in order.
        segment: whether it scored the text of a segment; of given statistics nobody knows what they are the sum of.
        scale: the size of a word of weight 1 in statistics; see `meteorlib.core.segment.SCALE`.
    """

    signature: str
    stages: tuple[str, ...]
    segment: bool = True
    scale: int = 1
