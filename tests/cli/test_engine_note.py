"""Notes on a missing compiled engine."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from meteorlib.engine import implementation
from meteorlib.inputs import notes
from tests.cli.conftest import COMMAND

NOTE = "the compiled engine was not built; "
TERMINAL, FILE = (SimpleNamespace(stderr=SimpleNamespace(isatty=lambda shown=shown: shown)) for shown in (True, False))
WITHOUT = "import sys; sys.modules['meteorlib.engine.kernel.kernel'] = None; "


@pytest.fixture
def python_only(files, monkeypatch):
    """A hypothesis and its reference, at a terminal, in an installation without the extension; all work is long."""
    files(hyp="a\nb\nc\n", ref="a\nb\nd\n")
    monkeypatch.setattr(notes, "sys", TERMINAL)
    monkeypatch.setattr(implementation, "load_kernel", lambda: None)
    monkeypatch.setattr(notes, "LONG", 0.0)
    monkeypatch.delenv("METEORLIB_PURE_PYTHON", raising=False)


@pytest.mark.parametrize("hypotheses", [["hyp"], ["hyp", "hyp"]])
def test_told_once(run, python_only, hypotheses):
    """Long work without the compiled engine has one note at a terminal, however many systems there are."""
    asked = ("score", *hypotheses, "-r", "ref", "-p", "meteor-2005", "-n", "10")
    told = run(*asked).err
    assert [line.startswith(f"note: {NOTE}") for line in told.splitlines() if "engine" in line] == [True]
    assert "engine" not in run(*asked, "--quiet").err


@pytest.mark.parametrize(
    ("name", "value"),
    [("LONG", 1000.0), ("missing_engine", str), ("sys", FILE)],
    ids=["short work", "compiled", "no terminal"],
)
def test_not_told(run, python_only, monkeypatch, name, value):
    """There is no note after short work, with the compiled engine, or away from a terminal."""
    monkeypatch.setattr(notes, name, value)
    assert run("score", "hyp", "-r", "ref", "-p", "meteor-2005").err == ""


def test_chosen(run, python_only, monkeypatch):
    """Users who chose Python have no note."""
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    assert run("score", "hyp", "-r", "ref", "-p", "meteor-2005").err == ""
    assert implementation.missing_engine() == ""


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["verify", "nltk"], pytest.param(["verify", "nltk", "--report"], marks=pytest.mark.thorough)],
)
def test_always_told(run_process, monkeypatch, arguments):
    """`--version` and `verify` say that the compiled engine is missing, unless the user chose Python."""
    monkeypatch.setattr("tests.cli.conftest.COMMAND", [*COMMAND[:2], WITHOUT + COMMAND[2]])
    monkeypatch.delenv("METEORLIB_PURE_PYTHON", raising=False)
    found = run_process(*arguments)
    assert (found.status, found.err) == (0, "")
    assert found.out.count(NOTE) == 1
    assert "pip install --force-reinstall" in found.out
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    assert NOTE not in run_process(*arguments).out
