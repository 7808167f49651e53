"""The command prints and writes what METEOR's jar printed and wrote (recorded with tools/record_jar.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.dropin.cases import CASES, CONVERSATION

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
RECORDED = {
    record["name"]: record
    for record in map(json.loads, (GOLDEN / "dropin.jsonl").read_text(encoding="utf-8").splitlines())
}


@pytest.mark.parametrize("name", CASES)
def test_output_and_files(command, written, name):
    """Standard output and output files are the jar's byte for byte, and so are the scores of -q on standard error."""
    arguments, recorded = CASES[name], RECORDED[name]
    if "-stdio" in arguments:
        arguments = [*arguments, "-dialect", "coco"]
    done = command(*arguments, stdin=CONVERSATION)
    assert done.stdout == recorded["stdout"]
    assert written() == recorded["files"]
    assert done.status == recorded["status"] == 0
    if recorded["scores"]:
        assert done.stderr == recorded["scores"]


def test_every_case_is_recorded():
    """There is a record of every case and no other."""
    assert set(RECORDED) == set(CASES)
