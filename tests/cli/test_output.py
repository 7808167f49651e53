"""Outputs of commands, in every format, are as ``python -m tools.record_golden`` recorded them."""

from __future__ import annotations

import pytest

from tools.record_golden import GOLDEN, OUTPUTS, printed, write_inputs

SLOW = ("report", "meta-eval", "tune", "verify", "score-two", "score-runs")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the commands read."""
    folder = tmp_path_factory.mktemp("output")
    write_inputs(folder)
    return folder


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name.startswith(SLOW) else name for name in OUTPUTS]
)
def test_output(name, folder):
    """Every line, digit and space; if a change is meant, record it, and read the difference."""
    if "bleu" in OUTPUTS[name]:
        pytest.importorskip("sacrebleu")
    assert printed(OUTPUTS[name], folder) == (GOLDEN / "output" / name).read_text(encoding="utf-8")


def test_recorded():
    """There is no golden file that nothing compares."""
    assert {file.name for file in (GOLDEN / "output").iterdir()} == {*OUTPUTS}
