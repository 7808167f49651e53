"""The bar: there for what takes a moment and has a terminal, else silent."""

from __future__ import annotations

import io
import sys

import pytest

from meteorlib.cli import main
from meteorlib.cli import streams as bars
from meteorlib.cli.streams import progress, progress_of


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


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


def test_bar(terminal):
    """The bar shows the finished amount and the total."""
    stream = terminal()
    with progress("scoring", 200) as bar:
        bar(50)
        bar(50)
    assert "scoring" in stream.getvalue()
    assert "50%" in stream.getvalue()


def test_total_that_is_told_with_it(terminal):
    """The finished amount and the total may be reported together."""
    stream = terminal()
    with progress_of("resampling") as bar:
        bar(30, 40)
    assert "resampling" in stream.getvalue()
    assert "75%" in stream.getvalue()


def test_silent_for_a_moment(terminal):
    """A short run shows no bar."""
    stream = terminal(1000.0)
    with progress("scoring", 2) as bar:
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


def test_share(terminal):
    """A share has no rate."""
    stream = terminal()
    with progress_of("compiling") as bar:
        bar(0.25, 1)
        bar(0.5, 1)
    assert "50%" in stream.getvalue()
    assert "/s" not in stream.getvalue()


def test_not_between_lines(terminal):
    """If the same terminal gets lines, there is no bar."""
    stream = terminal()
    with progress("aligning", 2, shown=False) as bar:
        bar(2)
    assert stream.getvalue() == ""


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
