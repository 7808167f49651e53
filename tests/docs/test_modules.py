"""The list of modules in docs/architecture.md is that of the package."""

from __future__ import annotations

from tools.list_modules import PAGE, listing, with_listing


def test_the_list_is_current():
    """Run tools/list_modules.py after adding, moving or describing a module."""
    page = PAGE.read_text("utf-8")
    assert page == with_listing(page)


def test_every_module_says_what_it_is():
    """A module without a docstring would have no explanation in the list."""
    assert [line for line in listing().splitlines() if len(line.split()) < 2] == []
