"""Compressed text is recognized by content and unpacked in constant memory; damage is reported."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InvalidText, ResourceDamaged
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store import compression
from meteorlib.resources.store.compression import BLOCK, SourceFile, decompressed_blocks, open_decompressed

try:
    from compression import zstd
except ImportError:
    zstd = pytest.importorskip("backports.zstd")

FORMS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda content: zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1}),
}
TEXT = "".join(f"{number} café\n" for number in range(40_000)).encode()

packed = pytest.mark.parametrize("pack", FORMS.values(), ids=FORMS)


def whole(content):
    """Complete contents of a source."""
    return b"".join(decompressed_blocks(io.BytesIO(content), "file"))


@packed
@pytest.mark.parametrize("name", ["text", "text.en.gz", "text.bz2", "text.xz"])
def test_by_content(tmp_path, pack, name):
    """A file of any name is unpacked if its content is compressed, and otherwise read as it is."""
    path = tmp_path / name
    path.write_bytes(pack(b"a\nb\r\n"))
    assert list(TextFile.open(str(path)).lines()) == ["a", "b"]
    path.write_bytes(b"a\nb\r\n")
    assert list(TextFile.open(str(path)).lines()) == ["a", "b"]


@given(st.binary(max_size=30), st.sampled_from(["none", *FORMS]), st.integers(1, 7))
def test_any_content(content, form, block):
    """Compressed content is restored, for any content and any block boundary; plain text is unchanged."""
    pack = FORMS.get(form, bytes)
    if form == "none":
        content = b"text" + content
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("meteorlib.resources.store.compression.BLOCK", block)
        assert whole(pack(content)) == content


@packed
def test_blocks(pack):
    """Blocks stay small, whatever they are unpacked from."""
    blocks = list(decompressed_blocks(io.BytesIO(pack(TEXT)), "file"))
    assert b"".join(blocks) == TEXT
    assert max(map(len, blocks)) <= BLOCK


@packed
def test_several(pack):
    """Compressed files one after the other are one text, with NUL for padding; so is nothing at all."""
    assert whole(pack(b"a\n") + pack(b"") + pack(b"b\n") + bytes(8)) == b"a\nb\n"
    assert whole(pack(b"")) == b""


@pytest.mark.parametrize("text", [b"", b"B", b"BZ", b"BZh", b"BZh9", b"BZh9 is bzip2", b"P\n", b"7z", b"\x1f"])
def test_texts_that_begin_alike(text):
    """Text that only begins like compressed data is text."""
    assert whole(text) == text


@packed
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-20],
        lambda content: content[: len(content) // 2],
        lambda content: content[:11],
        lambda content: content + b"more",
        lambda content: content[: len(content) // 2] + b"\xff" * 40 + content[len(content) // 2 + 40 :],
        lambda content: content[:-12] + bytes(byte ^ 255 for byte in content[-12:]),
    ],
    ids=["end cut off", "half", "head", "something behind", "middle", "checksum"],
)
def test_damaged(tmp_path, pack, damage):
    """Compressed data that are cut off, damaged or followed by others are an error; nothing is left out in silence."""
    path = tmp_path / "text"
    path.write_bytes(damage(pack(TEXT)))
    with pytest.raises(InvalidText) as caught:
        TextFile.open(str(path)).count  # noqa: B018 – the property raises
    # bzip2 tells by its checksum, behind the damaged text
    assert str(caught.value).startswith((f"{path}: cannot be read to its end: ", f"{path}:1: byte 0xA9 at offset 2 is"))


@pytest.mark.parametrize(("magic", "kind"), [(b"PK\x03\x04", "a zip archive"), (b"7z\xbc\xaf\x27\x1c", "a 7z archive")])
def test_other_forms(magic, kind):
    """Other compressed forms are named, not taken for bad text."""
    with pytest.raises(InvalidText) as caught:
        whole(magic + bytes(20))
    assert str(caught.value) == (f"file: is {kind}, which is not read (gzip, bzip2, xz and zstd are); unpack it first")


@packed
def test_stream(pack):
    """As a stream it can be read as text, in pieces of any size."""
    stream = open_decompressed(io.BytesIO(pack(TEXT)), "file")
    assert stream.read(3) == TEXT[:3]
    assert io.TextIOWrapper(stream, "utf-8", newline="\n").read() == TEXT[3:].decode()


def test_pipe():
    """A pipe is read only as far as data are available: an answer can come before the next line."""
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb", buffering=0) as sink:
        blocks = decompressed_blocks(source, "file")
        sink.write(b"a\n")
        assert next(blocks) == b"a\n"
        sink.write(b"b\n")
        assert next(blocks) == b"b\n"


@packed
def test_memory(pack):
    """24 MB out of a few kilobytes are read in constant memory, of which xz takes 8 MB for itself."""
    content = pack(b"a b c d\n" * 15_000) * 200
    tracemalloc.start()
    lines = sum(block.count(b"\n") for block in decompressed_blocks(io.BytesIO(content), "file"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == 3_000_000
    assert peak < 10_000_000


def test_zstd_that_is_not_installed(monkeypatch):
    """If nothing unpacks zstd, the extra that does is named."""
    for name in ("compression", "compression.zstd", "backports", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InvalidText) as caught:
        whole(zstd.compress(b"a"))
    assert str(caught.value).startswith("file: is compressed with zstd, and backports")
    assert str(caught.value).endswith(" is not installed: run  pip install 'meteorlib[zstd]'")


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
    monkeypatch.setattr(compression, "MAX_TEXT_BYTES", 1000)
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
