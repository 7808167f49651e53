"""The note on a missing compiled engine."""

from __future__ import annotations

import pytest

from meteorlib.cli import engine_note

NOTE = "note: {} segments were scored without the compiled engine"


@pytest.fixture(autouse=True)
def texts(files, monkeypatch):
    """A hypothesis of three segments, its reference, and an installation without the extension; three are many."""
    files(hyp="a\nb\nc\n", ref="a\nb\nd\n")
    monkeypatch.setattr(engine_note, "load_kernel", lambda: None)
    monkeypatch.setattr(engine_note, "MANY", 2)
    monkeypatch.delenv("METEORLIB_PURE_PYTHON", raising=False)


@pytest.mark.parametrize(("hypotheses", "count"), [(["hyp"], 3), (["hyp", "hyp"], 6)])
def test_told_once(run, hypotheses, count):
    """Many segments without the compiled engine have one note, however many systems there are."""
    err = run("score", *hypotheses, "-r", "ref", "-p", "meteor-2005").err
    assert err.count("compiled engine") == 1
    assert NOTE.format(count) in err
    assert run("score", *hypotheses, "-r", "ref", "-p", "meteor-2005", "--quiet").err == ""


def test_not_told(run, monkeypatch):
    """Few segments have no note, nor have those of users who chose Python."""
    monkeypatch.setenv("METEORLIB_PURE_PYTHON", "1")
    assert run("score", "hyp", "-r", "ref", "-p", "meteor-2005").err == ""
    monkeypatch.delenv("METEORLIB_PURE_PYTHON")
    monkeypatch.setattr(engine_note, "MANY", 3)
    assert run("score", "hyp", "-r", "ref", "-p", "meteor-2005").err == ""
