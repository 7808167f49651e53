"""The table of docs/twins.md, compiled function → Python function → test, names existing ones."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "meteorlib/engine/kernel"
ROWS = [
    [re.findall(r"`([^`]+)` `([^`]+)`", cell) for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/twins.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]


def _text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def test_every_part_has_a_row():
    """The tests below find the rows; no file of the kernel that holds a rule is left out."""
    named = {file for compiled, _, _ in ROWS for file, _ in compiled}
    kernel = {path.relative_to(KERNEL).as_posix() for path in KERNEL.rglob("*.pxd") if path.stem != "__init__"}
    assert kernel - named == {
        "text/memory_blocks.pxd",
        "bits.pxd",
        "match/context.pxd",
        "count/found.pxd",
        "text/text_table.pxd",
        "text/concurrent_table.pxd",
        "system.pxd",
    }
    assert all(compiled and twin and test for compiled, twin, test in ROWS)


@pytest.mark.parametrize(("compiled", "twin", "test"), ROWS)
def test_a_row_names_what_is_there(compiled, twin, test):
    """Functions of Cython and tests are defined in the files that a row names, and Python's can be imported."""
    for file, name in compiled:
        assert re.search(rf"^ *(?:cp?)?def\b.*\b{name}\(", _text(f"meteorlib/engine/kernel/{file}"), re.MULTILINE)
    for module, name in twin:
        assert reduce(getattr, name.split("."), import_module(f"meteorlib.{module}"))
    for file, name in test:
        assert f"\ndef {name}(" in _text(file)


def test_the_kernel_is_free_of_the_interpreter():
    """Every function of the kernel runs without the GIL, except the five that acquire it themselves."""
    kernel = "".join(path.read_text("utf-8") for path in KERNEL.rglob("*.pxd"))
    heads = re.findall(r"^cdef inline .*?:\n(?= )", kernel, re.MULTILINE | re.DOTALL)
    locked = [head for head in heads if not head.endswith(" nogil:\n")]
    names = re.findall(r"(\w+)\(.*\) except -1 with gil:\n", "".join(locked))
    assert sorted(names) == ["check_cancel", "damaged_table", "leave_to_python", "no_room", "too_many_pairs"]
    assert len(locked) == 5
