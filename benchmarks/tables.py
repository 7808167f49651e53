"""Rows of tables a second beside `Corpus.extend`: ``python -m benchmarks.tables``.

Each kind of table, DuckDB's function and polars' expression of docs/frames.md score the same texts, which a scorer has
met before, in turns with `Corpus.extend`, which keeps its segments; so does a worker of Dask, which reads and writes
Parquet. Seconds are those of the processor; a ratio is the median of the runs.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb.func import ARROW
from duckdb.sqltypes import DOUBLE, VARCHAR

from benchmarks.process import machine, markdown, options
from benchmarks.texts import Pair, load_pairs
from meteorlib import Scorer
from meteorlib.integrations.dask import score_file
from meteorlib.integrations.frames import score_frame
from meteorlib.integrations.rows import Columns

BASE = "`Corpus.extend`"


def works(scorer: Scorer, texts: Mapping[str, list[str]], folder: Path) -> dict[str, Callable[[], object]]:
    """Ways to score columns, by name; `folder` is for files."""

    def scored(table: Any) -> Any:
        return score_frame(table, scorer, references="ref", hypothesis="hyp")

    arrow, lazy = pa.table(texts), pl.LazyFrame(texts)
    database = duckdb.connect()
    database.register("texts", arrow)

    def meteor(hyp: pa.ChunkedArray, ref: pa.ChunkedArray) -> Any:
        return scored(pa.table([hyp, ref], ["hyp", "ref"]))["meteor_score"]

    database.create_function("meteor", meteor, [VARCHAR, VARCHAR], DOUBLE, type=ARROW)
    expression = pl.struct("hyp", "ref").map_batches(
        lambda batch: scored(batch.struct.unnest())["meteor_score"], return_dtype=pl.Float64
    )
    frame = pd.DataFrame(texts)
    file, columns = folder / "texts.parquet", Columns(references="ref", hypothesis="hyp")
    pq.write_table(arrow, file)

    def worker() -> None:
        score_file(file, folder / "scores.parquet", columns, None, scorer, scorer.corpus(keep_segments=False))

    return {
        BASE: lambda: scorer.corpus().extend(references=texts["ref"], hypotheses=texts["hyp"]),
        "pandas": lambda: scored(frame),
        "polars": lambda: scored(lazy.collect()),
        "polars, `map_batches`": lambda: lazy.select(expression).collect(),
        "pyarrow": lambda: scored(arrow),
        "dict": lambda: scored(dict(texts)),
        "DuckDB, `create_function`": lambda: database.sql("select meteor(hyp, ref) from texts").fetchall(),
        "Parquet, a worker of Dask": worker,
    }


def measured(preset: str, pairs: Sequence[Pair], runs: int) -> Iterator[tuple[str, float, float]]:
    """Name of each way, its rows a second, and these relative to `Corpus.extend`."""
    texts = {name: [pair[side] for pair in pairs] for side, name in enumerate(("hyp", "ref"))}
    seconds: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        ways = works(Scorer(preset), texts, Path(folder))
        for _ in range(runs + 1):
            for name, work in ways.items():
                start = process_time()
                work()
                seconds[name].append(process_time() - start)
    for name, (_, *spent) in seconds.items():
        ratio = median(base / own for base, own in zip(seconds[BASE][1:], spent, strict=True))
        yield name, len(pairs) / median(spent), ratio


def main() -> None:
    """Measure and print."""
    arguments = options(__doc__, segments=24_000, runs=5, preset=["meteor-2005", "meteor-1.5-en-core"]).parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    rows = [
        (f"`{preset}`", name, f"{rate:,.0f}", f"{ratio:.2f}")
        for preset in arguments.preset
        for name, rate, ratio in measured(preset, pairs, arguments.runs)
    ]
    print(f"{len(pairs)} rows; {machine()}\n")
    print(markdown(["preset", "table", "rows/s", "× `extend`"], rows, left=2))


if __name__ == "__main__":
    main()
