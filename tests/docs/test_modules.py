"""Every module says what it is, and pages for developers name folders and files that exist."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT
from tools.list_modules import listing


def test_every_folder_has_a_row():
    """The table of docs/architecture.md has each folder of the package once."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(path.parent.name for path in (ROOT / "meteorlib").glob("*/__init__.py"))


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
