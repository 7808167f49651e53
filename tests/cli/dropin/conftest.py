"""The command run in this process, with streams of its own, in a folder that holds the inputs of the cases."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from meteorlib.cli.dropin import main
from tests.cli.dropin.cases import INPUTS


class Done(NamedTuple):
    """Files and output left by a run."""

    status: int
    stdout: str
    stderr: str


@pytest.fixture
def folder(tmp_path, cache, monkeypatch):
    """The working folder, with the inputs; compiled tables go into it as well."""
    for name, content in INPUTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(folder, monkeypatch):
    """Runs ``meteor-1.5`` with arguments and a standard input."""

    def run(*arguments, stdin: str | bytes = b""):
        given = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = main(arguments)
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return Done(status, *texts)

    return run


@pytest.fixture
def written(folder):
    """The files ``out-…`` of the run before, by name."""

    def read():
        return {path.name: path.read_bytes().decode() for path in sorted(Path(folder).glob("out-*"))}

    return read
