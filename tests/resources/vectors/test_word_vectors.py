"""Parts of words: which there are, and the row that fastText gives each."""

from __future__ import annotations

import pytest

from meteorlib.resources.vectors.word_vectors import Subwords


@pytest.mark.parametrize(
    ("word", "shortest", "longest", "parts"),
    [
        ("cat", 3, 6, ["<ca", "<cat", "<cat>", "cat", "cat>", "at>"]),
        ("cat", 1, 2, ["<c", "c", "ca", "a", "at", "t", "t>"]),
        ("é", 1, 3, ["<é", "<é>", "é", "é>"]),
        ("日本", 3, 3, ["<日本", "日本>"]),
        ("x", 5, 6, []),
        ("cat", 0, 1, ["c", "a", "t"]),
        ("</s>", 3, 6, []),
    ],
)
def test_parts(word, shortest, longest, parts):
    """A part is a run of characters of the word in brackets; a bracket alone is none; the end of a line has none."""
    assert [part.decode() for part in Subwords(shortest, longest, 10).parts(word)] == parts


def test_rows():
    """Rows are those that fastText's own ``get_subwords`` gives (fasttext-numpy2 0.10.4, 5,000 buckets)."""
    known = Subwords(3, 6, 5000)
    assert known.rows("cat") == [1747, 3973, 3137, 4031, 2995, 1106]
    assert known.rows("日本語") == [3587, 4581, 4609, 559, 3923, 4355]


def test_a_lone_surrogate():
    """Strings that are no text have no bytes, and so no rows."""
    with pytest.raises(UnicodeEncodeError):
        Subwords(3, 6, 10).rows("\ud800")
