"""Ctrl-C from the first moment of a command: exit status 130 and no traceback, while modules load, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a console has no SIGINT to send")

INTERRUPTING = """
import os, signal, sys
signal.signal(signal.SIGINT, {handler})

class Interrupting:
    left = {place}

    def find_spec(self, name, path=None, target=None):
        if {{"meteorlib.cli", {module!r}}} <= {{*sys.modules}}:
            if not self.left:
                os.kill(os.getpid(), signal.SIGINT)
            self.left -= 1

sys.meta_path.insert(0, Interrupting())
"""
"""Sends SIGINT when a module is asked for: the first one after a command's own, or a later one."""

STARTS = {
    "meteorlib": "from meteorlib.cli import main; sys.exit(main())",
    "python -m meteorlib": "import runpy; runpy.run_module('meteorlib', run_name='__main__', alter_sys=True)",
    "meteor-1.5": "from meteorlib.cli.dropin import main; sys.exit(main())",
}
EARLY = [0, 1, 60]
LATER = [pytest.param(place, marks=pytest.mark.thorough) for place in (*range(2, 60, 7), *range(64, 118, 6))]


def interrupting(start, place, handler="signal.default_int_handler"):
    module = "meteorlib.cli.dropin" if start == "meteor-1.5" else "meteorlib.cli"
    return INTERRUPTING.format(handler=handler, place=place, module=module) + STARTS[start]


def run(code, *arguments):
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def score(files, start):
    """The arguments with which a command scores two files."""
    files(**{"a.txt": "a b\n", "b.txt": "a b\n"})
    return "a.txt b.txt -l other".split() if start == "meteor-1.5" else "score --quiet a.txt -r b.txt".split()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("place", [*EARLY, *LATER])
def test_an_interrupt_while_modules_load(files, start, place):
    """Whichever module is being loaded, the command says that it was interrupted, and no more.

    The last modules are loaded while it runs already; then an empty line comes first, as a bar may stand in the line.
    """
    status, out, err = run(interrupting(start, place), *score(files, start))
    assert (status, out) == (130, "")
    assert err.strip().startswith(f"{start.removeprefix('python -m ')}: interrupted")
    assert err.strip().count("\n") == 0


@pytest.mark.thorough
@pytest.mark.parametrize("start", STARTS)
def test_an_interrupt_that_is_ignored(files, start):
    """A background command whose shell makes it ignore Ctrl-C continues."""
    status, out, err = run(interrupting(start, 3, "signal.SIG_IGN"), *score(files, start))
    assert (status, err) == (0, "")
    assert out


FORGOTTEN = """
import signal, sys, time
from meteorlib.cli import start
signal.signal(signal.SIGINT, signal.default_int_handler)

class Fragile:
    def __del__(self):
        raise KeyboardInterrupt if {interrupt} else ValueError("something else")

def run(arguments):
    Fragile()
    for _ in range({interrupt} * 6_000):  # an interrupt by another thread does not end a long sleep
        time.sleep(0.01)
    return 7

sys.exit(start("mine", lambda: run, None))
"""


@pytest.mark.thorough
def test_an_interrupt_that_was_forgotten():
    """An interrupt in a callback that cannot raise is not lost; other errors there are printed as ever."""
    assert run(FORGOTTEN.format(interrupt=True)) == (130, "", "mine: interrupted\n")
    status, out, err = run(FORGOTTEN.format(interrupt=False))
    assert (status, out) == (7, "")
    assert "ValueError: something else" in err


@pytest.mark.parametrize(
    ("module", "more"),
    [("meteorlib.cli", set()), ("meteorlib.cli.dropin", {"meteorlib.cli.dropin"}), ("meteorlib.__main__", set())],
)
def test_little_is_loaded_before(module, more):
    """Before Ctrl-C is looked out for, nothing is loaded but four small modules of the package's own."""
    code = f"import sys; there = set(sys.modules); import {module}; print(*sorted(set(sys.modules) - there))"
    status, out, _ = run(code)
    first = {"meteorlib", "meteorlib._version", "meteorlib.cli", "__future__"}
    assert status == 0
    assert set(out.split()) - {module} <= first | more


@pytest.mark.thorough
def test_a_thread(files):
    """A command that is called in another thread, where no signal arrives, runs as in the first."""
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nfrom meteorlib.cli.dropin import main\n"
        "print(ThreadPoolExecutor().submit(main, 'a.txt b.txt -l other'.split()).result())"
    )
    score(files, "meteor-1.5")
    status, out, err = run(code)
    assert (status, out.splitlines()[-1], err) == (0, "0", "")
