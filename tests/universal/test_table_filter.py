"""The part of a paraphrase table that references need."""

from __future__ import annotations

import gzip

import pytest

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.universal.table_filter import Filtered, filter_paraphrases
from meteorlib.universal.texts import Text

ENTRIES = [
    (".5", "a", "zz"),
    (".25", "zz", "b  c"),
    ("1", "B", "zz"),
    ("1", "it 's", "zz"),
    ("1", "it s", "zz"),
    ("1", ",", "zz"),
    ("1", "us", "zz"),
    ("1", "", ""),
    ("1e-3", "c b", "zz"),
]


def entries(path):
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    assert lines.pop() == ""
    return list(zip(*[iter(lines)] * 3, strict=True))


@pytest.mark.parametrize(
    ("references", "kept"),
    [
        (["A\n"], [0, 7]),
        (["b c"], [1, 7]),
        (["it's, so\n", "the U.S. B\n"], [4, 6, 7]),
        (["b\nc b\n"], [7, 8]),
        ([""], [7]),
    ],
)
def test_filter(tmp_path, references, kept):
    """Entries with a phrase of a reference are kept, unchanged and in order; references contain no signs."""
    (tmp_path / "table.gz").write_bytes(gzip.compress("".join("\n".join(entry) + "\n" for entry in ENTRIES).encode()))
    for number, text in enumerate(references):
        (tmp_path / f"{number}").write_text(text)
    texts = [Text.open(str(tmp_path / f"{number}"), lower=False) for number in range(len(references))]
    counts = filter_paraphrases(Text.open(str(tmp_path / "table.gz"), lower=False), tmp_path / "out.gz", texts)
    assert entries(tmp_path / "out.gz") == [ENTRIES[number] for number in kept]
    assert counts == Filtered(len(ENTRIES), len(kept))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b".5\na\nb\n.5\na\n", InvalidText, "table:4: the last entry has fewer than three lines"),
        (b".5\na\nb\nx\na\nb\n", InvalidText, "table:4: expected a probability, found 'x'"),
        (b".5\na\n\xffb\n", InvalidText, "table:3: .* not UTF-8"),
        (gzip.compress(b".5\na\nb\n" * 1000, mtime=0)[:-12], InvalidText, "table: cannot be read to its end"),
        (b"", InputMismatch, "table: there is no entry"),
    ],
)
def test_damage(tmp_path, data, error, message):
    """An invalid table is an error with file and line, and existing output stays."""
    (tmp_path / "table").write_bytes(data)
    (tmp_path / "ref").write_text("a\n")
    (tmp_path / "out.gz").write_bytes(b"before")
    table, reference = (Text.open(str(tmp_path / name), lower=False) for name in ("table", "ref"))
    with pytest.raises(error, match=message):
        filter_paraphrases(table, tmp_path / "out.gz", [reference])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.gz", "ref", "table"]
    assert (tmp_path / "out.gz").read_bytes() == b"before"
