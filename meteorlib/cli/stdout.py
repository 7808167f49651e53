"""Standard output in UTF-8 for all commands."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TextIO


def standard_output() -> TextIO:
    """Standard output, set to UTF-8 in every locale."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout
