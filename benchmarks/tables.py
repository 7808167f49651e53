"""Paraphrase tables of a few entries, for benchmarks and tests."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from meteorlib.resources.paraphrases.compiler import compile_paraphrases


def make_table(entries: Iterable[tuple[str, str]], folder: Path) -> Path:
    """Compile a paraphrase table; its folder, in this one."""
    source, index = folder / "table.gz", folder / "index"
    source.write_bytes(gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in entries).encode()))
    index.mkdir()
    compile_paraphrases(source, index, lambda _: None)
    return index
