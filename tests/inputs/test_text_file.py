"""Files of segments: line ends, compression, and everything that is wrong with them, with its place."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import subprocess
import sys
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs import byte_source
from meteorlib.inputs.text_file import TextFile, check_same_length


@pytest.fixture
def write(tmp_path):
    """Bytes, file name → the file."""

    def make(content, name="text.en", **rule):
        path = tmp_path / name
        path.write_bytes(content)
        return TextFile.open(str(path), **rule)

    return make


LINES = {
    b"": [],
    b"\n": [""],
    b"a": ["a"],
    b"a\n": ["a"],
    b"a\nb": ["a", "b"],
    b"a\r\nb\r\n": ["a", "b"],
    b"a\rb\r": ["a\rb\r"],
    b"a\rb": ["a\rb"],
    b"a\r\r\nb\n\rc": ["a\r", "b", "\rc"],
    b"a\n\n": ["a", ""],
    b"\n\na": ["", "", "a"],
    b"a\n\n\nb\n": ["a", "", "", "b"],
    b" a \t\n": [" a \t"],
    "a\u2028b\u0085c\vd\fe\x1cf\n".encode(): ["a\u2028b\u0085c\vd\fe\x1cf"],
    "\ufeffa\nb\n".encode(): ["a", "b"],
    "\ufeff\na".encode(): ["", "a"],
    "\ufeff".encode(): [],
    "a\n\ufeffb".encode(): ["a", "\ufeffb"],
    "\ufeff\ufeffa".encode(): ["\ufeffa"],
    "é\n日本\n😀".encode(): ["é", "日本", "😀"],
}


@pytest.mark.parametrize(("content", "lines"), LINES.items(), ids=map(repr, LINES))
def test_lines(write, content, lines):
    """LF and CRLF end a line, nothing else does; the last line needs no end; empty lines are segments."""
    file = write(content)
    assert (list(file.lines()), file.count) == (lines, len(lines))


METEORS_LINES = {
    b"a\rb\r": ["a", "b"],
    b"a\rb": ["a", "b"],
    b"a\r\r\nb\n\rc": ["a", "", "b", "", "c"],
    "a\u2028b\u0085c\vd\fe\x1cf\n".encode(): ["a\u2028b\u0085c\vd\fe\x1cf"],
}


@pytest.mark.parametrize(("content", "lines"), METEORS_LINES.items(), ids=map(repr, METEORS_LINES))
def test_lines_of_the_program(write, content, lines):
    """By METEOR 1.5's rule a lone CR ends a line, too."""
    file = write(content, carriage_return_ends=True)
    assert (list(file.lines()), file.count, file.line_counts.carriage_returns) == (lines, len(lines), 0)


@pytest.mark.parametrize(
    ("content", "count", "first"),
    [
        (b"a\r\nb\r\n", 0, 0),
        (b"a\r", 1, 1),
        (b"a\nb\rc\r\nd\re\rf", 3, 2),
        (b"a\n\r\r\n\r", 2, 2),
        (b"x\r\n" * 50_000 + b"a\rb\n" * 2, 2, 50_001),
    ],
)
def test_carriage_returns(write, content, count, first):
    """Lone CR are counted, and the line of the first is reported, wherever a block of the file ends."""
    line_counts = write(content).line_counts
    assert (line_counts.carriage_returns, line_counts.first) == (count, first)


@given(st.text(alphabet="a\n\ré", max_size=12), st.integers(1, 5), st.booleans())
def test_count_is_the_number_of_lines(tmp_path_factory, text, block, carriage_return_ends):
    """The counted lines are the lines read, for any mixture of line ends and any block boundary."""
    path = tmp_path_factory.mktemp("lines") / "text"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("meteorlib.resources.store.compression.BLOCK", block)
        file = TextFile.open(str(path), carriage_return_ends=carriage_return_ends)
        lines = list(file.lines())
        text = text.replace("\r\n", "\n")
        lone = text.count("\r")
        if carriage_return_ends:
            text, lone = text.replace("\r", "\n"), 0
        assert lines == text.removesuffix("\n").split("\n")[: file.count]
        assert file.line_counts.carriage_returns == lone
        assert file.count == len(lines)


@pytest.mark.parametrize(
    ("content", "refused"),
    [
        (b"a\rb", True),
        (b"a\rb\r", True),
        (b"\r\r", True),
        (b"a\r", False),
        (b"a\rb\n", False),
        (b"a\r\nb\rc", False),
        (b"", False),
    ],
)
def test_classic_line_ends(write, content, refused):
    """Lines that end in CR alone are refused where CR ends no line: they would be one segment."""
    file, program = write(content, "a b"), write(content, "a b", carriage_return_ends=True)
    program.check_line_ends()
    if not refused:
        file.check_line_ends()
        return
    with pytest.raises(InvalidText) as caught:
        file.check_line_ends()
    command = f"tr '\\r' '\\n' < '{file.name}' > '{file.name}.new'"
    assert str(caught.value) == f"{file.name}: its lines end only in CR; convert it: {command}"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("content", "mended"),
    [
        (b"a\nb\n\n", ["a", "b"]),
        (b"a\nb\n\n \n\n", ["a", "b"]),
        (b"a\rb", ["a", "b"]),
        (b"a\rb\n", ["a", "b"]),
        (b"caf\xe9\n\x93b\x94\n", ["café", "“b”"]),
        ("a\né\n".encode("utf-16"), ["a", "é"]),
    ],
)
def test_command_mends(write, content, mended):
    """The command in a message makes a file of it that has the lines that were meant."""
    other, file = write(b"a\nb\n", "other"), write(content, "it's")
    with pytest.raises((InputMismatch, InvalidText)) as caught:
        check_same_length([other, file])
    subprocess.run(["sh", "-c", str(caught.value).rpartition(": ")[2]], check=True)
    assert [*TextFile.open(f"{file.name}.new").lines()] == mended


def test_byte_order_mark(write):
    """A byte order mark is dropped, packed or not, unless it is to be kept (METEOR's rule); offsets count its bytes."""
    marked = "\ufeffa\nb".encode()
    for data in (marked, gzip.compress(marked)):
        assert list(write(data).lines()) == ["a", "b"]
    kept = write(marked, keeps_mark=True)
    assert (list(kept.lines()), kept.count) == (["\ufeffa", "b"], 2)
    with pytest.raises(InvalidText, match="byte 0xFF at offset 5 "):
        write(b"\xef\xbb\xbfa\n\xff").line_counts  # noqa: B018 – the property raises


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("content", "count", "first"),
    [
        (MARK + b"a\n", 0, 0),
        (MARK + b"a\nb" + MARK + b"\n", 0, 0),
        (MARK * 2 + b"a\nb\n", 1, 1),
        (MARK + b"a\r\n" + MARK + b"b\n\n" + MARK, 2, 2),
        ("é\n".encode() * 100_000 + MARK + b"a\n" + MARK + b"b\n", 2, 100_001),
    ],
)
def test_marks_inside(write, content, count, first):
    """Lines that begin with a byte order mark are counted, unless it is the one that is dropped or all are kept."""
    line_counts = write(content).line_counts
    assert (line_counts.marks, line_counts.first_mark) == (count, first)
    assert write(content, keeps_mark=True).line_counts.marks == 0


def test_groups_of_lines(write):
    """Advice on groups of lines, if they are as many as the segments, of which there are several."""
    text = write(b"a\nb\n\n\nc\n")
    assert [*text.groups()] == [(1, ["a", "b"]), (5, ["c"])]
    assert [len([*text.groups_advice(count)]) for count in range(4)] == [0, 0, 1, 0]
    assert [*write(b"a\nb\n").groups_advice(1)] == [*write(b"a\n\nb\n").groups_advice(3)] == []


def test_lines_can_be_read_again(write):
    """A file is read from its beginning each time."""
    file = write(b"a\nb\n")
    assert [list(file.lines()), file.count, list(file.lines())] == [["a", "b"], 2, ["a", "b"]]


NO_UTF_8 = "is not UTF-8; if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"\xff", 1, f"byte 0xFF at offset 0 {NO_UTF_8}"),
        (b"good\nb\xe9d\n", 2, f"byte 0xE9 at offset 6 {NO_UTF_8}"),
        ("é\n".encode() + b"a\xc3", 2, f"byte 0xC3 at offset 4 {NO_UTF_8}"),
        (b"a\rb\r\nc\x80", 2, f"byte 0x80 at offset 6 {NO_UTF_8}"),
        (b"a\xed\xa0\x80\n", 1, f"byte 0xED at offset 1 {NO_UTF_8}"),
        (b"a\xc0\x80\n", 1, f"byte 0xC0 at offset 1 {NO_UTF_8}"),
        ("a\n".encode("utf-16"), 1, "is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
        (b"a\nb\0c\n", 2, "NUL byte at offset 3; remove it, or convert the file if it is UTF-16"),
        (b"\0", 1, "NUL byte at offset 0; remove it, or convert the file if it is UTF-16"),
        ("é\r".encode() + b"\0\n", 1, "NUL byte at offset 3; remove it, or convert the file if it is UTF-16"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_bad_bytes(write, content, line, reason, packed):
    """Bytes that are no text are named with file, line and offset (of the unpacked file)."""
    file = write(gzip.compress(content), "text.gz") if packed else write(content)
    with pytest.raises(InvalidText) as caught:
        file.count  # noqa: B018 – the property raises
    said, iconv, options = reason.partition("iconv")
    if iconv:
        unpacked = file.name.removesuffix(".gz")
        read, made = (f"gzip -dc {file.name} | ", "") if packed else ("", f" < {file.name}")
        reason = f"{said}{read}{iconv}{options}{made} > {unpacked}.new"
    assert str(caught.value) == f"{file.name}:{line}: {reason}"


def test_missing(tmp_path):
    """A file that is not there is named."""
    with pytest.raises(InputMismatch) as caught:
        TextFile.open(str(tmp_path / "nowhere.en"))
    assert str(caught.value) == f"{tmp_path}/nowhere.en: no such file"


def test_folder(tmp_path):
    """A folder is no file of segments."""
    with pytest.raises(InputMismatch) as caught:
        TextFile.open(str(tmp_path))
    assert str(caught.value) == f"{tmp_path}: is a folder, not a file of segments"


@pytest.mark.parametrize("held", [byte_source.MAX_HELD_BYTES, 1])
def test_vanished(write, monkeypatch, held):
    """A file that is replaced or removed after it is opened is read as it was, held in memory or not."""
    monkeypatch.setattr(byte_source, "MAX_HELD_BYTES", held)
    file = write(b"a\n")
    Path(file.name).unlink()
    Path(file.name).write_bytes(b"b\nc\n")
    assert (file.count, [*file.lines()]) == (1, ["a"])


@pytest.mark.parametrize("change", [b"a line\n", b"", b"b" * (byte_source.MAX_HELD_BYTES + 1)])
def test_changed_while_it_is_read(write, change):
    """A file that changes while it is read in parts is an error that says so."""
    file = write(b"a\n" * byte_source.MAX_HELD_BYTES)
    lines = file.lines()
    assert next(lines) == "a"
    path = Path(file.name)
    path.write_bytes(path.read_bytes() + change if change.endswith(b"\n") else change)
    with pytest.raises(
        InputMismatch, match=f"^{re.escape(file.name)}: changed while it was read; run the command again"
    ):
        deque(lines, maxlen=0)


@pytest.mark.parametrize("held", [byte_source.MAX_HELD_BYTES, 1])
def test_several_at_once(write, monkeypatch, held):
    """Several readers of a file, begun one after the other, each read all of it."""
    monkeypatch.setattr(byte_source, "MAX_HELD_BYTES", held)
    monkeypatch.setattr("meteorlib.resources.store.compression.BLOCK", 1000)
    lines = [f"line {number}" for number in range(5000)]
    file = write("\n".join(lines).encode())
    read = [[], []]
    for two in zip(file.lines(), file.lines(), strict=True):
        for kept, line in zip(read, two, strict=True):
            kept.append(line)
    assert read == [lines, lines]


def test_unreadable(write):
    """A file that may not be read is named with the reason."""
    name = write(b"a\n").name
    Path(name).chmod(0)
    if os.access(name, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(InputMismatch) as caught:
        TextFile.open(name)
    assert str(caught.value) == f"{name}: cannot be read: Permission denied"


@pytest.fixture
def standard_input(monkeypatch):
    """Bytes → the file `-` with them on standard input."""

    def make(content):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        return TextFile.open("-")

    return make


@pytest.mark.parametrize("held", [byte_source.MAX_HELD_BYTES, 4, 3])
def test_standard_input(standard_input, lowered, held):
    """`-` is standard input, which can be read as often as a file."""
    spooled = lowered(byte_source, "MAX_HELD_BYTES", held, "_spool")
    file = standard_input(b"a\r\nb")
    assert (file.count, list(file.lines()), list(file.lines())) == (2, ["a", "b"], ["a", "b"])
    assert spooled() == (held < 4)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_standard_input(standard_input, pack):
    """Standard input may be compressed."""
    file = standard_input(pack(b"a\r\nb"))
    assert (file.count, list(file.lines()), list(file.lines())) == (2, ["a", "b"], ["a", "b"])


def test_standard_input_named(standard_input):
    """Errors in standard input name standard input."""
    with pytest.raises(InvalidText) as caught:
        standard_input(b"a\n\xff").count  # noqa: B018 – the property raises
    assert str(caught.value) == (
        "standard input:2: byte 0xFF at offset 2 is not UTF-8; if the file is Latin-1: "
        "pipe its text through  iconv -f WINDOWS-1252 -t UTF-8"
    )


def test_same_length(write):
    """The number of segments that all files have, whatever their line ends."""
    assert check_same_length([write(b"a\nb\n", "h"), write(b"a\r\nb", "r0"), write(b"\r\nb\r\n", "r1")]) == 2


def test_unequal_lengths(write):
    """Unequal numbers of lines are an error that names every file with its count."""
    hypotheses, good, bad = write(b"a\nb\n", "h"), write(b"a\nb\n", "r0"), write(b"a\n", "r1")
    with pytest.raises(InputMismatch) as caught:
        check_same_length([hypotheses, good, bad])
    assert str(caught.value) == (
        "the files must have the same number of lines, one per segment: "
        f"{hypotheses.name} has 2, {good.name} has 2, {bad.name} has 1"
    )


def test_empty_files(write):
    """Files without a line are nothing to score."""
    hypotheses, references = write(b"", "h"), write(b"", "r")
    with pytest.raises(InputMismatch) as caught:
        check_same_length([hypotheses, references])
    assert str(caught.value) == f"nothing to score: {hypotheses.name}, {references.name} are empty"
