"""``meteorlib explain``: text given on the command line or a line of files, in its three formats."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from meteorlib import Scorer
from meteorlib.display.terminal import plain
from meteorlib.explanation.explanation import explanation_lines

REFERENCE, HYPOTHESIS = "the cat sat on the mat", "the cats sat on a mat"
PLAIN = ("explain", "-p", "meteor-1.5-en-core", "-r", REFERENCE, HYPOTHESIS)


@pytest.fixture
def explanation():
    """Explanation made from Python."""
    return Scorer("meteor-1.5-en-core").explain(REFERENCE, HYPOTHESIS)


@pytest.mark.parametrize("view", ["rows", "matrix"])
def test_text(printed, monkeypatch, explanation, view):
    """Output that is not a terminal gets plain text, as wide as COLUMNS says."""
    monkeypatch.setenv("COLUMNS", "70")
    assert printed(*PLAIN, "--view", view) == "\n".join(map(plain, explanation_lines(explanation, view, 70))) + "\n"


def test_json(run, explanation):
    """JSON is the explanation as data."""
    assert json.loads(run(*PLAIN, "--format", "json").out) == json.loads(json.dumps(explanation.to_dict()))


def test_json_is_harmless(run):
    """Characters that could act on a terminal are escaped in JSON, and nothing is lost."""
    out = run("explain", "-p", "nltk", "-r", "日本", "日本 \x9b2J\u202e", "--format", "json").out
    assert not {"\x9b", "\u202e"} & set(out)
    assert json.loads(out)["alignment"]["hypothesis"] == ["日本", "\x9b2j\u202e"]
    assert "日本" in out


def test_segment(run, files):
    """A line of files, with all its references; standard input is a file too."""
    files(hyp=f"x\n{HYPOTHESIS}\n", one="x\na dog\n", two=f"x\n{REFERENCE}\n")
    given = ("explain", "--segment", "2", "-p", "meteor-2005", "-r", "one", "-r", "two", "--format", "json")
    expected = Scorer().explain(["a dog", REFERENCE], HYPOTHESIS)
    assert json.loads(run(*given, "hyp").out) == json.loads(json.dumps(expected.to_dict()))
    assert run(*given, "-", stdin=f"x\n{HYPOTHESIS}\n".encode()).out == run(*given, "hyp").out


def test_no_such_segment(refused, files):
    """A line that is not there is an error that says how many there are."""
    files(hyp="x\n", ref="x\n")
    assert "there is no segment 2: hyp has 1" in refused("explain", "--segment", "2", "-r", "ref", "hyp")


def test_a_file_without_segment_is_noted(run, files):
    """Files without a line number cause a message that names the option."""
    files(hyp="x\n", ref="x\n")
    result = run("explain", "-r", "ref", "hyp", "-p", "nltk")
    assert result.err == "note: hyp is read as text; to explain a line of files, add --segment N\n"
    assert result.status == 0


def test_which_meteor(run):
    """A preset and a configuration exclude each other."""
    assert run("explain", "-r", "x", "x", "-p", "nltk", "--config", "y").status == 2


def test_all_gains(run):
    """Slow gains are left out with a note, or computed on request."""
    words = " ".join(f"w{number}" for number in range(300))
    given = ("explain", "-p", "nltk", "-r", words, "x", "--format", "json")
    assert json.loads(run(*given).out)["gains_left_out"] > 0
    assert json.loads(run(*given, "--all-gains").out)["gains_left_out"] == 0


@pytest.mark.parametrize(
    ("setting", "colored"),
    [
        ({}, True),
        *(pytest.param(one, False, marks=pytest.mark.thorough) for one in ({"NO_COLOR": "1"}, {"TERM": "dumb"})),
    ],
)
def test_colors(explanation, setting, colored):
    """A terminal gets colors, unless NO_COLOR is set or it has none; the text is the same."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals", exc_type=ImportError)
    outer, inner = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "60"} | setting
    command = [sys.executable, "-m", "meteorlib", *PLAIN]
    with subprocess.Popen(command, stdout=inner, stderr=inner, env=environment, close_fds=True) as process:
        os.close(inner)
        out = b""
        while data := _read(outer):
            out += data
        assert process.wait() == 0
    os.close(outer)
    assert (b"\x1b[32m" in out) == colored
    shown = re.sub(r"\x1b\[[0-9;]*m", "", out.decode()).replace("\r\n", "\n")
    assert shown == "\n".join(map(plain, explanation_lines(explanation, "rows", 60))) + "\n"


def _read(descriptor):
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the other end is closed
        return b""


def test_segment_of_a_table(run, tmp_path):
    """The segment may be in a table, as for the other commands; columns without --segment are refused."""
    (tmp_path / "table.csv").write_text('hyp,ref\na cat,the cat\n"b, c",b c\n', encoding="utf-8")
    columns = [str(tmp_path / "table.csv"), "--hyp-column", "hyp", "--ref-column", "ref", "--format", "json"]
    done = json.loads(run("explain", *columns, "--segment", "2").out)
    assert (done["alignment"]["reference"], done["alignment"]["hypothesis"]) == (["b", "c"], ["b,", "c"])
    refused = run("explain", "a", "-r", "b", "--hyp-column", "hyp")
    assert (refused.status, "add --segment N" in refused.err) == (2, True)
    missing = run("explain", "a")
    assert (missing.status, "Missing option '-r' / '--reference'" in missing.err) == (2, True)
