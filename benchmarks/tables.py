"""Rows of tables a second beside `Corpus.extend`: ``python -m benchmarks.tables``.

Each kind of table, DuckDB's function and polars' expression of docs/frames.md score the same texts, which a scorer has
met before, in turns with `Corpus.extend`, which keeps its segments. Seconds are those of the processor; a ratio is the
median of the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import process_time
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from duckdb.func import ARROW
from duckdb.sqltypes import DOUBLE, VARCHAR

from benchmarks.process import machine, markdown, options
from benchmarks.texts import load_pairs
from meteorlib import Scorer
from meteorlib.integrations.frames import score_frame

BASE = "`Corpus.extend`"


def works(scorer: Scorer, texts: Mapping[str, list[str]]) -> dict[str, Callable[[], object]]:
    """Ways to score columns, by name."""

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
    return {
        BASE: lambda: scorer.corpus().extend(references=texts["ref"], hypotheses=texts["hyp"]),
        "pandas": lambda: scored(frame),
        "polars": lambda: scored(lazy.collect()),
        "polars, `map_batches`": lambda: lazy.select(expression).collect(),
        "pyarrow": lambda: scored(arrow),
        "dict": lambda: scored(dict(texts)),
        "DuckDB, `create_function`": lambda: database.sql("select meteor(hyp, ref) from texts").fetchall(),
    }


def main() -> None:
    """Measure and print."""
    arguments = options(__doc__, segments=24_000, runs=5, preset=["meteor-2005", "meteor-1.5-en-core"]).parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    texts = {name: [pair[side] for pair in pairs] for side, name in enumerate(("hyp", "ref"))}
    rows = []
    for preset in arguments.preset:
        ways = works(Scorer(preset), texts)
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(arguments.runs + 1):
            for name, work in ways.items():
                start = process_time()
                work()
                seconds[name].append(process_time() - start)
        for name, spent in seconds.items():
            ratio = median(base / own for base, own in zip(seconds[BASE][1:], spent[1:], strict=True))
            rows.append((f"`{preset}`", name, f"{len(pairs) / median(spent[1:]):,.0f}", f"{ratio:.2f}"))
    print(f"{len(pairs)} rows; {machine()}\n")
    print(markdown(["preset", "table", "rows/s", "× `extend`"], rows, left=2))


if __name__ == "__main__":
    main()
