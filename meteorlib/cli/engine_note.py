"""Note on the Python engine, where the compiled one is missing and much was scored."""

from __future__ import annotations

from collections.abc import Iterator

from meteorlib.engine.implementation import default_implementation, load_kernel

MANY = 5_000
"""Segments that take the Python engine a few seconds, and the compiled one less than a second."""


def note_missing_engine(segments: int) -> Iterator[str]:
    """A note if more than `MANY` segments were scored in Python because the extension was not built."""
    if segments > MANY and default_implementation() == "auto" and load_kernel() is None:
        yield (
            f"note: {segments:,} segments were scored without the compiled engine, which gives the same scores several "
            "times faster; if there is a wheel for this system or a C++ compiler, reinstall meteorlib: "
            "`pip install --force-reinstall --no-deps --no-cache-dir meteorlib`"
        )
