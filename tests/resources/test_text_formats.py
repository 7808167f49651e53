"""Files of word vectors: every format gives the same rows, and errors of broken ones say where."""

from __future__ import annotations

import gzip
import struct

import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources import vector_files
from meteorlib.resources.vector_files import VectorFile

ROWS = [("cat", [0.5, -1.25, 3.0]), ("café", [1e-8, 0.0, -2.5]), ("кошка", [1.0, 2.0, 4.0])]

TEXT = "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in ROWS).encode()


def _binary(end=b""):
    return b"3 3\n" + b"".join(word.encode() + b" " + struct.pack("<3f", *numbers) + end for word, numbers in ROWS)


def _rows(path):
    return [(number, word, list(vector)) for number, word, vector in VectorFile(path, "vectors-xx").rows()]


def _refused(path):
    with pytest.raises(ResourceDamaged) as caught:
        _rows(path)
    assert str(path) in str(caught.value)
    return caught.value.reason.removeprefix(f"{path}, ")


FORMATS = {
    "word2vec, text": b"3 3\n" + TEXT,
    "with a blank at each end, as word2vec writes it": b"3 3\n" + TEXT.replace(b"\n", b" \n"),
    "with tabs and CR LF": b"3\t3\r\n" + TEXT.replace(b" ", b"\t").replace(b"\n", b"\r\n"),
    "without a last line end": b"3 3\n" + TEXT[:-1],
    "GloVe, without a first line": TEXT,
    "word2vec, binary": _binary(),
    "with a line end behind each vector": _binary(b"\n"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("data", FORMATS.values(), ids=FORMATS)
def test_formats(tmp_path, data, packed):
    """Text and binary, packed or not, are the same words and the same numbers of single precision."""
    path = tmp_path / "vectors"
    path.write_bytes(gzip.compress(data) if packed else data)
    single = [(word, list(struct.unpack("<3f", struct.pack("<3f", *numbers)))) for word, numbers in ROWS]
    assert _rows(path) == [(number, *row) for number, row in enumerate(single, 1)]


def test_binary_longer_than_what_is_read_at_once(tmp_path):
    """Binary vectors are read in blocks; where a block ends does not matter."""
    words = [f"{'x' * (7 * number % 31)}{number}" for number in range(600)]
    numbers = [struct.pack("<1000f", *range(number, number + 1000)) for number in range(len(words))]
    data = b"".join(word.encode() + b" " + vector for word, vector in zip(words, numbers, strict=True))
    assert len(data) > 2 * vector_files._READ_SIZE
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"600 1000\n" + data)
    assert _rows(path) == [(number + 1, word, [*range(number, number + 1000)]) for number, word in enumerate(words)]


def test_a_word_with_blanks(tmp_path):
    """A word may hold blanks, as some of GloVe's do; but not end in a number, which would be one too many."""
    path = tmp_path / "vectors"
    path.write_bytes(b"2 2\n. . . 1 2\na 3 4\n")
    assert [word for _, word, _ in _rows(path)] == [". . .", "a"]


BROKEN = {
    "a number too few": (b"2 3\na 1 2 3\nb 1 2\n", "line 3: 2 numbers, where 3 are expected"),
    "a number too many": (b"2 3\na 1 2 3\nb 1 2 3 4\n", "line 3: 4 numbers, where 3 are expected"),
    "without a first line": (b"a 1 2 3\nb 1 2\n", "line 2: 2 numbers, where 3 are expected"),
    "an empty line": (b"a 1 2 3\n\nb 1 2 3\n", "line 2: 0 numbers, where 3 are expected"),
    "no number": (b"2 3\na 1 2 3\nb 1 x 3\n", "line 3: 'x' is no number"),
    "no number of a file": (b"1 3\na 1 2_0 3\n", "line 2: '2_0' is no number"),
    "nan": (b"2 3\na 1 2 3\nb 1 nan 3\n", "line 3: number 2 of its vector is nan"),
    "infinity": (b"1 3\na 1 2 -inf\n", "line 2: number 3 of its vector is -inf"),
    "too large": (b"1 2\na 1e39 1\n", "line 2: number 1 of its vector is inf: none, or too large"),
    "too few words": (b"3 2\na 1 2\nb 3 4\n", "line 1: it says 3 words of 2 numbers; the file has 2 words"),
    "too many words": (b"1 2\na 1 2\nb 3 4\n", "line 1: it says 1 words of 2 numbers; the file has 2 words"),
    "no word": (b"0 3\n", "line 1: it says 0 words of 3 numbers; there may be"),
    "no width": (b"3 0\n", "line 1: it says 3 words of 0 numbers; there may be"),
    "too much": (b"99999999999 300\n", "line 1: it says 99,999,999,999 words of 300 numbers; there may be"),
    "nothing": (b"", "line 1: a word and its numbers are expected, found b''"),
    "words alone": (b"a\nb\n", "line 1: a word and its numbers are expected"),
    "no utf-8": (b"1 2\n\xe9t\xe9 1 2\n", "line 2: byte 0 of the word"),
    "no word in front": (b"\xc2\xa0 1 2\n\x00 1 2\n", "line 2: a word is expected"),
    "a line without end": (b"1 2\n" + b"a" * 5000, "line 2: the line has more than 1,104 bytes"),
    "binary that ends": (_binary()[:-1], "word 3 of 3: the file ends before its last number"),
    "binary with more": (_binary() + b"more", "word 3 of 3: there is more text after its last number"),
    "binary with nan": (b"1 1\na \x00\x00\xc0\x7f", "word 1 of 1: number 1 of its vector is nan"),
    "binary without blanks": (b"9 1\n\x00" + b"a" * 2000, "word 1 of 9: it has more than 1,024 bytes"),
}


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken(tmp_path, data, reason):
    """Damaged files are refused with the line, or the word of a binary file, and the reason."""
    path = tmp_path / "vectors"
    path.write_bytes(data)
    assert _refused(path).startswith(reason)


@pytest.mark.parametrize(
    ("begin", "told"),
    [
        (b"\x80\x04\x95\0", "a Python pickle, which can run any code when it is loaded; if gensim saved it"),
        (b"\x93NUMPY\x01\0", "a NumPy array, without words; name gensim's file"),
        (b"PK\x03\x04\x14\0\0\0", "a zip archive; unpack it"),
    ],
)
def test_files_that_are_not_read(tmp_path, begin, told):
    """Other files of vectors are known by how they begin, and it is said what to do."""
    path = tmp_path / "vectors"
    path.write_bytes(begin)
    with pytest.raises(ResourceDamaged) as caught:
        _rows(path)
    assert str(caught.value).startswith(f"resource 'vectors-xx' cannot be used: {path} is {told}")


def test_too_many_words(tmp_path, monkeypatch):
    """Without a first line, too, words that would fill the memory are refused before they do."""
    monkeypatch.setattr(vector_files, "MAX_WORDS", 1)
    path = tmp_path / "vectors"
    path.write_bytes(b"a 1\nb 1\n")
    assert _refused(path) == "line 2: there are more than 1 words"


def test_damaged_gzip(tmp_path):
    """Gzip that breaks off is refused."""
    path = tmp_path / "vectors.gz"
    path.write_bytes(gzip.compress(b"3 3\n" + TEXT)[:-9])
    assert "cannot be read to its end" in _refused(path)
