"""Choice of the implementation: the compiled kernel where it was built and is wanted, else Python."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Literal

from attrs import fields

from meteorlib.core.statistics import Statistics
from meteorlib.errors import ExtensionMismatch
from meteorlib.text.token import DIGIT, LOWER, NOTHING, OTHER

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as compiled_kernel

Implementation = Literal["auto", "python", "compiled"]
"""``auto``: the compiled kernel if it was built and supports the preset."""

VARIABLE = "METEORLIB_PURE_PYTHON"
"""Set to anything but 0, it makes ``python`` the default instead of ``auto``."""


def default_implementation() -> Implementation:
    """The implementation that the environment variable chooses."""
    return "auto" if os.environ.get(VARIABLE, "0") in {"", "0"} else "python"


class LeftToPython(Exception):
    """The kernel cannot align a segment, so `PythonEngine` does; see docs/twins.md."""


@cache
def load_kernel() -> type[compiled_kernel.Kernel] | None:
    """The class of the compiled kernel; None if the package was built without it."""
    try:
        from meteorlib.engine.kernel import kernel  # noqa: PLC0415 – it may not be there
    except ImportError:
        return None
    counts = tuple(attribute.name for attribute in fields(Statistics))
    tables = [getattr(kernel, name, None) for name in ("COUNTS", "BEGINNINGS")]
    if tables != [counts, (NOTHING, LOWER, DIGIT, OTHER)]:
        raise ExtensionMismatch
    return kernel.Kernel


def implementation_in_use() -> str:
    """``compiled`` where presets with a compiled form use it by default, else ``pure Python``."""
    compiled = default_implementation() == "auto" and load_kernel() is not None
    return "compiled" if compiled else "pure Python"


def missing_engine() -> str:
    """Advice for an installation without the compiled engine; empty if it was built, or if the user chose Python."""
    if default_implementation() != "auto" or load_kernel() is not None:
        return ""
    return (
        "the compiled engine was not built; it gives the same scores several times faster: if there is a wheel for "
        "this system or a C++ compiler, reinstall meteorlib: "
        "`pip install --force-reinstall --no-deps --no-cache-dir meteorlib`"
    )
