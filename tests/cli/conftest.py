"""The command line, in this process and in one of its own."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from meteorlib.cli import main
from tests.conftest import START_METHOD

START = f"import multiprocessing; multiprocessing.set_start_method({START_METHOD!r}); " if START_METHOD else ""
COMMAND = [sys.executable, "-c", f"{START}from meteorlib.cli import main; main()"]


class Result(NamedTuple):
    """Outcome of a command."""

    status: int
    out: str
    err: str


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


@pytest.fixture
def run(monkeypatch, capfdbinary) -> Callable[..., Result]:
    """Arguments, bytes for standard input → how the command ends, in this process."""

    def command(*arguments, stdin=b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        status = 0
        try:
            main(list(map(str, arguments)))
        except SystemExit as end:
            status = int(end.code or 0)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Result(status, out.decode(), err.decode())

    return command


@pytest.fixture
def ok(run) -> Callable[..., Result]:
    """Arguments, bytes for standard input → how a command ends whose exit status is 0."""

    def command(*arguments, **given) -> Result:
        result = run(*arguments, **given)
        assert result.status == 0, result.err
        return result

    return command


@pytest.fixture
def printed(ok) -> Callable[..., str]:
    """Arguments, bytes for standard input → output of a command that succeeds and says nothing else."""

    def command(*arguments, **given) -> str:
        result = ok(*arguments, **given)
        assert result.err == ""
        return result.out

    return command


@pytest.fixture
def refused(run) -> Callable[..., str]:
    """Arguments, bytes for standard input → the message for a mistake: exit status 2, nothing printed, no traceback."""

    def command(*arguments, **given) -> str:
        result = run(*arguments, **given)
        assert (result.status, result.out) == (2, ""), result.err
        assert "Traceback" not in result.err
        return result.err

    return command


@pytest.fixture
def run_process() -> Callable[..., Result]:
    """Arguments, bytes for standard input → how the command ends, as users run it."""

    def command(*arguments, stdin=b"", **settings) -> Result:
        ended = subprocess.run(
            [*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=60, **settings
        )
        return Result(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return command


@pytest.fixture
def files(tmp_path, monkeypatch):
    """File name → content, written into a folder that is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**contents) -> None:
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write
