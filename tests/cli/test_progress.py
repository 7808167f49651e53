"""The bar: there for what takes a moment and has a terminal, else silent."""

from __future__ import annotations

import io
import sys

import pytest

from meteorlib.cli import main
from meteorlib.cli import streams as bars
from meteorlib.cli.streams import progress, progress_of
from tests.cli.conftest import Terminal


@pytest.fixture
def terminal(monkeypatch):
    """Called in a test: standard error is a terminal from then on, and a moment is over at once."""

    def made(moment=-1.0):
        stream = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(bars, "BAR_DELAY", moment)
        return stream

    return made


@pytest.mark.parametrize(
    ("bar", "steps", "shown"),
    [
        (lambda: progress("scoring", 200), [(50,), (50,)], ("scoring", "50%")),
        (lambda: progress_of("resampling"), [(30, 40)], ("resampling", "75%")),
        (lambda: progress_of("compiling"), [(0.25, 1), (0.5, 1)], ("compiling", "50%")),
    ],
    ids=["amounts", "amount and total", "shares"],
)
def test_bar(terminal, bar, steps, shown):
    """The bar shows the finished amount and the total, which may be reported with it; a share has no rate."""
    stream = terminal()
    with bar() as advance:
        for step in steps:
            advance(*step)
    assert all(text in stream.getvalue() for text in shown)
    assert "compiling" not in shown or "/s" not in stream.getvalue()


@pytest.mark.parametrize(("moment", "shown"), [(1000.0, True), (-1.0, False)])
def test_silent(terminal, moment, shown):
    """A short run shows no bar, and no run if the same terminal gets lines."""
    stream = terminal(moment)
    with progress("aligning", 2, shown=shown) as bar:
        bar(2)
    assert stream.getvalue() == ""


def test_silent_without_a_terminal(monkeypatch):
    """Piped output contains no bar."""
    piped = io.StringIO()
    monkeypatch.setattr(sys, "stderr", piped)
    monkeypatch.setattr(bars, "BAR_DELAY", -1)
    with progress("scoring", 2) as bar, progress_of("resampling") as other:
        bar(2)
        other(1, 2)
    assert piped.getvalue() == ""


def test_interrupted(terminal):
    """An interruption removes the bar and is raised again."""
    stream = terminal()

    def work():
        with progress("scoring", 2) as bar:
            bar(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert stream.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("arguments", "doing"),
    [
        (("compare-presets", "hyp", "-r", "ref", "--presets", "nltk,meteor-2005"), "comparing"),
        (("explain", "the dog sat", "-r", "the cat sat", "--all-gains"), "gains"),
        (("align", "hyp", "ref", "-m", "exact"), "aligning"),
        (("report", "hyp", "-r", "ref", "-n", "10", "-o", "page.html"), "drawing"),
    ],
)
def test_commands_with_a_bar(terminal, files, arguments, doing):
    """A command that may take long shows its progress."""
    files(hyp="a b\nc\n", ref="a b\nd\n")
    stream = terminal()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert not ended.value.code
    assert doing in stream.getvalue()
