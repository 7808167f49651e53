"""Words and their records: a table and a trie hold the same, and no other word is taken for one of theirs."""

from __future__ import annotations

import random
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.resources.store.data_file import DataFile
from meteorlib.resources.wordnet.lexicon import open_offset_lexicon, open_wordnet
from meteorlib.resources.wordnet.record_table import RecordTable, RecordTrie, record_trie
from tests.examples import examples

WORDS = st.text("ab_é☃", max_size=5) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20
)
RECORDS = st.lists(st.tuples(WORDS, st.integers(0, 2**32 - 1)), max_size=60)
ODD = ["", "\0", "a\0", "\ud800", "a\ud800", "\uffff", "x" * 10_000, "ab" * 128]


@examples(200)
@given(records=RECORDS, others=st.lists(st.text(max_size=6), max_size=10))
def test_what_was_put_in_comes_out(records, others):
    """Each word has its records, ascending and once; any other word has none."""
    table = RecordTable.of(records)
    for word in [*(word for word, _ in records), *others, *ODD]:
        assert table.get(word) == tuple(sorted({record for other, record in records if other == word}))
    assert sorted(table.records()) == sorted(set(records))


@pytest.mark.thorough
@pytest.mark.parametrize("opened", [open_offset_lexicon, open_wordnet])
def test_words_of_wordnet(opened, tmp_path):
    """A trie of a lexicon says of every word, and of words with another last letter, what its table says."""
    table = opened().records
    path = tmp_path / "trie"
    path.write_bytes(record_trie(table.records()).tobytes())
    trie = RecordTrie(DataFile(path))
    draw = random.Random(1)
    for word in {word for word, _ in table.records()}:
        other = word[:-1] + draw.choice("abesy_-")
        assert table.get(word) == tuple(sorted(trie.get(word))) != ()
        assert table.get(other) == tuple(sorted(trie.get(other)))


@pytest.mark.parametrize("word", ODD, ids=ascii)
def test_odd_words_of_a_trie(word, tmp_path):
    """Odd strings, NUL and lone surrogates have no records and raise nothing."""
    path = tmp_path / "trie"
    path.write_bytes(record_trie([("a", 1), ("ab", 2)]).tobytes())
    assert RecordTrie(DataFile(path)).get(word) == ()


@pytest.mark.parametrize(
    "records",
    [[("x" * 256, 1)], [("é" * 128, 1)], [("word", record) for record in range(256)]],
    ids=["letters", "bytes", "records"],
)
def test_more_than_a_byte_can_tell(records):
    """A word of more than 255 bytes, or with more records, has no room."""
    with pytest.raises(ValueError, match="is above 255"):
        RecordTable.of(records)
    assert RecordTable.of([("x" * 255, 1), *(("word", record) for record in range(255))]).get("word") == tuple(
        range(255)
    )


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0", b"\0" * 4, b"\0" * 12, b"\xff" * 12, pack("<I", 8), pack("<2I", 8, 9), pack("<4I", 16, 16, 16, 16),
        RecordTable.of([("a", 1)]).data[:-1], RecordTable.of([("a", 1)]).data + b"\0", b"\x08\0\0\0\x05",
    ],
    ids=repr,
)  # fmt: skip
def test_no_table(data):
    """What is no table is refused."""
    with pytest.raises(ValueError, match="no table of records"):
        RecordTable(data)


def test_the_smallest_table():
    """One bucket, and nothing in it."""
    assert RecordTable(pack("<2I", 8, 8)).get("a") == ()


def test_any_bytes():
    """A table is made of anything that has bytes."""
    data = RecordTable.of([("a", 1)]).data
    assert RecordTable(bytearray(data)).data == RecordTable(memoryview(data)).data == data
