"""The list of modules in docs/architecture.md is that of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.list_modules import PAGE, ROOT, listing, with_listing


def test_the_list_is_current():
    """Run tools/list_modules.py after adding, moving or describing a module."""
    page = PAGE.read_text("utf-8")
    assert page == with_listing(page)


def test_every_module_says_what_it_is():
    """A module without a docstring would have no explanation in the list."""
    assert [line for line in listing().splitlines() if len(line.split()) < 2] == []


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("--check", 2), ("page.md", 2)])
def test_no_argument_writes_the_page(argument, status):
    """Help is shown and unknown arguments are refused; neither writes the page."""
    before = PAGE.stat().st_mtime_ns
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "list_modules.py", argument], capture_output=True, check=False
    )
    assert (done.returncode, PAGE.stat().st_mtime_ns) == (status, before)
