"""A small paraphrase table."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from meteorlib.resources.install import install
from meteorlib.resources.store.shared_files import current_version

ENTRIES = [
    ("of course", "naturally"),
    ("of course", "sure"),
    ("of course", "naturally"),
    ("sure", "of course"),
    ("café", "кафе \U0001f600"),
    ("in the end of the day", "finally"),
    ("of course", "to be sure"),
    ("same", "same"),
]
"""Entries with a source that comes again later, repeated ones, and one that is its own paraphrase."""


@pytest.fixture
def table(tmp_path) -> Path:
    """A table of `ENTRIES`."""
    path = tmp_path / "paraphrase-de.gz"
    path.write_bytes(gzip.compress("".join(f"0.5\n{source}\n{target}\n" for source, target in ENTRIES).encode()))
    return path


@pytest.fixture
def entries() -> list[tuple[str, str]]:
    """Contents of `table`."""
    return ENTRIES


@pytest.fixture
def index(cache, table) -> Path:
    """The folder of an installed table's current version."""
    folder = current_version(install("paraphrase-de", table))
    assert folder is not None
    return folder
