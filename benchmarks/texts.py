"""Real text for the benchmarks, from the shared data; no pair of lines is repeated."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from meteorlib.resources.paraphrases.compiler import compile_paraphrases

Pair = tuple[str, str]


def load_pairs(shared: Path, count: int) -> list[Pair]:
    """`count` different pairs of hypothesis and reference from WMT14, in a fixed shuffled order."""
    folder = shared / "data" / "judgements" / "wmt14_rank"
    pairs: dict[Pair, None] = {}
    for path in sorted(folder.glob("*.hyps.tsv.gz")):
        references = {row[0]: row[2] for row in _rows(path.with_name(path.name.replace("hyps", "segments")))}
        for segment, _, hypothesis in _rows(path):
            pairs[hypothesis, references[segment]] = None
    shuffled = list(pairs)
    random.Random(14).shuffle(shuffled)  # noqa: S311 – a fixed order, no secret
    return shuffled[:count]


def write_pairs(pairs: Sequence[Pair], folder: Path, name: str) -> tuple[Path, Path]:
    """Write the two sides into files; their paths."""
    paths = folder / f"{name}.hyp", folder / f"{name}.ref"
    for side, path in enumerate(paths):
        path.write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8", newline="\n")
    return paths


def _rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.removesuffix("\n").split("\t") for line in lines][1:]


def make_table(entries: Iterable[tuple[str, str]], folder: Path) -> Path:
    """Compile a paraphrase table; its folder, in this one."""
    source, index = folder / "table.gz", folder / "index"
    source.write_bytes(gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in entries).encode()))
    index.mkdir()
    compile_paraphrases(source, index, lambda _: None)
    return index
