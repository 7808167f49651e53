"""Installing while other processes do, and after one that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from meteorlib.errors import ResourceMissing
from meteorlib.resources.install import install
from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.store.shared_files import POINTER, current_version

NAME = "paraphrase-de"

CHILD = """
import sys, time
from pathlib import Path
from meteorlib.resources.install import install

def progress(share):
    print(share, flush=True)
    if len(sys.argv) > 3:
        time.sleep(float(sys.argv[3]))

install(sys.argv[1], Path(sys.argv[2]), progress)
"""


def _content(cache):
    """Contents of the cache folder, without the record of verified files."""
    return sorted(path.name for path in cache.iterdir() if path.name != "verified")


def _child(table, *delay):
    return subprocess.Popen([sys.executable, "-c", CHILD, NAME, table, *delay], stdout=subprocess.PIPE)


def test_killed(cache, table):
    """Leftovers of a killed process are not used, and the next installation removes them."""
    with _child(table, "60") as child:
        assert child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    assert [path for path in (cache / NAME).iterdir() if path.is_dir()]
    with pytest.raises(ResourceMissing):
        open_paraphrases(NAME)
    install(NAME, table)
    assert sorted(path.name for path in (cache / NAME).iterdir()) == sorted(
        [current_version(cache / NAME).name, POINTER]
    )


@pytest.mark.thorough
def test_two_at_once(cache, table):
    """A second process waits for the first, disturbs nothing, and both end well."""
    with _child(table, "0.4") as first:
        assert first.stdout.readline()
        with _child(table) as second:
            assert second.stdout.read() == b""
        assert first.wait() == second.wait() == 0
    assert _content(cache) == [NAME, f"{NAME}.lock"]
    assert open_paraphrases(NAME).entry_count == 8
