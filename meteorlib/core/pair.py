"""Pair: a hypothesis and its references, as raw text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Pair(NamedTuple):
    """A hypothesis and its references, as raw text.

    A single reference is a list, too, so that reference and hypothesis cannot be confused.
    """

    references: Sequence[str]
    hypothesis: str
