"""Processes that do not begin as copies of the one that starts them: macOS, Windows, and Linux from Python 3.14."""

from __future__ import annotations

import subprocess
import sys

import pytest

from meteorlib import Scorer
from meteorlib.corpus import parallel
from meteorlib.errors import WorkerLost

IMPORTS = """
import multiprocessing, os, sys
from meteorlib import Scorer
from meteorlib.core.segment import Pair
from meteorlib.analysis.meta_evaluation import Judged, Judgments, meteor

def score():
    pairs = [Pair(["the cat sat"], f"a cat sat {number}") for number in range(1200)]
    print(Scorer().arrays(pairs, jobs=2).scores.sum())
    judged = [Judgments("xx", tuple(Judged(str(number), "m", pair) for number, pair in enumerate(pairs)))]
    print(meteor(Scorer(), judged, jobs=2).scored[0].scores.sum())
"""
UNGUARDED = IMPORTS + "multiprocessing.set_start_method(sys.argv[1], force=True)\nscore()\n"
GUARDED = IMPORTS + "if __name__ == '__main__':\n    multiprocessing.set_start_method(sys.argv[1])\n    score()\n"
INTERRUPTED_EARLY = (
    """
import os, signal, sys

if __name__ == "__mp_main__":  # a process that starts, and gets Ctrl-C before the rest is imported
    os.kill(os.getpid(), signal.SIGINT)
"""
    + GUARDED
)
KILLED = """
import multiprocessing, os, sys
from meteorlib import Scorer
from meteorlib.corpus.parallel import score_stream
from meteorlib.corpus.batch import Lines

def die(number, scored):
    os._exit(3)

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    list(score_stream(Scorer(), [Lines((b"a", b"b"))], 2, die))
"""
NO_SERVER = GUARDED.replace("    score()", "    multiprocessing.set_forkserver_preload(['broken'])\n    score()")
METHODS = pytest.mark.parametrize(
    "method", ["spawn", pytest.param("forkserver", marks=pytest.mark.skipif(sys.platform == "win32", reason="no fork"))]
)


def run(folder, script, method):
    (folder / "script.py").write_text(script)
    (folder / "broken.py").write_text("raise SystemExit('as a main script that starts processes')")
    return subprocess.run(
        [sys.executable, "script.py", method],
        cwd=folder,
        env={**parallel.os.environ, "METEORLIB_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("limit", "processes"), [(None, 100), (61, 61)])
def test_limit_of_windows(monkeypatch, limit, processes):
    """A pool of Windows has at most 61 processes, however many are asked for."""
    monkeypatch.setattr(parallel, "MAX_PROCESSES", limit)
    pool, *_ = parallel._workers(Scorer(), 100, lambda number, _scored: number)
    with pool:
        assert pool._max_workers == processes


def told(method):
    return f"meteorlib.errors.WorkerLost: {WorkerLost(method)}"


@METHODS
@pytest.mark.thorough
def test_a_script_without_a_guard(tmp_path, method):
    """A script without a guard ends with one traceback that says what to add where, and does not blame memory."""
    done = run(tmp_path, UNGUARDED, method)
    assert done.returncode == 1
    assert told(method) in done.stderr.splitlines()
    assert done.stderr.count("Traceback (most recent call last)") == 2  # of the pool's error and ours
    assert "fewer jobs" not in done.stderr
    assert "bootstrapping" not in done.stderr


@METHODS
@pytest.mark.thorough
def test_a_script_with_a_guard(tmp_path, method):
    """A script with a guard scores, whatever the start method."""
    done = run(tmp_path, GUARDED, method)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(set(done.stdout.split())) == 1


@METHODS
@pytest.mark.thorough
def test_an_interrupt_at_the_start(tmp_path, method):
    """Ctrl-C is for the process that waits: one that only starts does not end by it with a traceback."""
    done = run(tmp_path, INTERRUPTED_EARLY, method)
    assert (done.returncode, done.stderr) == (0, "")


@METHODS
@pytest.mark.thorough
def test_a_process_that_ends_at_work(tmp_path, method):
    """A process that has begun to score and ends is another matter: memory, most often."""
    done = run(tmp_path, KILLED, method)
    assert told("") in done.stderr.splitlines()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_server_that_ends(tmp_path):
    """Newer Pythons import the main script in the server that starts processes, which then ends: the same message."""
    done = run(tmp_path, NO_SERVER, "forkserver")
    assert told("forkserver") in done.stderr.splitlines()


def test_a_message_names_the_guard():
    """The message has the line to type."""
    assert 'under `if __name__ == "__main__":`, or use one job' in str(WorkerLost("spawn"))
    assert "spawn" not in str(WorkerLost())
