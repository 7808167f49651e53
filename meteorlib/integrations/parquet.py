"""Scoring of one Parquet file, batch by batch, into another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InvalidText
from meteorlib.integrations.rows import Columns, check_free, check_known
from meteorlib.scorer import Scorer

ROWS = 1 << 14
"""Rows per batch, so that memory does not depend on the size of a file."""


def score_file(
    source: Path, output: Path, columns: Columns, keep: Sequence[str] | None, scorer: Scorer, corpus: Corpus
) -> None:
    """Score the rows of a file.

    Args:
        source: the file.
        output: the file to write, with the same rows and the copied and added columns; it is incomplete after an error.
            Its metadata has the signature under ``meteorlib.signature``.
        columns: columns of texts, and columns to add.
        keep: columns to copy; None copies all but the texts.
        scorer: the scorer.
        corpus: an empty corpus, to which the segments are added.

    Raises:
        InvalidRow: a row cannot be scored; the message names file, column and row.
        InvalidText: the file is not Parquet, or is damaged.
        UnknownName: an unknown column.
        InputMismatch: a copied column has the name of a new one.
    """
    with _open(source) as file:
        old, new = file.schema_arrow, columns.added(scorer.config)
        kept = [name for name in old.names if name not in columns.texts] if keep is None else [*keep]
        check_known(f"column of {source}", [*columns.texts, *kept], old.names)
        check_free([*new], kept)
        fields = [old.field(name) for name in kept]
        fields += [pa.field(name, pa.int64() if type_ is int else pa.float64()) for name, type_ in new.items()]
        schema = pa.schema(fields, {"meteorlib.signature": str(scorer.signature)})
        with pq.ParquetWriter(output, schema) as writer:
            for batch in _batches(source, file, sorted({*kept, *columns.texts})):
                values = {name: batch.column(name).to_pylist() for name in columns.texts}
                made = columns.score(scorer, values, corpus, first=len(corpus), source=str(source))
                arrays = [batch.column(name) for name in kept]
                arrays += [pa.array(made[name], schema.field(name).type) for name in new]
                writer.write_batch(pa.record_batch(arrays, schema=schema))


def _open(source: Path) -> Any:
    try:
        return pq.ParquetFile(source)
    except (pa.ArrowException, OSError) as error:
        raise InvalidText(str(source), f"cannot be read as Parquet: {error}") from None


def _batches(source: Path, file: Any, names: list[str]) -> Iterator[Any]:
    """Rows of a file in batches of `ROWS`."""
    row = 0
    batches = file.iter_batches(ROWS, columns=names)
    while True:
        try:
            batch = next(batches, None)
        except (pa.ArrowException, OSError) as error:
            raise InvalidText(str(source), f"damaged at row {row} (counted from 0) or later: {error}") from None
        if batch is None:
            return
        row += len(batch)
        yield batch
