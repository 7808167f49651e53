"""Type checkers see the right types in users' code, and the mistakes in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

USER_CODE = Path(__file__).with_name("user_code.py")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=lambda run: run[0]
)
def test_user_code(root, checker):
    """A checker finds the types that `user_code.py` asserts; mypy also says of each marked mistake that it is one."""
    pytest.importorskip(checker[0])
    command = [sys.executable, "-m", *checker, str(USER_CODE)]
    environment = {**os.environ, "PYTHONPATH": str(root)}  # pyright does not find packages that are installed in place
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
