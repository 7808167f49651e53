"""Arrays in files: what they hold, and a disk that is full."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys

import numpy as np
import pytest

from meteorlib.universal.arrays import write_array, zeros_on_disk


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_read_again(tmp_path, kind, count):
    """An array is read as it was written."""
    numbers = np.arange(count, dtype=kind)
    mapped = write_array(numbers[::-1], tmp_path / "numbers")
    assert mapped.dtype == kind
    assert mapped.tolist() == numbers[::-1].tolist()


@pytest.mark.parametrize("count", [1, 1000, 300_000])
def test_zeros(tmp_path, count):
    """Zeros can be changed."""
    zeros = zeros_on_disk(count, tmp_path / "zeros")
    assert not zeros.any()
    zeros[-1] = 7
    assert (int(zeros.sum()), int(zeros[-1])) == (7, 7)


SMALL_DISK = """
from pathlib import Path
import numpy as np
from meteorlib.universal.arrays import write_array, zeros_on_disk
try:
    {call}[:] = 1
except OSError as error:
    print(error.errno)
"""


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs Linux")
@pytest.mark.parametrize(
    "call", ["write_array(np.arange(99_999), Path('numbers'))", "zeros_on_disk(99_999, Path('numbers'))"]
)
def test_full_disk(tmp_path, unmeasured, call):
    """A full disk is an error that says so, and does not kill the process."""
    mount = 'mount -t tmpfs -o size=64k tmpfs . && cd "$PWD" && '
    if subprocess.run(["unshare", "-rm", "sh", "-c", f"{mount} true"], cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    command = ["unshare", "-rm", "sh", "-c", f'{mount} "$@"', "sh", sys.executable, "-c", SMALL_DISK.format(call=call)]
    done = subprocess.run(command, env=unmeasured, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{errno.ENOSPC}\n", "")
