"""Words and their records: each word has its own, and no other word is taken for one of them."""

from __future__ import annotations

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.resources.lexicons import open_offset_lexicon, open_wordnet
from meteorlib.resources.store.record_table import BLOCK, RecordTable
from tests.examples import examples

WORDS = st.text("ab_é☃\0", max_size=5) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
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
def test_words_of_wordnet(opened):
    """Every word of a lexicon is found, and words with another last letter only if the lexicon has them."""
    table = opened().records
    records: dict[str, list[int]] = {}
    for word, record in table.records():
        records.setdefault(word, []).append(record)
    draw = random.Random(1)
    for word, found in records.items():
        other = word[:-1] + draw.choice("abesy_-")
        assert table.get(word) == tuple(found)
        assert table.get(other) == tuple(records.get(other, ()))


@examples(100)
@given(
    words=st.lists(st.text("ab", max_size=12), max_size=60, unique=True),
    others=st.lists(st.text("ab", max_size=12), max_size=20),
)
def test_places(words, others):
    """Words have places in the order of their bytes, and a place leads back to its word; others have none."""
    table = RecordTable.of_words({word.encode(): () for word in words})
    assert table.words() == [table.word(place) for place in range(len(table))] == sorted(words)
    assert [table.index(word) for word in sorted(words)] == [*range(len(words))]
    assert all(table.index(word) == -1 for word in others if word not in words)
    for place in (-1, len(words)):
        with pytest.raises(IndexError):
            table.word(place)


def test_many_words_that_begin_alike():
    """Blocks of words whose first eight bytes are the same are all looked through."""
    words = [f"internationally-{number:03}" for number in range(5 * BLOCK)]
    table = RecordTable.of(zip(words, range(len(words)), strict=True))
    assert [table.get(word) for word in words] == [(number,) for number in range(len(words))]
    assert table.get("internationally") == table.get("internationally-999") == ()


def test_long_word():
    """A word has any length."""
    word = "x" * 100_000
    assert RecordTable.of([(word, 1), (word, 2)]).get(word) == (1, 2)


def test_most_records_of_a_word():
    """A word has at most 65,535 records."""
    assert RecordTable.of(("x", number) for number in range(65_535)).get("x") == tuple(range(65_535))
    with pytest.raises(ValueError, match=r"'xx.* has more than 65,535 records"):
        RecordTable.of(("xx", number) for number in range(65_536))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0" * 15, b"\0" * 16, b"\xff" * 16, struct.pack("<4I", 1, 1, 1, 1), struct.pack("<6I", 0, 0, 5, 1, 0, 0),
        RecordTable.of([("a", 1)]).data[:-1], RecordTable.of([("a", 1)]).data + b"\0",
    ],
    ids=repr,
)  # fmt: skip
def test_no_table(data):
    """An invalid table is refused."""
    with pytest.raises(ValueError, match="not a table of records"):
        RecordTable(data)


def test_the_smallest_table():
    """A table without words is empty, and finds none."""
    table = RecordTable.of([])
    assert (len(table), table.words(), table.get("a"), table.get("")) == (0, [], (), ())


def test_any_bytes():
    """A table is made of anything that has bytes."""
    data = RecordTable.of([("a", 1)]).data
    assert RecordTable(bytearray(data)).data == RecordTable(memoryview(data)).data == data
