"""Measure Parquet on a cluster: ``python -m benchmarks.cluster``; the numbers of docs/cluster.md.

Rows a second from Parquet to Parquet with one worker and with several, on the clock and by the processor; memory of a
worker; seconds that a file costs beyond its rows. All on this machine's loopback. Everything is measured several times
and the best is taken, because other programs disturb it.
"""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from attrs import frozen
from distributed import Client, LocalCluster

from benchmarks.texts import load_pairs
from meteorlib.integrations.dask import score_parquet

MB = 1 << 20


@frozen
class Run:
    """Scoring a folder once: seconds on the clock, and of the workers' processors."""

    seconds: float
    processor: float


def write_table(folder: Path, pairs: list[tuple[str, str]], files: int) -> Path:
    """Write pairs of hypothesis and reference as Parquet files of equal size."""
    folder.mkdir()
    table = pa.table({"id": range(len(pairs)), "hyp": [pair[0] for pair in pairs], "ref": [pair[1] for pair in pairs]})
    size = -(-len(pairs) // files)
    for number in range(files):
        pq.write_table(table.slice(number * size, size), folder / f"part-{number:06}.parquet", compression="zstd")
    return folder


def size_of(folder: Path) -> int:
    """The bytes of a folder's files."""
    return sum(path.stat().st_size for path in folder.iterdir())


def processor_seconds() -> float:
    """Processor time of this process, in seconds; runs on a worker."""
    return time.process_time()


def memory() -> dict[str, float]:
    """MB of this process by the kernel's names: its own (anonymous), mapped files, peak of both; runs on a worker."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile", "VmHWM")}


def score(client: Client, source: Path, output: Path, preset: str) -> Run:
    """Score a folder."""
    used = sum(client.run(processor_seconds).values())
    begin = time.perf_counter()
    score_parquet(source, output, hypothesis="hyp", references="ref", scorer=preset, client=client)
    seconds = time.perf_counter() - begin
    return Run(seconds, sum(client.run(processor_seconds).values()) - used)


def best(client: Client, source: Path, folder: Path, preset: str, repeats: int) -> Run:
    """The least of several runs, of each kind of seconds."""
    runs = [score(client, source, folder / f"{source.name}-{os.urandom(4).hex()}", preset) for _ in range(repeats)]
    return Run(min(run.seconds for run in runs), min(run.processor for run in runs))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--files", type=int, default=8, help="files of the table that gives the rate")
    parser.add_argument("--small", type=int, default=2_000, help="files of one row each that give the cost of a file")
    parser.add_argument("--workers", type=int, action="append", help="default: 1, and 2")
    parser.add_argument("--preset", default="meteor-1.5-en")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = load_pairs(arguments.shared, arguments.rows)
        table = write_table(folder / "table", pairs, arguments.files)
        small = write_table(folder / "small", pairs[: arguments.small], arguments.small)
        print(f"{len(pairs)} rows, {size_of(table) / len(pairs):.0f} bytes a row as Parquet, {arguments.preset}")
        for workers in arguments.workers or [1, 2]:
            with (
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                ) as cluster,
                Client(cluster) as client,
            ):
                begin = time.perf_counter()
                score(
                    client,
                    write_table(folder / f"one-{workers}", pairs[:1], 1),
                    folder / f"o-{workers}",
                    arguments.preset,
                )
                first = time.perf_counter() - begin
                empty = max(client.run(memory).values(), key=lambda fields: fields["RssAnon"])
                run = best(client, table, folder, arguments.preset, arguments.repeats)
                full = max(client.run(memory).values(), key=lambda fields: fields["RssAnon"])
                many = best(client, small, folder, arguments.preset, arguments.repeats)
            print(f"{workers} worker(s): first row after {first:.1f} s")
            clock, processor = len(pairs) / run.seconds, len(pairs) / run.processor
            print(f"  rows/s on the clock {clock:.0f}; per processor second {processor:.0f}")
            print(f"  a file of one row: {1000 * many.seconds / arguments.small:.1f} ms on the clock")
            for when, fields in (("opened", empty), ("after", full)):
                print(f"  memory {when}: " + ", ".join(f"{name} {value:.0f} MB" for name, value in fields.items()))


if __name__ == "__main__":
    main()
