"""Reading what METEOR 1.5 wrote, and what it scored."""

from __future__ import annotations

import gzip
from pathlib import Path


def lines(path: Path) -> list[str]:
    """The lines of a file, unpacked where it ends in .gz; LF alone ends a line, whatever else the text holds."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    return text.removesuffix("\n").split("\n")


def rows(path: Path) -> list[list[str]]:
    """The rows of a TSV file, without the names of its columns."""
    return [line.split("\t") for line in lines(path)[1:]]


def relative_error(ours: float, theirs: float) -> float:
    """Difference of `ours` from `theirs`, as a share of `theirs`."""
    return 0.0 if ours == theirs else abs(ours - theirs) / abs(theirs) if theirs else float("inf")
