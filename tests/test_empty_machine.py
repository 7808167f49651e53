"""No test sees the machine's home, cache, locale or time zone, and a run leaves nothing in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meteorlib.resources.store.shared_files import cache_folder

FOLDERS = "cache", "home", "xdg"
LOOK = """
import json, os, time
from pathlib import Path
from meteorlib.resources.store.shared_files import cache_folder
names = {name for name in os.environ if name.startswith(("LC_", "LANG", "XDG_"))} | {"COLUMNS", "NO_COLOR"}
seen = [f"{name}={os.environ[name]}" for name in sorted(names & {*os.environ})]
seen = [setting for setting in seen if setting != "LC_CTYPE=C.UTF-8"]  # Python's own where there is no locale
print(json.dumps([str(Path.home()), str(cache_folder()), seen, time.tzname[0]]))
"""
ASKED = ["tests/test_empty_machine.py", "tests/cli/test_escape_notes.py", "tests/cli/test_other_metrics.py"]
"""Tests of the environment, of commands, and some that would write into the user's cache."""


def test_a_process_of_a_test():
    """A process that a test starts has an empty home and cache, no locale, and the time of UTC."""
    found = json.loads(subprocess.run([sys.executable, "-c", LOOK], check=True, capture_output=True, text=True).stdout)
    home = Path.home()
    assert found == [str(home), str(home / "cache"), [], "UTC"]
    assert home.name.startswith("meteorlib-tests-")
    assert cache_folder() == home / "cache"


@pytest.mark.oracle
def test_installed_data():
    """A test of installed language data finds the cache of the machine."""
    assert cache_folder() == Path(os.environ["METEORLIB_INSTALLED"])


@pytest.mark.thorough
def test_hostile_machine(root, tmp_path):
    """With an odd locale and time zone, narrow lines and folders of a user, tests pass and leave the folders empty."""
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    hostile = {
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "xdg"),
        "METEORLIB_CACHE": str(tmp_path / "cache"),
        "METEORLIB_PURE_PYTHON": "0",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "XXX-13:45",
        "COLUMNS": "20",
        "NO_COLOR": "1",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | hostile
    options = ["-q", "-n", "2", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *ASKED], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path for name in FOLDERS for path in (tmp_path / name).rglob("*")] == []
