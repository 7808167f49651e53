"""Standard output as the commands write to it."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TextIO


def standard_output() -> TextIO:
    """Standard output in UTF-8, whatever the locale."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout
