"""Pair: a hypothesis and its references, as raw text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Pair(NamedTuple):
    """A hypothesis and its references, as raw text.

    The references are a list even where there is one, so that the two cannot be taken for each other.
    """

    references: Sequence[str]
    hypothesis: str
