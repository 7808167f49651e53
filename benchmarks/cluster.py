"""Scoring on a cluster, in measured parts: ``python -m benchmarks.cluster``; docs/cluster.md has the tables.

Parquet files of different pairs of texts are scored by this process, and by workers of Dask on this machine. Seconds
are those of the processor, but for the speed-up of two workers, which is by the clock and needs two free cores. The
time of more workers is computed from the parts.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import pyarrow as pa
import pyarrow.parquet as pq
from attrs import frozen
from distributed import Client, LocalCluster

from benchmarks.process import machine, markdown, options
from benchmarks.texts import Pair, load_pairs
from meteorlib import Corpus, Scorer
from meteorlib.integrations.dask import score_parquet

SHARDS = 16
TINY = 200
"""Files of one row, which show what a file costs."""

WORKERS = (1, 10, 100)
ROWS, FILES = 1_000_000_000, 10_000
"""The run that is computed."""


@frozen
class Parts:
    """Costs of the parts of a run on a cluster.

    Attributes:
        started: seconds of a worker before its first task.
        opened: seconds of a worker for the data of a preset, at its first row.
        row: seconds of a worker for a row.
        task: seconds of a worker for a file, besides its rows.
        scheduled: seconds of client and scheduler for a file.
        sent: bytes that a worker sends back for a file.
    """

    started: float
    opened: float
    row: float
    task: float
    scheduled: float
    sent: int

    def seconds(self, workers: int, rows: int = ROWS, files: int = FILES) -> float:
        """Time by the clock: a worker's start, and its share of the files; the scheduler is as quick or waited for."""
        of_file = self.task + rows / files * self.row
        return self.started + self.opened + max(-(-files // workers) * of_file, files * self.scheduled + of_file)


@contextmanager
def cluster(workers: int) -> Iterator[Client]:
    """Worker processes of one thread each."""
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):
        yield client


def write_shards(pairs: Sequence[Pair], folder: Path, count: int) -> Path:
    """Write pairs as Parquet files of one size."""
    folder.mkdir()
    size = -(-len(pairs) // count)
    for index in range(count):
        hypotheses, references = zip(*pairs[index * size : (index + 1) * size], strict=True)
        pq.write_table(pa.table({"hyp": hypotheses, "ref": references}), folder / f"{index:04}.parquet")
    return folder


def spent(client: Client) -> float:
    """Seconds of all workers."""
    seconds: float = sum(client.run(time.process_time).values())
    return seconds


def scored(preset: str, source: Path, folder: Path, client: Client) -> tuple[Corpus, float, float, float]:
    """Score files; their corpus, and seconds of the workers, of this process, and of the clock."""
    before, own, clock = spent(client), time.process_time(), time.perf_counter()
    target = Path(tempfile.mkdtemp(dir=folder)) / "scores"
    corpus = score_parquet(source, target, preset, references="ref", hypothesis="hyp", client=client)
    clock = time.perf_counter() - clock
    return corpus, spent(client) - before, time.process_time() - own, clock


def parts_of(preset: str, pairs: Sequence[Pair], folder: Path) -> tuple[Parts, Parts]:
    """The parts of a run whose words are new to the worker, and of one whose words are known."""
    shards = write_shards(pairs, folder / "shards", SHARDS)
    one, tiny = write_shards(pairs[:1], folder / "one", 1), write_shards(pairs[:TINY], folder / "tiny", TINY)
    Scorer(preset)  # of this process, which opens it for the signature
    with cluster(1) as client:
        started = spent(client)
        opened = scored(preset, one, folder, client)[1]
        corpus, new, *_ = scored(preset, shards, folder, client)
        known = median(scored(preset, shards, folder, client)[1] for _ in range(3))
        small = [scored(preset, tiny, folder, client)[1:3] for _ in range(3)]
    task, scheduled = (median(seconds) / TINY for seconds in zip(*small, strict=True))
    sent = len(pickle.dumps(corpus))
    new_row, known_row = ((seconds - SHARDS * task) / len(pairs) for seconds in (new, known))
    return Parts(started, opened, new_row, task, scheduled, sent), Parts(
        started, opened, known_row, task, scheduled, sent
    )


def two_workers(preset: str, source: Path, folder: Path, runs: int) -> float:
    """Speed-up of two workers over one by the clock, all words known."""
    with cluster(1) as single, cluster(2) as both:
        turns = []
        for _ in range(runs + 1):
            alone, together = (scored(preset, source, folder, client)[3] for client in (single, both))
            turns.append(alone / together)
    return median(turns[1:])


def killed(preset: str, source: Path, folder: Path) -> tuple[Corpus, float]:
    """The corpus of a run in which a worker is killed, and the seconds of the clock."""
    with cluster(2) as client:
        victim = min(client.run(os.getpid).values())
        timer = threading.Timer(1.0, partial(os.kill, victim, signal.SIGKILL))
        timer.start()
        clock = time.perf_counter()
        target = Path(tempfile.mkdtemp(dir=folder)) / "scores"
        corpus = score_parquet(source, target, preset, references="ref", hypothesis="hyp", client=client)
        return corpus, time.perf_counter() - clock


def main() -> None:
    """Measure and print."""
    presets = ["meteor-2005", "meteor-1.5-en"]
    arguments = options(__doc__, segments=96_000, runs=3, preset=presets).parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    measured, computed, notes = [], [], []
    for preset in arguments.preset:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            new, known = parts_of(preset, pairs, folder)
            both = two_workers(preset, folder / "shards", folder, arguments.runs)
            dead, seconds = killed(preset, folder / "shards", folder)
        corpus = Scorer(preset).corpus(keep_segments=False)
        corpus.extend(hypotheses=[pair[0] for pair in pairs], references=[pair[1] for pair in pairs])
        equal = dead.totals == corpus.totals
        notes.append(
            f"`{preset}`: a worker killed in the first second: {seconds:.1f} s; "
            f"{'the same score as' if equal else 'ANOTHER SCORE THAN'} in one process"
        )
        rates = (f"{1 / parts.row:,.0f}" for parts in (new, known))
        costs = f"{new.started:.2f}", f"{new.opened:.2f}", f"{1000 * new.task:.1f}", f"{1000 * new.scheduled:.1f}"
        measured.append([f"`{preset}`", *costs, *rates, f"{new.sent:,}", f"{both:.2f}"])
        times = (f"{known.seconds(workers) / 60:,.0f}" for workers in WORKERS)
        last = ROWS / FILES * known.row + known.task
        limit = int(last / known.scheduled)
        computed.append([f"`{preset}`", *times, f"{last:.1f}", f"{limit:,}"])
    columns = ["start, s", "opening, s", "file, ms", "scheduler, ms", "new rows/s", "known rows/s", "bytes back"]
    print(f"{len(pairs)} rows in {SHARDS} files, files of one row: {TINY}; {machine()}\n")
    print(markdown(["preset", *columns, "2 workers ×"], measured), "\n".join(notes), sep="\n\n")
    heads = (f"{workers} worker{'s' if workers > 1 else ''}, min" for workers in WORKERS)
    print(f"\nComputed for {ROWS:,} rows in {FILES:,} files:\n")
    print(markdown(["preset", *heads, "a file, s", "most workers"], computed))


if __name__ == "__main__":
    main()
