"""Exit of a command that is stopped, or whose output nobody reads."""

from __future__ import annotations

import errno
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

import pytest

from meteorlib.cli import main
from meteorlib.cli.dropin import main as meteor_15
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.python import PythonEngine
from meteorlib.inputs.byte_source import MAX_HELD_BYTES
from tests.cli.conftest import COMMAND, START_METHOD

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes as POSIX has them")
THOROUGH = pytest.mark.thorough


def start(*arguments, **streams):
    """The command in a process of its own, that Ctrl-C stops even where the tests run in the background."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 – no threads here
        **streams,
    )


def is_interrupted(process):
    """Stop it and all of its processes as Ctrl-C does, and check how it ends."""
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, b"")
    assert err.decode().strip() == "meteorlib: interrupted; nothing was written"


def test_nothing_is_looked_for_at_the_end():
    """At the end of a command, Python frees no cycles of loaded data: the system reclaims all memory."""
    program = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0))\n"
        "from meteorlib.cli import main\n"
        "main(['--version'])"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines()[1:] == ["True"]


@THOROUGH
def test_interrupted_while_reading(files):
    """Ctrl-C while standard input is read: exit status 130, one message, nothing written."""
    files(ref="a\n")
    with start("score", "-", "-r", "ref", stdin=subprocess.PIPE) as process:
        process.stdin.write(b"a\n" * 1_000_000)  # more than a pipe holds: this ends when most of it has been read
        is_interrupted(process)


@pytest.fixture
def scoring(files):
    """The number of segments, the number of jobs → a process in the middle of scoring them."""

    @contextmanager
    def begin(count, jobs):
        draw = random.Random(7)
        lines = "".join(" ".join(draw.choices("abcdefghij", k=60)) + "\n" for _ in range(count))
        files(hyp=f"\r{lines}", ref=lines[::-1].strip() + "\n")  # a note on the CR comes just before the scoring
        with start("score", "hyp", "-r", "ref", "--segments", "--format", "tsv", "--jobs", jobs) as process:
            assert process.stderr.readline().startswith(b"note: ")
            time.sleep(0.5)
            yield process

    return begin


@pytest.mark.parametrize(
    ("count", "jobs"),
    [pytest.param(30_000, "1", marks=THOROUGH), pytest.param(30_000, "2", marks=THOROUGH), (400, "2")],
)
def test_interrupted_while_scoring(scoring, count, jobs):
    """Ctrl-C while segments are scored: nothing of them is written, whoever waits for work or has some."""
    with scoring(count, jobs) as process:
        is_interrupted(process)


@THOROUGH
def test_killed_while_scoring(scoring):
    """A killed command leaves nothing: its worker processes end with it, and with its pipes."""
    with scoring(30_000, "2") as process:
        process.kill()
        printed, said = process.communicate(timeout=60)
        assert printed == b""
        assert said == b"" or START_METHOD == "spawn"  # where Python itself counts what a killed process left


@pytest.mark.parametrize("form", ["text", *(pytest.param(form, marks=THOROUGH) for form in ("json", "tsv"))])
def test_reader_has_gone(files, form):
    """``| head -1`` takes one line; the rest has nowhere to go, which is no error message."""
    files(hyp="a b c\n" * 4000, ref="a b d\n" * 4000)
    with start("score", "hyp", "-r", "ref", "--segments", "--format", form, "--preset", "meteor-2005-exact") as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) in (0, 1)


def test_reader_has_gone_on_windows():
    """There a closed pipe is an invalid argument, which is no error message either; of a file, it is one."""
    script = """
import errno, sys
from meteorlib.cli import streams

streams.ON_WINDOWS = True

def fail():
    raise OSError(errno.EINVAL, "Invalid argument", *sys.argv[1:])

sys.exit(streams.run_to_end("meteorlib", fail))
"""
    for file, said in ([], b""), (["a?b"], b"meteorlib: a?b: Invalid argument\n"):
        done = subprocess.run([sys.executable, "-c", script, *file], capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.replace(b"\r", b"")) == (1 + len(file), b"", said)


@pytest.mark.parametrize(
    "command",
    [["presets", "list"], *(pytest.param(one, marks=THOROUGH) for one in (["presets", "show", "nltk"], ["--version"]))],
)
def test_reader_was_never_there(command):
    """Short output that nobody reads is no error message either."""
    with start(*command) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_full_disk(files):
    """Output that cannot be written is one message and exit status 2."""
    files(hyp="a\n", ref="a\n")
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [*COMMAND, "score", "hyp", "-r", "ref", "--preset", "meteor-2005"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    message = f"meteorlib: standard output: {os.strerror(errno.ENOSPC)}; make room there, then run the command again\n"
    assert (ended.returncode, ended.stderr.decode()) == (2, message)


FULL = "meteorlib: {}: File too large; make room there, then run the command again\n"
TEMPORARY = "temporary files in {} (TMPDIR names another folder)"


@THOROUGH
@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("meteorlib score - -r big -p nltk", TEMPORARY),
        ("meteorlib sgmlize --to-text big.sgm", "s.y.tst"),
        ("meteorlib universal filter table out.gz big", "out.gz"),
        ("meteorlib universal build out --foreign big --target big --phrase-table rows", "out/work/parex.raw.gz"),
        ("meteor-1.5 big big -m exact -q -writeAlignments -f x", "x-align.out"),
    ],
)
def test_no_room_in_a_file(files, tmp_path, unmeasured, command, place):
    """If there is no room for more, the message names the file or the folder; nothing is left half written."""
    import resource

    lines = [" ".join(f"w{number}x{word}" for word in range(5)) for number in range(4000)]
    text = "".join(f"{line}\n" for line in lines)
    segments = "".join(f"<seg id={number}>{line}</seg>\n" for number, line in enumerate(lines, 1))
    sgml = f'<tstset setid="s" srclang="any" trglang="en">\n<doc docid="d" sysid="y">\n{segments}</doc>\n</tstset>\n'
    rows = "".join(f"f{number // 10} ||| w{number}x0 ||| 0.{number % 7 + 1} 1 0.1 1\n" for number in range(4000))
    files(big=text, rows=rows, table="".join(f"0.5\n{line}\nx\n" for line in lines), **{"big.sgm": sgml})

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    program, *arguments = command.split()
    module = {"meteorlib": "meteorlib.cli", "meteor-1.5": "meteorlib.cli.dropin"}[program]
    before = set(os.listdir())
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; from {module} import main; sys.exit(main())", *arguments],
        input=text * (MAX_HELD_BYTES // len(text) + 1),  # more than is held in memory
        env=unmeasured | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True, preexec_fn=no_room,
    )  # fmt: skip
    message = FULL.format(place.format(tmp_path)).replace("meteorlib", program, 1)
    assert (done.returncode, done.stderr[-len(message) :]) == (2, message)
    assert set(os.listdir()) - before <= {"out"}


def test_no_room_for_what_is_listed(files, monkeypatch, capsys):
    """The temporary file in which listed segments wait is named by its folder."""

    class Full(io.StringIO):
        def writelines(self, _lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files(hyp="a\n", ref="a\n")
    monkeypatch.setattr("meteorlib.reports.system_scoring._line_file", Full)
    with pytest.raises(SystemExit) as ended:
        main(["score", "hyp", "-r", "ref", "--segments", "-p", "nltk"])
    assert ended.value.code == 2
    assert TEMPORARY.format(tempfile.gettempdir()) in capsys.readouterr().err


@pytest.mark.parametrize(("closed", "hypotheses"), [pytest.param("<&-", "-", marks=THOROUGH), (">&-", "hyp")])
def test_closed_streams(files, closed, hypotheses):
    """Standard input or output that is closed is a message, not a traceback."""
    files(hyp="a\n", ref="a\n")
    script = f'"$@" {closed}'
    ended = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "score", hypotheses, "-r", "ref", "--preset", "meteor-2005"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert b"Traceback" not in ended.stderr
    assert ended.stderr.startswith(b"meteorlib: ")


CLOSED = "standard input is closed: there is nothing to read"


def test_standard_input_is_closed(monkeypatch, capsys):
    """Without a standard input (``<&-``), a command that reads it reports this."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        main(["stem", "en"])
    assert (ended.value.code, capsys.readouterr()) == (2, ("", f"meteorlib: {CLOSED}\n"))
    assert meteor_15(["-", "-", "-stdio", "-m", "exact"]) == 2
    assert capsys.readouterr() == ("", f"meteor-1.5: {CLOSED}\n")


def test_standard_output_is_closed(monkeypatch, capsys):
    """Without a standard output (``>&-``) nothing is scored."""
    monkeypatch.setattr(sys, "stdout", None)
    assert meteor_15(["hyp", "ref"]) == 2
    assert capsys.readouterr().err == "meteor-1.5: standard output is closed: there is nowhere to write\n"


def test_not_enough_memory(files, monkeypatch, capsys):
    """A line that memory does not hold ends with one message."""

    def score(*_):
        raise MemoryError

    files(hyp="a\n", ref="a\n")
    monkeypatch.setattr(CompiledEngine, "totals", score)
    monkeypatch.setattr(PythonEngine, "totals", score)
    with pytest.raises(SystemExit) as ended:
        main(["score", "hyp", "-r", "ref", "--preset", "meteor-2005-exact"])
    message = "meteorlib: not enough memory; is each line one segment?\n"
    assert (ended.value.code, capsys.readouterr()) == (2, ("", message))
