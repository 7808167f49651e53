"""The phrases of a text and their numbers; arrays in files: what they hold, and a disk that is full."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.universal.phrases import Numbering, Phrases, number_words, write_array, zeros_on_disk

LINES = st.lists(st.lists(st.sampled_from("abc"), max_size=10), max_size=6)


@given(LINES, st.lists(st.lists(st.sampled_from("abcd"), max_size=9), max_size=30))
def test_phrases(lines, asked):
    """A phrase occurs if its words are adjacent in one line, however long it is; the empty phrase occurs everywhere."""
    phrases = Phrases(lines)
    asked += [line[begin:end] for line in lines for begin in range(3) for end in range(begin, len(line) + 1)]
    for phrase in asked:
        expected = any(f" {' '.join(phrase)} " in f" {' '.join(line)} " for line in lines)
        assert (phrase in phrases) == (expected or not phrase)


@given(LINES)
def test_numbers(tmp_path_factory, lines):
    """Phrases of up to seven words have the same number if they are the same, and their number gives them back."""
    words, text, lengths = number_words(lines)
    assert lengths.tolist() == [len(line) for line in lines]
    numbering = Numbering(words, text, tmp_path_factory.mktemp("numbers"), lambda *_: None)
    place, found = 0, {}
    for line in lines:
        for begin in range(len(line)):
            for length in range(1, min(7, len(line) - begin) + 1):
                number = int(numbering.at(np.array([place + begin]), np.array([length]))[0])
                phrase = " ".join(line[begin : begin + length])
                assert numbering.phrase(number) == phrase
                assert found.setdefault(number, phrase) == phrase
        place += len(line) + 1
    assert len(found) == len(set(found.values())) == len(numbering)
    has_a = numbering.flagged(np.array([word == "a" for word in words], dtype=bool), np.logical_or)
    assert {found[int(number)] for number in np.flatnonzero(has_a)} == {name for name in found.values() if "a" in name}


def test_phrases_of_a_part(tmp_path):
    """The words of the text from any position on are known."""
    words, text, _ = number_words(["a b".split(), "b c a".split()])
    numbering = Numbering(words, text, tmp_path, lambda *_: None)
    within = {numbering.phrase(int(number)) for number in np.flatnonzero(numbering.within(3))}
    assert within == {"b", "c", "a", "b c", "c a", "b c a"}


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_read_again(tmp_path, kind, count):
    """An array is read as it was written."""
    numbers = np.arange(count, dtype=kind)
    mapped = write_array(numbers[::-1], tmp_path / "numbers")
    assert mapped.dtype == kind
    assert mapped.tolist() == numbers[::-1].tolist()


@pytest.mark.parametrize("count", [1, 1000, 300_000])
def test_zeros(tmp_path, count):
    """Zeros can be changed."""
    zeros = zeros_on_disk(count, tmp_path / "zeros")
    assert not zeros.any()
    zeros[-1] = 7
    assert (int(zeros.sum()), int(zeros[-1])) == (7, 7)


SMALL_DISK = """
from pathlib import Path
import numpy as np
from meteorlib.universal.phrases import write_array, zeros_on_disk
try:
    {call}[:] = 1
except OSError as error:
    print(error.errno)
"""


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs Linux")
@pytest.mark.parametrize(
    "call", ["write_array(np.arange(99_999), Path('numbers'))", "zeros_on_disk(99_999, Path('numbers'))"]
)
def test_full_disk(tmp_path, unmeasured, call):
    """A full disk is an error that says so, and does not kill the process."""
    mount = 'mount -t tmpfs -o size=64k tmpfs . && cd "$PWD" && '
    if subprocess.run(["unshare", "-rm", "sh", "-c", f"{mount} true"], cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    command = ["unshare", "-rm", "sh", "-c", f'{mount} "$@"', "sh", sys.executable, "-c", SMALL_DISK.format(call=call)]
    done = subprocess.run(command, env=unmeasured, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{errno.ENOSPC}\n", "")
