"""Many threads and processes install, remove and score in one cache folder, and processes are killed at random.

Usage: ``python -m tests.resources.soak --seconds 600``.

Every score that comes out must be right for one of the two tables that are installed in turn; a table that is not there
just then is the only error allowed. At the end the index must be whole and nothing may be left over.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random

from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import ScorerConfig, load_preset
from meteorlib.core.segment import Pair
from meteorlib.engine.implementation import VARIABLE
from meteorlib.errors import ResourceMissing
from meteorlib.resources.install import install, remove, statuses
from meteorlib.resources.store.shared_files import POINTER, current_version

Tell = Callable[[str], None]

NAME, PRESET = "paraphrase-de", "meteor-1.5-de"
PAIRS = [("sure thing", "of course thing"), ("in the end of the day", "finally"), ("a b c", "x y z"), ("a a", "y y")]
TABLES = {
    "one": [("sure", "of course"), ("in the end of the day", "finally"), ("a b", "y z")],
    "other": [("thing", "of course"), ("end of the day", "finally"), ("a b c", "x y z"), ("a", "y")],
}


def main() -> None:
    """Read the command line and soak."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=600, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=8, help="of this process; default: %(default)s")
    parser.add_argument("--processes", type=int, default=4, help="that are killed; default: %(default)s")
    parser.add_argument("--seed", default="0", help="default: %(default)s")
    parser.add_argument("--actor", metavar="FOLDER", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.actor:
        act(arguments.actor, arguments.seed, say, threading.Event())
    else:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(soak(Path(folder), arguments))


def soak(folder: Path, arguments: argparse.Namespace) -> int:
    """Soak in `folder`, print what came of it; 0 if all was well."""
    os.environ["METEORLIB_CACHE"] = str(folder / "apart")
    right = {}
    for name, entries in TABLES.items():
        text = "".join(f"0.5\n{source}\n{target}\n" for source, target in entries)
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        install(NAME, folder / f"{name}.gz")
        right[name] = scores(Scorer(PRESET))
    (folder / "right.json").write_text(json.dumps(right))
    cache = folder / "cache"
    os.environ["METEORLIB_CACHE"] = str(cache)
    told = Told()
    ended = threading.Event()
    actors = [
        threading.Thread(target=act, args=(folder, f"{arguments.seed} thread {number}", told.tell, ended))
        for number in range(arguments.threads)
    ]
    actors += [
        threading.Thread(target=kill, args=(folder, f"{arguments.seed} {number}", told.tell, ended))
        for number in range(arguments.processes)
    ]
    for actor in actors:
        actor.start()
    ended.wait(arguments.seconds)
    ended.set()
    for actor in actors:
        actor.join()
    install(NAME, folder / "one.gz")
    state = next(status.state for status in statuses() if status.name == NAME)
    told[f"at the end: {state}"] += 1
    told["at the end: wrong score"] += scores(Scorer(PRESET)) != right["one"]
    current = current_version(cache / NAME)
    left = {path for path in (cache / NAME).iterdir() if path != current and path.name != POINTER}
    left |= {path for path in cache.rglob("*") if path.name.endswith(".part")}
    told["at the end: left over"] += len(left)
    for outcome, count in sorted((+told).items()):
        say(f"{count:9,} {outcome}")
    good = ("installed", "removed", "right", "missing", "listed", "killed", "at the end: installed")
    return 0 if set(+told) <= set(good) else 1


def say(line: str) -> None:
    """Print at once, and whole."""
    os.write(1, f"{line}\n".encode())


class Told(Counter[str]):
    """Outcomes, counted by many threads."""

    lock = threading.Lock()

    def tell(self, outcome: str) -> None:
        """Count one."""
        with self.lock:
            self[outcome] += 1


def act(folder: Path, seed: str, tell: Tell, ended: threading.Event) -> None:
    """Install, remove, list and score until the end."""
    logging.disable()
    random = Random(seed)
    right = json.loads((folder / "right.json").read_text())
    kept = None
    while not ended.is_set():
        action = random.choices(("install", "remove", "list", "score", "again", "file"), (3, 2, 1, 10, 10, 3))[0]
        try:
            if action == "install":
                install(NAME, folder / f"{random.choice(list(TABLES))}.gz")
                tell("installed")
            elif action == "remove":
                remove(NAME)
                tell("removed")
            elif action == "list":
                statuses()
                tell("listed")
            elif action == "file":
                name = random.choice(list(TABLES))
                judge(scores(Scorer(with_table(folder / f"{name}.gz"))), [right[name]], tell)
            else:
                if action == "score" or kept is None:
                    kept = Scorer(PRESET)
                judge(scores(kept), right.values(), tell)
        except ResourceMissing:
            tell("missing")
        except Exception:  # noqa: BLE001 – any error is reported
            tell(f"{action}: {' '.join(traceback.format_exc().splitlines())}")


def with_table(path: Path) -> ScorerConfig:
    """The preset with a table that is named by its file."""
    preset = load_preset(PRESET)
    stages = [evolve(stage, resource=str(path)) if stage.resource == NAME else stage for stage in preset.stages]
    return evolve(preset, stages=tuple(stages))


def scores(scorer: Scorer) -> str:
    """All scores, and the sums."""
    return str(
        (
            [scorer.score(*pair).score for pair in PAIRS],
            scorer.totals([Pair([ref], hyp) for ref, hyp in PAIRS]).statistics,
        )
    )


def judge(found: str, right: Collection[str], tell: Tell) -> None:
    """Tell whether the scores are right."""
    tell("right" if found in right else f"wrong: {found}")


def kill(folder: Path, seed: str, tell: Tell, ended: threading.Event) -> None:
    """Run one process after the other, and kill each."""
    random = Random(seed)
    while not ended.is_set():
        command = [sys.executable, "-m", "tests.resources.soak", "--actor", str(folder), "--seed", str(random.random())]
        environment = {**os.environ, VARIABLE: str(random.randrange(2))}
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
            output, errors = process.stdout, process.stderr
            assert output is not None
            assert errors is not None
            first = output.readline()  # it lives
            killer = threading.Timer(random.expovariate(1), process.kill)
            killer.start()
            for line in (first, *output):
                if line.endswith("\n"):
                    tell(line.strip())
            killer.join()
            said = errors.read().strip()
        died = process.returncode == -signal.SIGKILL and not said
        tell("killed" if died else f"ended with {process.returncode}: {said}")


if __name__ == "__main__":
    main()
