"""The list of modules in docs/architecture.md is that of the package."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT
from tools.list_modules import PAGE, listing, with_listing


def test_the_list_is_current():
    """Run tools/list_modules.py after adding, moving or describing a module."""
    page = PAGE.read_text("utf-8")
    assert page == with_listing(page)


def test_every_module_says_what_it_is():
    """A module without a docstring would have no explanation in the list."""
    assert [line for line in listing().splitlines() if len(line.split()) < 2] == []


@pytest.mark.parametrize("page", ["architecture", "maintaining", "searches", "twins", "formula", "performance"])
def test_files_that_pages_name_exist(page):
    """A page for developers names no file that has moved."""
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    folders = ("meteorlib", "tests", "tools", "benchmarks")
    files = [
        path.as_posix() for path in [*ROOT.glob("*.py"), *(f for name in folders for f in (ROOT / name).rglob("*.p*"))]
    ]
    named = re.findall(r"`([a-z_0-9/]+\.p(?:y|yx|xd|xi))`", text)
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in files)] == []
