"""Results of benchmarks by commit, one line of JSON per run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

HISTORY = Path(__file__).with_name("history.jsonl")


@frozen
class Result:
    """A program on a text: segments a second of the processor, seconds of start-up, MB."""

    program: str
    rate: float
    start: float
    memory: float


def commit_of(folder: Path) -> str:
    """The commit that is checked out; with ``+`` where files differ from it."""
    commit = _git(folder, "rev-parse", "--short=12", "HEAD")
    return f"{commit}+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else commit


def entry(commit: str, machine: str, segments: int, results: Sequence[Result]) -> dict[str, Any]:
    """A run, ready for JSON: on which machine, what it gave by program, rounded to what is no noise."""
    listed = {
        one.program: {"rate": round(one.rate), "start": round(one.start, 3), "memory": round(one.memory)}
        for one in results
    }
    return {"commit": commit, "machine": machine, "segments": segments, "results": listed}


def record(history: Path, run: dict[str, Any]) -> None:
    """Add a run behind the others."""
    with history.open("a", encoding="utf-8", newline="") as file:
        file.write(f"{json.dumps(run)}\n")


def recorded(history: Path) -> list[dict[str, Any]]:
    """The runs, in order."""
    return [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines()]


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return done.stdout.strip()
