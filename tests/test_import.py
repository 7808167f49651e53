"""What an import costs, and what the package offers."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

import meteorlib

HEAVY = {
    "yaml", "cattrs", "rich", "click", "marisa_trie", "platformdirs", "importlib.metadata", "jinja2", "numpy",
    "meteorlib.resources._snowball",
}  # fmt: skip


def loaded_by(statement):
    """The modules that are there after a statement in a new process."""
    code = f"import sys; {statement}; print(*sys.modules, sep='\\n')"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize("statement", ["import meteorlib", "import meteorlib.config", "from meteorlib import *"])
def test_import_is_light(statement):
    """Importing loads none of the heavy libraries: they are loaded where they are used."""
    loaded = loaded_by(statement)
    assert "meteorlib" in loaded
    assert sorted(loaded & HEAVY) == []


def test_scoring_loads_no_command_line():
    """A scorer needs no command line, no tables, no progress bars."""
    loaded = loaded_by("import meteorlib; meteorlib.Scorer().score('a', 'a')")
    assert sorted(loaded & {"click", "rich"}) == []


def test_public_names():
    """Every public name is there, listed once, in order; nothing else is exported."""
    assert meteorlib.__all__ == sorted(meteorlib.__all__)
    assert len(set(meteorlib.__all__)) == len(meteorlib.__all__)
    for name in meteorlib.__all__:
        assert getattr(meteorlib, name) is not None
    assert {"Scorer", "Corpus", "Alignment", "Chunking", "ScoreBreakdown", "ScorerConfig"} <= set(meteorlib.__all__)


def test_typed():
    """Type checkers are told that the package has types."""
    assert (files("meteorlib") / "py.typed").is_file()
