"""Run meteorlib and METEOR 1.5's jar on the same text in one go: ``python -m benchmarks --jar JAR``.

Each program is run as its users run it, as a process of its own on one core, on a short and on a long piece of the
same text, of which no line comes twice. The difference of the two runs is the rate without start-up; what the short run
took beyond that is the start-up; the peak of the resident memory is the long run's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from attrs import frozen

from benchmarks.texts import Pair, load_pairs, write_pairs


@frozen
class Run:
    """One process: seconds on the clock, seconds of the processor, peak memory in MB."""

    seconds: float
    processor: float
    memory: float


@frozen
class Result:
    """A program on a text: segments a second, seconds of start-up, MB."""

    program: str
    rate: float
    start: float
    memory: float


def measure(command: list[str], core: int) -> Run:
    """Run `command` on one core."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        pinned = ["taskset", "-c", str(core), *command]
        process = subprocess.Popen(pinned, stdout=subprocess.DEVNULL, stderr=errors)  # noqa: S603 – the programs tested
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}: {errors.read().decode()}")
    seconds = time.perf_counter() - begin
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def bench(name: str, command: Callable[[str, str], list[str]], pairs: list[Pair], short: int, core: int) -> Result:
    """Measure a program that scores a file of hypotheses against a file of references."""
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for size in (short, len(pairs)):
            hypotheses, references = write_pairs(pairs[:size], Path(folder), str(size))
            runs.append(measure(command(str(hypotheses), str(references)), core))
    rate = (len(pairs) - short) / (runs[1].seconds - runs[0].seconds)
    return Result(name, rate, runs[0].seconds - short / rate, runs[1].memory)


def _scored(score: list[str], hypotheses: str, references: str) -> list[str]:
    return [*score, hypotheses, "-r", references]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jar", type=Path, help="meteor-1.5.jar, with data/paraphrase-en.gz beside it")
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--short", type=int, default=4_000)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--preset", action="append", help="default: meteor-1.5-en")
    arguments = parser.parse_args()
    pairs = load_pairs(arguments.shared, arguments.segments)
    words = sum(len(hypothesis.split()) for hypothesis, _ in pairs) / len(pairs)
    print(f"{len(pairs)} distinct segments of {words:.1f} words, one core")
    script = shutil.which("meteorlib", path=str(Path(sys.executable).parent)) or "meteorlib"
    results = []
    if arguments.jar:
        java = ["java", "-Xmx2G", "-jar", str(arguments.jar)]
        results.append(
            bench(
                "jar 1.5",
                lambda hyp, ref: [*java, hyp, ref, "-l", "en", "-norm"],
                pairs,
                arguments.short,
                arguments.core,
            )
        )
    for preset in arguments.preset or ["meteor-1.5-en"]:
        score = [script, "score", "--preset", preset]
        command = partial(_scored, score)
        results.append(bench(preset, command, pairs, arguments.short, arguments.core))  # noqa: PERF401 – one at a time
    print(
        f"{'program':<24}{'segments/s':>12}{'start-up s':>12}{'peak MB':>10}{'rate ×':>9}{'start ÷':>9}{'memory ÷':>10}"
    )
    first = results[0]
    for result in results:
        ratios = (
            f"{result.rate / first.rate:>9.2f}{first.start / result.start:>9.1f}{first.memory / result.memory:>10.1f}"
        )
        print(f"{result.program:<24}{result.rate:>12.0f}{result.start:>12.2f}{result.memory:>10.0f}{ratios}")


if __name__ == "__main__":
    main()
