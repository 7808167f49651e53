"""Lines of sources: within bounds, whatever the file holds."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib

import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.store import source_file
from meteorlib.resources.store.source_file import SourceFile


def lines_of(path):
    return list(SourceFile(path, "synonyms-xx").lines())


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_lines(tmp_path, compress):
    """Lines have their numbers, and neither LF nor CR LF; compression is known by its first bytes, not by the name."""
    path = tmp_path / "file"
    path.write_bytes(compress(b"UTF-8\r\n\nlast\xff"))
    assert lines_of(path) == [(1, b"UTF-8"), (2, b""), (3, b"last\xff")]


def test_a_line_without_end(tmp_path):
    """A file of gigabytes without a line's end is refused at the first megabyte; none of it is on the disk."""
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(4 << 30)
    with pytest.raises(
        ResourceDamaged, match=r"file, line 1: the line has more than 1,048,576 bytes; get the file anew"
    ):
        lines_of(path)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_too_large(tmp_path, monkeypatch, packed):
    """The bytes are counted when they are unpacked, so that a small file cannot become a large one."""
    monkeypatch.setattr(source_file, "MAX_TEXT_BYTES", 1000)
    data = b"word\n" * 201
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(data) if packed else data)
    with pytest.raises(ResourceDamaged, match="line 201: the file has more than 1,000 bytes of text"):
        lines_of(path)


@pytest.mark.parametrize("spoil", [lambda data: data[:-12], lambda data: data[:30] + bytes(20) + data[50:]])
def test_damaged_gzip(tmp_path, spoil):
    """Gzip that is cut short or changed is an error with the line."""
    path = tmp_path / "file.gz"
    path.write_bytes(spoil(gzip.compress(b"".join(b"%d\n" % zlib.crc32(b"%d" % number) for number in range(500)))))
    with pytest.raises(ResourceDamaged, match=r"line \d+: cannot be read to its end"):
        lines_of(path)


def test_progress(tmp_path):
    """The share that is read grows to no more than 1."""
    path, told = tmp_path / "file", []
    path.write_bytes(b"a\n" * 10_000)
    list(SourceFile(path, "x", told.append).lines())
    assert 0 < told[0] <= told[-1] <= 1
