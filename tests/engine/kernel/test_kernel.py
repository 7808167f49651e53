"""Parts of the compiled kernel by themselves; `kernel.pyx` is built for that."""

from __future__ import annotations

import random
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from meteorlib.engine.implementation import load_kernel
from meteorlib.matchers.near import levenshtein
from meteorlib.resources.meteor_tables import open_paraphrases

pytestmark = [
    pytest.mark.stress,  # it takes the compiler a while
    pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel"),
]

BUILD = """
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension

source, folder = sys.argv[1:]
extension = Extension("kernel", [source], language="c++", extra_compile_args=["-O0", "-g0"])
made = cythonize([extension], build_dir=folder, quiet=True, language_level=3)
command = Distribution({"ext_modules": made}).get_command_obj("build_ext")
command.build_lib, command.build_temp = folder, folder
command.ensure_finalized()
command.run()
print(next(path for path in Path(folder).iterdir() if path.suffix in {".so", ".pyd"}))
"""

PHRASES = [("a", "b"), ("a b", "c"), ("c", "a b"), ("a b c", "b"), ("b", "a b c")]


@pytest.fixture(scope="module")
def kernel(root, tmp_path_factory):
    """The kernel's face, built without optimization."""
    pytest.importorskip("Cython", reason="the kernel is built for these tests")
    command = [sys.executable, "-c", BUILD, Path(__file__).with_name("kernel.pyx"), tmp_path_factory.mktemp("kernel")]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    spec = spec_from_file_location("kernel", ran.stdout.splitlines()[-1])
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_described_again(kernel, compiled_table):
    """Describing a segment again changes nothing: neither words nor phrases are repeated."""
    table = open_paraphrases(compiled_table(PHRASES))
    numbers = [table.word(word) for word in "a b c a b b c".split()]
    arrays = table.nodes, table.targets, table.children, table.room
    once, twice = (kernel.described(numbers, *arrays, times) for times in (1, 2))
    assert len(once["distinct"]) == 3
    assert len(once["phrases"]) > len(numbers)
    assert twice == once


def test_distances(kernel):
    """Levenshtein distances of words of any length are Python's; the sets of letters never tell more than there is."""
    draw = random.Random(1)
    for letters in ("ab", "abcdefghij", "aAÀ\u0430\u4e00\U00010400"):
        for _ in range(60):
            word, *others = ("".join(draw.choices(letters, k=int(200 ** draw.random()))) for _ in range(12))
            others += [word, word[1:] or "a", word[: len(word) // 2] + "ab" + word[len(word) // 2 :]]
            found = kernel.distances(word, others)
            assert [distance for distance, _ in found] == [levenshtein(word, other) for other in others]
            assert all(least <= distance for distance, least in found)
