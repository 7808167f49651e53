"""Stanford's PTBTokenizer itself: the same tokens of captions, recorded cases, random lines and whole files."""

from __future__ import annotations

import gzip
import json
import random
import subprocess

import pytest

from meteorlib.text.ptb import PTB, ptb_tokens, without_punctuation
from tests.text.test_ptb import CASES

pytestmark = pytest.mark.oracle

FRAGMENTS = [part for line, _ in CASES for part in line.split(" ")] + [" ", "  ", "\u00a0", "The ", "J. ", "no. "] * 20


@pytest.fixture
def program(oracles, tmp_path):
    """Text of a file → the lines that the program makes of it."""

    def run(text):
        path = tmp_path / "text"
        path.write_bytes(text.encode())
        command = ["java", "-Xmx300m", "-cp", oracles / "stanford-corenlp-3.4.1.jar"]
        command += ["edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase", path]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\n")

    return run


@pytest.fixture
def alone(program):
    """Lines → what the program makes of each before a line that begins in lowercase."""

    def run(lines):
        found = program("".join(f"{line}\nzz\n" for line in lines))
        assert found[1::2] == ["zz"] * len(lines)
        return found[:-1:2]

    return run


def captions_of(path):
    """The different captions of a file, references among them."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for item in map(json.loads, lines):
            yield from item["references"]
            yield from (judged["hypothesis"] for judged in item.get("judgements", [item]))


def random_lines(seed, count):
    """Lines of fragments that the rules treat."""
    chance = random.Random(seed)
    return ["".join(chance.choices(FRAGMENTS, k=chance.randint(1, 9))) for _ in range(count)]


def test_recorded_cases(alone):
    """The golden file holds what the program says."""
    assert alone([line for line, _ in CASES]) == [tokens for _, tokens in CASES]


def test_flickr8k(alone, shared):
    """All captions of Flickr8k, each by itself."""
    folder = shared / "data" / "judgements" / "caption"
    captions = sorted({caption for path in folder.glob("*.gz") for caption in captions_of(path)})
    assert len(captions) == 4993
    assert [" ".join(ptb_tokens(caption)) for caption in captions] == alone(captions)


def test_random_lines(alone):
    """Random lines: at most 1 in 1,000 may differ."""
    lines = random_lines(1, 20_000)
    different = sum(" ".join(ptb_tokens(line)) != found for line, found in zip(lines, alone(lines), strict=True))
    assert different <= len(lines) / 1000


def test_whole_files(program):
    """Lines one after the other, which depend on each other, and the end of the file."""
    lines = random_lines(2, 10_000)
    found = [without_punctuation(iter(line.split(" "))) for line in program("\n".join(lines))]
    found = [[word for word in words if word] for words in found]
    different = sum(words != other for words, other in zip(PTB().file_words(lines), found, strict=True))
    assert different <= len(lines) / 1000


@pytest.mark.parametrize(
    "last", ["Corp.", "Corp. x", "it's", "in '90", ":)", "no.", "J.", "J. The", "foo.py", "'a", "'ab"]
)
def test_the_end_of_a_file(program, last):
    """The last caption has no line after it."""
    lines = ["a dog", last]
    found = [without_punctuation(iter(line.split(" "))) for line in program("\n".join(lines))]
    assert list(PTB().file_words(lines)) == found
