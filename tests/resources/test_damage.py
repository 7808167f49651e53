"""Language data damaged at random: a clear error or the right score, nothing else, in both engines."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from meteorlib.engine.implementation import VARIABLE, load_kernel
from meteorlib.resources.catalog import FILES

ENGINES = ["1"] if load_kernel() is None else ["0", "1"]


def _damage(root, mode: str, pure: str, count: int) -> list[str]:
    """Run `tests.resources.damage`, which ends with an error where there is another outcome, or crashes."""
    environment = {**os.environ, VARIABLE: pure, "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-m", "tests.resources.damage", mode, "1", str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environment)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize("pure", [ENGINES[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in ENGINES[1:])])
@pytest.mark.parametrize(
    ("mode", "count", "files"),
    [
        ("fresh", 4, 5),
        pytest.param("remembered", 1, 5, marks=pytest.mark.thorough),
        pytest.param("blind", 8, 5, marks=pytest.mark.thorough),
        pytest.param("meanwhile", 5, 1, marks=pytest.mark.thorough),
    ],
)
def test_index(root, mode, pure, count, files):
    """Damage to any file of an index is found before it affects a score; see `tests.resources.damage`.

    That holds for a verdict that is remembered, too, if size and time of modification are those of the good file. Where
    the system tells nothing of a file, or it is written to while it is in use, no number of it leads out of memory.
    """
    assert len(_damage(root, mode, pure, count)) == files


@pytest.mark.thorough
@pytest.mark.parametrize("pure", ENGINES[-1:])
def test_packaged(root, pure):
    """Damage to any packaged file is found at every start."""
    assert len(_damage(root, "packaged", pure, 1)) == sum(map(len, FILES.values()))


@pytest.mark.stress
@pytest.mark.parametrize("pure", ENGINES)
@pytest.mark.parametrize(
    ("mode", "count"),
    [("fresh", 75), ("remembered", 20), ("blind", 75), ("meanwhile", 20), ("packaged", 75)],
)
def test_hundreds(root, mode, pure, count):
    """Each file is damaged 75 times; fewer times if each takes a tick of the file system's clock."""
    assert _damage(root, mode, pure, count)
