"""Cost of an import, and the names that the package offers."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest

import meteorlib

HEAVY = {
    "yaml", "cattrs", "rich", "click", "platformdirs", "importlib.metadata", "jinja2", "numpy",
}  # fmt: skip
"""Modules that `import meteorlib` does not load."""

LATER = {
    "cattrs", "concurrent.futures", "decimal", "difflib", "gzip", "importlib.metadata", "importlib.resources",
    "logging", "numpy", "rich", "shutil", "signal", "tempfile", "yaml",
}  # fmt: skip
"""Modules that a first score with a preset of words does not need."""

READERS = {"csv", "pyarrow", "statistics", "xml.parsers.expat"}
"""Modules needed only by formats other than lines of text, or by comparisons."""


def loaded_by(statement):
    """The modules that a statement loads in a new process, besides those that Python, or coverage, has begun with."""
    code = f"import sys; there = set(sys.modules); {statement}; print(*(set(sys.modules) - there), sep='\\n')"
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


@pytest.mark.parametrize("preset", ["meteor-2005", "nltk", "meteor-1.5-en-core"])
def test_scoring_loads_what_it_needs(preset):
    """A first score loads no library that it does not use."""
    loaded = loaded_by(f"import meteorlib; meteorlib.Scorer({preset!r}).score('a', 'a')")
    assert sorted(loaded & LATER) == []


def test_scoring_a_file_loads_what_it_needs(tmp_path):
    """The command that scores two files of lines reads no other format, and compares nothing."""
    (tmp_path / "lines").write_text("a b\n", encoding="utf-8")
    # click loads difflib for options of one letter
    command = ["score", str(tmp_path / "lines"), "--reference", str(tmp_path / "lines"), "--quiet"]
    code = (
        f"from contextlib import suppress; from meteorlib.cli import main\nwith suppress(SystemExit): main({command})"
    )
    loaded = loaded_by(f"exec({code!r})")
    assert "meteorlib.inputs.text_file" in loaded
    assert sorted(loaded & {*LATER, *READERS, "rich"}) == []


def test_public_names():
    """Every public name exists and is listed once, in order; nothing else is exported."""
    assert meteorlib.__all__ == sorted(meteorlib.__all__)
    assert len(set(meteorlib.__all__)) == len(meteorlib.__all__)
    for name in meteorlib.__all__:
        assert getattr(meteorlib, name) is not None
    assert {"Scorer", "Corpus", "Alignment", "Chunking", "ScoreBreakdown", "ScorerConfig"} <= set(meteorlib.__all__)


def test_typed():
    """The package declares its types to type checkers."""
    assert (files("meteorlib") / "py.typed").is_file()
