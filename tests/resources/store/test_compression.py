"""Compressed text is recognized by content and unpacked in constant memory; damage is reported."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InvalidText
from meteorlib.inputs.text_file import TextFile
from meteorlib.resources.store.compression import BLOCK, decompressed_blocks, open_decompressed

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
