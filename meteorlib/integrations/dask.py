"""Scoring of Parquet files on a Dask cluster: segment scores per file and one corpus score.

``pip install 'meteorlib[dask]'``. `docs/cluster.md` plans a billion segments.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any, Unpack
from uuid import uuid4

from attrs import frozen

from meteorlib import caches
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import ExtraMissing, InputMismatch
from meteorlib.inputs.table_files import open_parquet, parquet_batches
from meteorlib.integrations.rows import NUMBERED, Added, Columns, check_free, check_known
from meteorlib.resources.store.shared_files import retry_while_open
from meteorlib.scorer import Scorer

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, default_client
except ImportError as _error:
    raise ExtraMissing(str(_error.name), "dask") from None

__all__ = ["score_parquet"]

FAN_IN = 16
"""Corpora that one task adds up, so that no task waits for all the others."""

ROWS = 1 << 14
"""Rows per batch, so that memory does not depend on the size of a file."""

_SCORER_LOCK = Lock()


def score_parquet(
    source: str | PathLike[str] | Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    scorer: Scorer | ScorerConfig | str = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    client: Client | None = None,
    keep: Sequence[str] | None = None,
    **added: Unpack[Added],
) -> Corpus:
    """Score Parquet files on a cluster, one task per file, and write the scores of their rows as Parquet.

    Args:
        source: files, or a folder with ``*.parquet`` files, on a file system that all workers share.
        output: a new folder on such a file system; it gets one file for each file of `source`, with the same rows, and
            appears when all of them are complete.
        scorer: a scorer, a configuration or the name of a preset. Each worker loads its data once.
        references: one or more columns of references; each row has a string or a list of strings.
        hypothesis: the column of hypotheses.
        client: the cluster; None uses Dask's default, the client created last.
        keep: columns of `source` to copy; None copies all but the texts.
        added: the new columns, ``numbers``, ``statistics`` and ``prefix``, as for `score_frame`.

    Returns:
        The corpus of all rows: ``.score()``, ``.mean()``, ``.statistics``; it does not depend on how rows are split
        into files, and corpora of several calls can be added.

    Raises:
        InvalidRow: a row cannot be scored; the message names file, column and row. Nothing is written.
        InvalidText: a file is not Parquet, or is damaged.
        UnknownName: an unknown column, number or preset.
        InputMismatch: no file, no cluster, `output` exists, or a worker would score differently from this process.
        TypeError: `client` is not a Dask client.
    """
    client = _client(client)
    config = scorer.config if isinstance(scorer, Scorer) else Scorer(scorer).config
    columns = Columns(references=references, hypothesis=hypothesis, **added)
    files, target = _files(source), Path(output).absolute()
    if target.exists():
        raise InputMismatch(f"{target} already exists: name a new folder, or remove it")
    scratch = target.with_name(f".{target.name}.{uuid4().hex}")
    job = _Job(columns, config, str(_shared_scorer(config).signature), None if keep is None else tuple(keep), scratch)
    try:
        job.attempts.mkdir(parents=True)
        for folder in {(job.parts / name).parent for name in files.values()}:
            folder.mkdir(parents=True, exist_ok=True)
        graph, total = job.graph(files)
        future = client.get(graph, total, sync=False)
        try:
            corpus: Corpus = future.result()
        finally:
            future.release()  # the scheduler drops what is still to do
        retry_while_open(lambda: job.parts.rename(target))
    finally:
        _remove(scratch)
    return corpus


@frozen
class _Job:
    """Settings shared by the tasks of one call; the methods run on the workers."""

    columns: Columns
    config: ScorerConfig
    signature: str
    keep: tuple[str, ...] | None
    scratch: Path

    @property
    def attempts(self) -> Path:
        """Folder of files in progress: two workers may write the same one, if one of them is believed dead."""
        return self.scratch / "attempts"

    @property
    def parts(self) -> Path:
        """Folder of complete files."""
        return self.scratch / "parts"

    def graph(self, files: Mapping[Path, str]) -> tuple[dict[str, tuple[Any, ...]], str]:
        """Dask's graph, and the name of its last task: one task per file, and a tree that adds up the results."""
        graph: dict[str, tuple[Any, ...]] = {}
        level = []
        for source, name in files.items():
            level.append(f"score {name} {self.scratch.name}")  # the scheduler's messages name it
            graph[level[-1]] = (self.score, source, name)
        while len(level) > 1:
            groups = [level[start : start + FAN_IN] for start in range(0, len(level), FAN_IN)]
            level = [f"add {len(graph) + index} {self.scratch.name}" for index in range(len(groups))]
            graph |= {name: (self.add, group) for name, group in zip(level, groups, strict=True)}
        return graph, level[0]

    def score(self, source: Path, name: str) -> Corpus:
        """Score a file."""
        scorer = self._scorer()
        corpus = scorer.corpus(keep_segments=False)
        attempt = self.attempts / uuid4().hex
        try:
            score_file(source, attempt, self.columns, self.keep, scorer, corpus)
            retry_while_open(lambda: attempt.replace(self.parts / name))
        finally:
            attempt.unlink(missing_ok=True)
        return corpus

    def add(self, corpora: Sequence[Corpus]) -> Corpus:
        """Add up corpora."""
        total = self._scorer().corpus(keep_segments=False)
        for corpus in corpora:
            total.merge(corpus)
        return total

    def _scorer(self) -> Scorer:
        scorer = _shared_scorer(self.config)
        if str(scorer.signature) != self.signature:
            raise InputMismatch(
                f"worker on {socket.gethostname()} scores with {scorer.signature}, not with {self.signature}: "
                "install the same version of meteorlib and the same resources on all machines"
            )
        return scorer


class _SharedScorer(Scorer):
    """A scorer that each process opens only once, no matter how often it is unpickled."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared_scorer, (self.config,)


def _shared_scorer(config: ScorerConfig) -> Scorer:
    with _SCORER_LOCK:  # two threads of a worker open it once, too
        return _open_scorer(config)


@lru_cache(caches.SCORERS)
def _open_scorer(config: ScorerConfig) -> Scorer:
    return _SharedScorer(config)


def _client(given: Client | None) -> Client:
    if given is None:
        try:
            return default_client()
        except ValueError:
            raise InputMismatch(
                "no cluster to score on: make one, client = distributed.Client(), and give it as client=client"
            ) from None
    if not isinstance(given, Client):
        raise TypeError(f"client must be a distributed.Client, got {type(given).__name__}")
    return given


def _files(source: str | PathLike[str] | Sequence[str | PathLike[str]]) -> dict[Path, str]:
    """Source files and their names in the output, in order of names."""
    if isinstance(source, str | PathLike):
        root = Path(source).absolute()
        paths = sorted(root.rglob("*.parquet")) if root.is_dir() else [root]
        root = root if root.is_dir() else root.parent
    else:
        paths = sorted({Path(path).absolute() for path in source})
        root = Path(os.path.commonpath([path.parent for path in paths])) if paths else Path()
    if not paths:
        raise InputMismatch(f"nothing to score: no *.parquet in {source}")
    return {path: path.relative_to(root).as_posix() for path in paths}


def _remove(scratch: Path) -> None:
    """Remove the folder of one call, in which a canceled task may still be writing."""
    doomed = scratch.with_name(f"{scratch.name}.removed")
    try:
        scratch.rename(doomed)  # no task finds it from here on
    except OSError:
        doomed = scratch
    shutil.rmtree(doomed, ignore_errors=True)


def score_file(
    source: Path, output: Path, columns: Columns, keep: Sequence[str] | None, scorer: Scorer, corpus: Corpus
) -> None:
    """Score the rows of a file, and add them to an empty corpus.

    The file `output` has the same rows, with the columns `keep`, or all but the texts, and the new ones; its metadata
    have the signature under ``meteorlib.signature``. It is incomplete after an error.
    """
    with open_parquet(str(source), source) as file:
        old, new = file.schema_arrow, columns.added(scorer.config)
        kept = [name for name in old.names if name not in columns.texts] if keep is None else [*keep]
        check_known(f"column of {source}", [*columns.texts, *kept], old.names)
        check_free([*new], kept)
        fields = [old.field(name) for name in kept]
        fields += [pa.field(name, pa.int64() if type_ is int else pa.float64()) for name, type_ in new.items()]
        schema = pa.schema(fields, {"meteorlib.signature": str(scorer.signature)})
        with pq.ParquetWriter(output, schema) as writer:
            names = sorted({*kept, *columns.texts})
            where = "{}: row {} (counted from 0)".format
            for batch, values in parquet_batches(file, ROWS, names, columns.texts, partial(where, source)):
                made = columns.score(scorer, values, corpus, NUMBERED[len(corpus) :], str(source))
                arrays = [batch.column(name) for name in kept]
                arrays += [pa.array(made[name], schema.field(name).type) for name in new]
                writer.write_batch(pa.record_batch(arrays, schema=schema))
