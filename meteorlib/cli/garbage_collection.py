"""How often Python looks for cycles while a command scores."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECTED = 100_000
"""Objects made between two collections of cycles."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Scoring makes no cycles; to look for them among all that is known of references takes a twentieth of the time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
