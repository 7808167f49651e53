"""The service on standard input: both dialects, every error a line, each answer at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

STATISTICS = "6 6 3 3 3 3 3 3 0 0 0 0 0 0 0 0 0 0 0 0 3 6 6"
SCORE = "0.4776696620223255"


def ask(command, *lines, dialect="cmu", matchers="exact stem"):
    """The answers to `lines`."""
    done = command("-", "-", "-stdio", "-m", matchers, "-dialect", dialect, stdin="\n".join(lines) + "\n")
    assert (done.status, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_dialects(command):
    """EVAL answers with one score in CMU's dialect; in coco with one a group and that of the sum, SING with one."""
    assert ask(command, f"EVAL ||| {STATISTICS}", f"SING ||| {STATISTICS}") == [SCORE, "Error: specify SCORE or EVAL"]
    asked = [f"EVAL ||| {STATISTICS}", f"SING ||| {STATISTICS}", "hello"]
    assert ask(command, *asked, dialect="coco") == [SCORE] * 3 + ["Error: specify SCORE or EVAL or SING"]


def test_many_groups_in_cmu(command):
    """If one group is expected, many are an error."""
    assert ask(command, f"EVAL ||| {STATISTICS} ||| {STATISTICS}") == ["Error: specify Meteor stats"]


@pytest.mark.parametrize(
    ("statistics", "answer"),
    [
        ("1 2 3", "Error: expected 23 statistics, got 3"),
        (" ", "Error: expected 23 statistics, got 0"),
        (STATISTICS.replace("6", "x", 1), "Error: not a number of words: 'x'"),
        (STATISTICS.replace("6", "-6", 1), "Error: not a number of words: '-6'"),
        (STATISTICS.replace("6", "NaN", 1), "Error: not a number of words: 'NaN'"),
        (STATISTICS.replace("6", "1e999", 1), "Error: not a number of words: '1e999'"),
        (STATISTICS.replace("6", "6_0", 1), "Error: not a number of words: '6_0'"),
    ],
)
def test_bad_statistics(command, statistics, answer):
    """Statistics that crash the jar are answered with an error, and the service continues."""
    assert ask(command, f"EVAL ||| {statistics}", f"EVAL ||| {STATISTICS}") == [answer, SCORE]


def test_bad_text(command):
    """Bytes that are not UTF-8 are replaced as in the jar, a NUL is an error line, the service continues."""
    given = (
        b"SCORE ||| a \xff ||| a \xff\nSCORE ||| a\0 ||| b\nSCORE ||| a ||| a\r\nSCORE ||| a ||| a\rSCORE ||| b ||| b"
    )
    done = command("-", "-", "-stdio", "-m", "exact", stdin=given)
    answers = done.stdout.splitlines()
    assert answers[0].startswith("2.0 2.0 1.0 1.0 1.0 1.0 1.0 1.0 0.0")
    assert answers[1].startswith("Error: line 2: reference: NUL character at offset 2")
    assert [answer[:7] for answer in answers[2:]] == ["1.0 1.0"] * 3


def test_text_that_is_too_long(command):
    """Text that is too long for a segment is an error line that names the line and the side."""
    asked = ["SCORE ||| a ||| a", f"SCORE ||| a ||| b ||| {'c' * 2_000_001}"]
    assert ask(command, *asked)[1].startswith("Error: line 2: hypothesis: more than 2,000,000 characters")


def test_other_modes(command):
    """-stdio beats -sgml, with a warning."""
    done = command("-", "-", "-stdio", "-sgml", "-m", "exact", stdin="SCORE ||| a ||| a\n")
    assert done.stdout.startswith("1.0 1.0")
    assert done.stderr == "Warning: -stdio goes with no other mode; -sgml has no effect\n"


def test_each_line_is_answered_at_once():
    """An answer comes while standard input is still open."""
    code = "import sys; from meteorlib.cli.dropin import main; sys.exit(main(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", code, "-", "-", "-stdio", "-m", "exact"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as service:
        for word in (b"a", b"b", b"c"):
            service.stdin.write(b"SCORE ||| " + word + b" ||| " + word + b"\n")
            service.stdin.flush()
            assert service.stdout.readline().startswith(b"1.0 1.0")
        service.stdin.close()
        assert service.wait() == 0
