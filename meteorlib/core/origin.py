"""Origin: which METEOR made a number."""

from __future__ import annotations

from attrs import frozen


@frozen
class Origin:
    """What a breakdown says of the METEOR that made it; all breakdowns of a scorer share one.

    Attributes:
        signature: the line that names the METEOR.
        stages: the names of its stages, in order.
    """

    signature: str
    stages: tuple[str, ...]
