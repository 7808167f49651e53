"""Real text for the benchmarks, from the shared data; no pair of lines is repeated."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from meteorlib.resources.paraphrase_compiler import compile_paraphrases

Pair = tuple[str, str]


def load_pairs(shared: Path, count: int) -> list[Pair]:
    """`count` different pairs of hypothesis and reference from WMT14, in a fixed shuffled order."""
    folder = shared / "data" / "judgements" / "wmt14_rank"
    shuffled = list(dict.fromkeys((hypothesis, reference) for *_, reference, hypothesis in wmt_outputs(folder)))
    random.Random(14).shuffle(shuffled)  # noqa: S311 – a fixed order, no secret
    return shuffled[:count]


def write_pairs(pairs: Sequence[Pair], folder: Path, name: str) -> tuple[Path, Path]:
    """Write the two sides into files; their paths."""
    paths = folder / f"{name}.hyp", folder / f"{name}.ref"
    for side, path in enumerate(paths):
        path.write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8", newline="\n")
    return paths


def packed_lines(path: Path) -> Iterator[str]:
    """The lines of a file packed with gzip; only LF ends one."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        yield from (line.removesuffix("\n") for line in lines)


def wmt_outputs(folder: Path, language_pair: str = "*") -> Iterator[tuple[str, str, str, str]]:
    """Segment, system, reference and output of every output in a folder of WMT's rankings."""
    for path in sorted(folder.glob(f"{language_pair}.hyps.tsv.gz")):
        segments, outputs = (
            [line.split("\t") for line in packed_lines(path.with_name(path.name.replace("hyps", part)))][1:]
            for part in ("segments", "hyps")
        )
        references = {row[0]: row[2] for row in segments}
        yield from ((segment, system, references[segment], text) for segment, system, text in outputs)


def make_table(entries: Iterable[tuple[str, str]], folder: Path) -> Path:
    """Compile a paraphrase table; its folder, in this one."""
    source, index = folder / "table.gz", folder / "index"
    source.write_bytes(gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in entries).encode()))
    index.mkdir()
    compile_paraphrases(source, index, lambda _: None)
    return index
