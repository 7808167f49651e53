"""Examples of docs/coming-from.md print what they show, if the framework is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^<!-- framework: (\w+) -->\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize(
    "framework",
    ["sacrebleu", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("evaluate", "torchmetrics"))],
)
def test_block_of_a_framework(framework, tmp_path):
    """A block marked with its framework gives the output shown, offline, in an empty home folder."""
    if find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    block = tmp_path / f"{framework}.txt"
    block.write_text(BLOCKS[framework], encoding="utf-8")
    own = {"HF_HOME": str(tmp_path), "HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", str(block)],
        env={**os.environ, **own},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_block_is_known():
    """No block is marked with a framework that the test above does not run."""
    assert set(BLOCKS) == {"evaluate", "sacrebleu", "torchmetrics"}
