"""Notes on the Python engine, where the compiled one is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from meteorlib.engine.implementation import default_implementation, load_kernel

LONG = 5.0
"""Seconds of work for which `score` notes that the compiled engine is missing, which would save most of them."""


def missing_engine() -> str:
    """Advice for an installation without the compiled engine; empty if it was built, or if the user chose Python."""
    if default_implementation() != "auto" or load_kernel() is not None:
        return ""
    return (
        "the compiled engine was not built; it gives the same scores several times faster: if there is a wheel for "
        "this system or a C++ compiler, reinstall meteorlib: "
        "`pip install --force-reinstall --no-deps --no-cache-dir meteorlib`"
    )


def note_missing_engine(seconds: float) -> Iterator[str]:
    """A note at a terminal if work took more than `LONG` seconds without the compiled engine."""
    if seconds > LONG and sys.stderr is not None and sys.stderr.isatty() and (missing := missing_engine()):
        yield f"note: {missing}"
