"""Resource names in configurations: names from the catalog, or paths."""

from __future__ import annotations


def is_path(name: str) -> bool:
    r"""Whether a name in a configuration is the path of a file: it holds a ``/``, a ``\`` or a ``.``."""
    return any(mark in name for mark in "/\\.")
