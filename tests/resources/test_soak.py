"""Many at once, some of them killed: see `tests.resources.soak`, which runs for ten minutes by itself."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.stress
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_soak(root):
    """Every score that comes out is right, the index is whole at the end, and nothing is left over."""
    command = [sys.executable, "-m", "tests.resources.soak", "--seconds", "20"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for outcome in ("right", "killed", "installed", "removed", "at the end: installed"):
        assert f" {outcome}\n" in ran.stdout
