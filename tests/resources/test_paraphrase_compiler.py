"""Compiling a paraphrase table: malformed sources are refused with their line."""

from __future__ import annotations

import gzip

import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources import paraphrase_compiler
from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.paraphrase_compiler import compile_paraphrases
from tests.resources.phrases import targets


def _compile(tmp_path, data):
    source, folder = tmp_path / "table.gz", tmp_path / "index"
    source.write_bytes(data)
    folder.mkdir()
    compile_paraphrases(source, folder, lambda _: None)
    return open_paraphrases(folder)


GOOD = b"0.1\na\nb\n0.2\na\nc d\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD + b"0.3\n", "line 7: the number of lines is not a multiple of three"),
        (GOOD + b"0.3\na", "line 8: the number of lines is not a multiple of three"),
        (GOOD + b"0.3\na\n\xff\n", "line 9: not UTF-8"),
        (b"\xfe\na\nb\n", "line 1: not UTF-8"),
        (GOOD + b"a\nb\n0.3\n", "line 7: expected a probability, found 'a'"),
        (b"", "line 0: there is no entry"),
        (b"\n", "line 1: the number of lines is not a multiple of three"),
    ],
)
def test_malformed_text(tmp_path, text, reason):
    """A table that is not three lines an entry in UTF-8 is named with file, line and reason; no manifest is left."""
    with pytest.raises(ResourceDamaged) as caught:
        _compile(tmp_path, gzip.compress(text))
    assert f"{tmp_path / 'table.gz'}, {reason}; get the file anew" in str(caught.value)
    assert not (tmp_path / "index" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "there is no entry"),
        (GOOD, "line 1: .* not gzip"),
        (gzip.compress(GOOD)[:-9], "gzip is damaged"),
        (gzip.compress(GOOD)[:-8] + b"\0" * 8, "gzip is damaged"),
        (gzip.compress(GOOD)[:12] + b"\xff" * 20, "gzip is damaged"),
    ],
    ids=["nothing", "no gzip", "cut off", "wrong checksum", "damaged"],
)
def test_damaged_gzip(tmp_path, data, reason):
    """A file that is no gzip, or a truncated or changed one, is refused."""
    with pytest.raises(ResourceDamaged, match=reason):
        _compile(tmp_path, data)


def test_last_line_without_line_end(tmp_path):
    """The last line needs no line end."""
    assert _compile(tmp_path, gzip.compress(GOOD[:-1])).entry_count == 2


def test_only_line_feeds_end_lines(tmp_path):
    """Other separators of Unicode are part of a phrase."""
    text = "1\na\u2028b\nc\x0bd\x85\n"
    opened = _compile(tmp_path, gzip.compress(text.encode()))
    assert targets(opened, "a\u2028b", ["c\x0bd\x85"]) == ["c\x0bd\x85"]


@pytest.mark.parametrize("source", ["d e", "d  e", "d\te", " d e", "d e ", "d \f e", "d\re\r"])
def test_blanks(tmp_path, source):
    """Blanks in and round a phrase separate its words, however many, as in METEOR 1.5's aligner."""
    opened = _compile(tmp_path, gzip.compress(f"1\n{source}\nf\r\n".encode()))
    assert targets(opened, "d e", ["f"]) == ["f"]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
def test_blocks(tmp_path, table, entries, lowered, block):
    """The index, and the line of a fault, do not depend on the blocks into which the file is cut."""
    reads = lowered(paraphrase_compiler, "_BLOCK", block, "read", gzip.GzipFile)
    size = len(gzip.decompress(table.read_bytes()))
    folder = tmp_path / "index"
    folder.mkdir()
    compile_paraphrases(table, folder, lambda _: None)
    assert reads() == -(-size // block) + 1
    opened = open_paraphrases(folder)
    assert opened.entry_count == len(entries)
    assert targets(opened, "of course", (target for _, target in entries)) == [
        target for source, target in entries if source == "of course"
    ]
    table.write_bytes(gzip.compress(GOOD * 3 + b"0.3\n\xff\na\n"))
    with pytest.raises(ResourceDamaged, match="line 20: not UTF-8"):
        compile_paraphrases(table, folder, lambda _: None)


def test_progress_rises_to_one(tmp_path, table):
    """The progress only rises and ends at 1."""
    folder = tmp_path / "index"
    folder.mkdir()
    seen: list[float] = []
    compile_paraphrases(table, folder, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_same_bytes(tmp_path, table):
    """Equal tables give equal indexes, byte for byte."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        compile_paraphrases(table, folder, lambda _: None)
    one, two = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert one == two
