"""The frame of a benchmark: its options, time and memory of a process on one core, and tables in Markdown."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

Command = Sequence[str]

SHARED = Path(__file__).parents[2] / "shared"


def options(description: str | None, *, shared: bool = True, **defaults: Any) -> argparse.ArgumentParser:
    """A parser with the docstring of a benchmark, the folder of shared data, and options with these defaults."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if shared:
        parser.add_argument("--shared", type=Path, default=SHARED)
    for name, default in defaults.items():
        kind = {"nargs": "*"} if isinstance(default, list) else {"type": type(default)}
        parser.add_argument(f"--{name}", default=default, **kind)
    return parser


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table in Markdown; the columns after the first `left` ones are numbers."""
    rule = f"|{'---|' * left}{'---:|' * (len(columns) - left)}"
    head, *lines = (f"| {' | '.join(row)} |" for row in (columns, *rows))
    return "\n".join([head, rule, *lines])


@frozen
class Run:
    """One process: peak of the resident memory in MB, seconds of the processor."""

    memory: float
    processor: float


def measure(command: Command, core: int, environment: Mapping[str, str], folder: Path | None = None) -> Run:
    """Run `command` on one core, in `folder`; children are waited for, and the largest of them counts."""
    # from a small process: the peak of a process begins with the memory of the one that started it
    launcher = [sys.executable, __file__, str(core), *command]
    env = {**os.environ, **environment}
    done = subprocess.run(launcher, env=env, cwd=folder, stdout=subprocess.PIPE, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(done.returncode)
    return Run(*json.loads(done.stdout))


def _launch(core: str, *command: str) -> None:
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 – the programs under test
            ["taskset", "-c", core, *command],  # noqa: S607 – as found on the path
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}: {errors.read().decode()}")
    used = usage.ru_utime + usage.ru_stime
    print(json.dumps([usage.ru_maxrss / 1024, used]))


def machine() -> str:
    """The processor, as the system names it, and the number of its cores."""
    names = [line.split(":", 1)[1].strip() for line in _processors() if line.startswith("model name")]
    return f"{names[0] if names else 'an unnamed processor'} ({os.cpu_count()} cores)"


def _processors() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").split("\n") if path.exists() else []


if __name__ == "__main__":
    _launch(*sys.argv[1:])
