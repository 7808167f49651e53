"""Whether the compiled twin of the hot loops is there, and wanted."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

VARIABLE = "METEORLIB_PURE_PYTHON"
"""Set to anything but 0, it forces the Python code."""


@cache
def compiled_engine() -> Any | None:
    """The class `CompiledEngine`; None where the package was built without it, or Python is forced."""
    if os.environ.get(VARIABLE, "0") not in {"", "0"}:
        return None
    try:
        return import_module("meteorlib.compiled.engine").CompiledEngine
    except ImportError:
        return None


def implementation() -> str:
    """``compiled`` or ``pure Python``."""
    return "pure Python" if compiled_engine() is None else "compiled"
