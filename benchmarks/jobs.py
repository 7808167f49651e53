"""Speed-up by several threads or jobs: ``python -m benchmarks.jobs``.

Measures `Scorer.matrix` with one thread and with two, and ``meteorlib score`` with one job and with two, in turns. How
much more workers would help is worked out: one thread scores the same text in the batches in which threads take it
over, and of each hundred segments it is noted how long they hold the GIL. Then workers that share one
lock are played through with these times. They are the processor's, so what else the machine does matters little.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heapreplace
from pathlib import Path
from statistics import median

from attrs import frozen

from benchmarks.process import machine, markdown, options
from benchmarks.texts import Pair, load_pairs, write_pairs
from meteorlib import Scorer
from meteorlib.corpus.batch import Batch, Lines
from meteorlib.engine.build import build_engine
from meteorlib.engine.compiled import BATCH_SIZE, CompiledEngine
from meteorlib.inputs.text_file import PIECE_SIZE
from meteorlib.text.validation import check_pair

WORKERS = (2, 4, 8, 16)
SIDE = 200
"""Texts on each side of a matrix."""


@frozen
class Step:
    """Seconds for some segments: with the GIL, then without it."""

    locked: float
    unlocked: float


def speed_up(steps: Sequence[Step], workers: int) -> float:
    """Speed-up by workers, each of which takes the next step that is left; who asks for the lock first has it first."""
    ready = [0.0] * workers
    heapify(ready)
    free = 0.0
    for step in steps:
        free = max(free, ready[0]) + step.locked
        heapreplace(ready, free + step.unlocked)
    return sum(step.locked + step.unlocked for step in steps) / max(ready)


def locked_share(steps: Iterable[Step]) -> float:
    """The share of the time in which the lock is held."""
    listed = list(steps)
    locked = sum(step.locked for step in listed)
    return locked / (locked + sum(step.unlocked for step in listed))


def batches(pairs: Sequence[Pair]) -> Iterator[Batch]:
    """The segments as ``meteorlib score`` hands them out."""
    for start in range(0, len(pairs), PIECE_SIZE):
        sides = zip(*pairs[start : start + PIECE_SIZE], strict=True)
        yield Lines(tuple("\n".join(side).encode() for side in sides))


def measured_steps(preset: str, pairs: Sequence[Pair], passes: int = 2) -> list[list[Step]]:
    """Time of one thread for each hundred segments: of a text that is new to it, then of the known text again."""
    engine = build_engine(Scorer(preset).config, wanted="compiled")
    assert isinstance(engine, CompiledEngine)  # noqa: S101 – it was asked for
    kernel = engine._kernel  # noqa: SLF001 – what it counts is of no use elsewhere
    sums = kernel.sums()

    def steps() -> Iterator[Step]:
        for batch in batches(pairs):
            waiting = iter(batch)
            for _ in range(0, len(batch), BATCH_SIZE):
                begun, before = time.thread_time_ns(), sums.unlocked
                sums.add(kernel.next_pairs(waiting, BATCH_SIZE, check_pair, 0)[0], engine.references, 0)
                unlocked = sums.unlocked - before
                yield Step((time.thread_time_ns() - begun - unlocked) / 1e9, unlocked / 1e9)

    return [list(steps()) for _ in range(passes)]


def in_turns(work: Callable[[int], object], runs: int) -> float:
    """Speed-up of two over one: the median of `runs` turns."""

    def seconds(workers: int) -> float:
        begun = time.perf_counter()
        work(workers)
        return time.perf_counter() - begun

    return median(seconds(1) / seconds(2) for _ in range(runs))


def matrix_of(preset: str, pairs: Sequence[Pair]) -> Callable[[int], object]:
    """A matrix of the first texts, all of whose words are known."""
    scorer = Scorer(preset)
    hypotheses, references = ([pair[side] for pair in pairs[:SIDE]] for side in (0, 1))

    def work(threads: int) -> object:
        return scorer.matrix(references=references, hypotheses=hypotheses, threads=threads)

    work(1)
    return work


def command_of(preset: str, files: Sequence[Path]) -> Callable[[int], object]:
    """``meteorlib score``, a process with its start-up."""
    hypotheses, references = map(str, files)
    score = [sys.executable, "-m", "meteorlib", "score", hypotheses, "-r", references, "--preset", preset, "-q"]

    def work(jobs: int) -> object:
        return subprocess.run([*score, "--jobs", str(jobs)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603

    return work


def table(rows: Iterable[tuple[str, str, Sequence[Step]]]) -> str:
    """A table in Markdown: preset, text, and the speed-up for each number of workers."""
    cells = (
        [f"`{preset}`", text, f"{100 * locked_share(steps):.0f} %"]
        + [f"{speed_up(steps, workers):.2f}" for workers in WORKERS]
        for preset, text, steps in rows
    )
    return markdown(["preset", "text", "with the lock", *(f"{workers} workers" for workers in WORKERS)], cells, left=2)


def main() -> None:
    """Measure and print."""
    presets = ["meteor-1.5-en", "meteor-2026-en", "meteor-2005", "nltk"]
    arguments = options(__doc__, segments=130_000, runs=5, preset=presets).parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    rows, measured = [], []
    with tempfile.TemporaryDirectory() as name:
        files = write_pairs(pairs, Path(name), "all")
        for preset in arguments.preset:
            matrix = in_turns(matrix_of(preset, pairs), arguments.runs)
            score = in_turns(command_of(preset, files), arguments.runs)
            measured.append((f"`{preset}`", f"{matrix:.2f}", f"{score:.2f}"))
            rows += zip([preset] * 2, ("new", "known"), measured_steps(preset, pairs), strict=True)
    print(f"{len(pairs)} segments; {machine()}\n")
    print(markdown(["preset", "`matrix`, 2 threads", "`score --jobs 2`"], measured), table(rows), sep="\n\n")


if __name__ == "__main__":
    main()
