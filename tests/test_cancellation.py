"""Ctrl-C ends long work in the middle of a segment: every search and engine, threads and processes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from threading import Thread
from time import sleep

import pytest

from meteorlib.cancellation import Canceled, CancelFlag, cancel_on_exit, cancel_when, check_cancel
from meteorlib.engine.implementation import VARIABLE, load_kernel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a console has no SIGINT to send")

COMPILED = pytest.mark.skipif(load_kernel() is None, reason="needs the compiled kernel")
SOON = 1.5
"""Seconds after which the search is under way."""

LATE = 120
"""Seconds after which a process that did not answer is given up."""

START = """
import random, sys
from attrs import evolve
from meteorlib import Scorer, SearchConfig
from meteorlib.config import load_preset

def words(count, kinds, seed):
    return " ".join(random.Random(seed).choices([f"w{kind}" for kind in range(kinds)], k=count))

exact = load_preset("meteor-2005-exact")
"""
WORK = {
    "beam": (
        'evolve(exact, search=SearchConfig("beam"))',
        "scorer.matrix(references=[words(150_000, 300, 2)] * 1000, hypotheses=[words(150_000, 300, 1)])",
    ),
    "greedy": (
        'evolve(exact, search=SearchConfig("greedy"))',
        "scorer.matrix(references=[words(150_000, 150_000, 2)] * 1000, hypotheses=[words(150_000, 150_000, 1)])",
    ),
    "staged": (
        "exact",
        "scorer.matrix(references=[words(50_000, 900, 2)] * 1000, hypotheses=[words(50_000, 900, 1)])",
    ),
    "optimal": (
        'evolve(exact, search=SearchConfig("optimal", budget=10**12))',
        "scorer.score(words(4000, 20, 1), words(4000, 20, 2))",
    ),
    "weighted": (
        'evolve(exact, search=SearchConfig("weighted"))',
        "scorer.matrix(references=[words(4000, 20, 2)] * 1000, hypotheses=[words(4000, 20, 1)])",
    ),
    "near": (
        'evolve(load_preset("meteor-2026-en-core"), text="lower")',
        "scorer.score(words(150_000, 150_000, 1), words(150_000, 150_000, 2))",
    ),
    "threads": (
        'evolve(exact, search=SearchConfig("beam"))',
        "scorer.matrix(references=[words(150_000, 300, 2)] * 1000, hypotheses=[words(150_000, 300, 1)], threads=2)",
    ),
}


def interrupted(command, environment, folder=None):
    """Start a command, interrupt it when it says that it is at work, and give its exit status and all that it says.

    Ctrl-C stops it even where the tests run in the background, whose shell has them ignore it.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 – no threads here
    )
    try:
        assert process.stdout.readline() == "at work\n"
        sleep(SOON)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LATE)
    finally:
        process.kill()
    return process.returncode, out


@pytest.mark.parametrize(
    ("work", "pure"),
    [
        pytest.param("beam", "0", marks=COMPILED),
        pytest.param("greedy", "0", marks=[COMPILED, pytest.mark.thorough]),
        pytest.param("threads", "0", marks=[COMPILED, pytest.mark.thorough]),
        pytest.param("beam", "1", marks=pytest.mark.thorough),
        pytest.param("greedy", "1", marks=pytest.mark.thorough),
        pytest.param("staged", "0", marks=[COMPILED, pytest.mark.thorough]),
        pytest.param("staged", "1", marks=pytest.mark.thorough),
        pytest.param("optimal", "1", marks=pytest.mark.thorough),
    ],
)
def test_in_the_middle_of_a_segment(work, pure, unmeasured):
    """KeyboardInterrupt is raised long before the segment is scored."""
    config, call = WORK[work]
    program = (
        f"{START}\nscorer = Scorer({config})\nscorer.score('a', 'a')\nprint('at work', flush=True)\n"
        f"try:\n    {call}\n    print('done')\nexcept KeyboardInterrupt:\n    print('interrupted')"
    )
    assert interrupted([sys.executable, "-c", program], {**unmeasured, VARIABLE: pure}) == (0, "interrupted\n")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("preset", "segments", "count", "kinds", "pure"),
    [("meteor-1.5-other", 20, 150_000, 300, "0"), ("meteor-2005-exact", 2, 50_000, 900, "1")],
)
def test_jobs(tmp_path, preset, segments, count, kinds, pure, unmeasured):
    """The command ends with status 130 though threads (or processes) are in the middle of a segment."""
    for name in "ab":
        chance = random.Random(name)
        lines = [" ".join(f"w{chance.randrange(kinds)}" for _ in range(count)) for _ in range(segments)]
        (tmp_path / name).write_text("\n".join(lines))
    program = (
        "from meteorlib.cli import main; print('at work', flush=True); "
        f"main(['score', 'a', '-r', 'b', '--preset', {preset!r}, '--jobs', '2'])"
    )
    status, out = interrupted([sys.executable, "-c", program], {**unmeasured, VARIABLE: pure}, tmp_path)
    assert (status, out.strip()) == (130, "meteorlib: interrupted; nothing was written")


def test_look_up():
    """Work continues until it is canceled, separately for each thread."""
    stop, other = CancelFlag(), CancelFlag()
    check_cancel()
    with cancel_when(stop):
        check_cancel()
        with cancel_on_exit(other):
            pass
        check_cancel()
        with cancel_when(other), pytest.raises(Canceled):
            check_cancel()
        check_cancel()
        stop.value = True
        ended = []
        thread = Thread(target=lambda: ended.append(check_cancel()))
        thread.start()
        thread.join()
        assert ended == [None]
        with pytest.raises(Canceled):
            check_cancel()
    check_cancel()


def test_work_is_stopped_in_whatever_way_it_is_left():
    """Also by an error."""
    stop = CancelFlag()
    with pytest.raises(ZeroDivisionError), cancel_on_exit(stop):
        1 / 0  # noqa: B018
    assert stop.value
