"""Word weights out of files."""

from __future__ import annotations

import gzip

import pytest

from meteorlib.core.segment import SCALE
from meteorlib.errors import InvalidText, ResourceMissing
from meteorlib.resources.word_weights import open_word_weights


@pytest.mark.parametrize("packed", [False, True])
def test_a_file(tmp_path, packed):
    """A line for each word; one that is not there tells most."""
    data = b"the\t500\ncat\t6000\r\n"
    path = tmp_path / "weights.txt"
    path.write_bytes(gzip.compress(data) if packed else data)
    information = open_word_weights(str(path))
    assert [information(word) for word in ("the", "cat", "dog", "The", "a\0b", "\ud800")] == [500, 6000, *[SCALE] * 4]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("the", "expected a word, a tab"),
        ("the\t", "expected a word, a tab"),
        ("\t5", "expected a word, a tab"),
        ("the\t-1", "expected a word, a tab"),
        ("the\t0.5", "expected a word, a tab"),
        ("the\t10001", "from 0 to 10000"),
        ("the\t٣", "expected a word, a tab"),
        ("", "expected a word, a tab"),
        ("a\t7", "'a' has a weight already"),
    ],
)
def test_a_wrong_line(tmp_path, line, said):
    """The file and the line are named."""
    path = tmp_path / "weights.txt"
    path.write_text(f"a\t1\n{line}\nb\t2\n", encoding="utf-8")
    with pytest.raises(InvalidText, match=said) as raised:
        open_word_weights(str(path))
    assert f"{path}:2" in str(raised.value)


def test_what_cannot_be_read(tmp_path):
    """No such file, a folder, a packed file cut short, bytes that are no text."""
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"the\t500\n" * 1000)[:-9])
    for path in (tmp_path / "none", tmp_path, cut):
        with pytest.raises(ResourceMissing):
            open_word_weights(str(path))
    (tmp_path / "latin").write_bytes("é\t5\n".encode("latin-1"))
    with pytest.raises(InvalidText, match="not UTF-8"):
        open_word_weights(str(tmp_path / "latin"))
