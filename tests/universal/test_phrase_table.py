"""From word alignments to phrase pairs and their frequencies."""

from __future__ import annotations

import gzip
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.universal import phrase_table
from meteorlib.universal.phrase_table import MAX_PHRASE_LENGTH, PairCounts, Parallel, Side, phrase_pairs
from meteorlib.universal.texts import Text, grow_diag_final_and, is_aligned, packed_lines, read_row

SENTENCES = st.lists(
    st.tuples(st.integers(1, 10), st.integers(1, 10), st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)))),
    min_size=1,
    max_size=4,
)


def pairs_of(links, foreign, target):
    """Koehn's textbook algorithm: first word and number of words of both phrases."""
    aligned = {i for i, _ in links}
    for begin in range(target):
        for end in range(begin, min(target, begin + MAX_PHRASE_LENGTH)):
            linked = [i for i, j in links if begin <= j <= end]
            if not linked or any(min(linked) <= i <= max(linked) and not begin <= j <= end for i, j in links):
                continue
            first = min(linked)
            while True:
                last = max(linked)
                while True:
                    if last - first < MAX_PHRASE_LENGTH:
                        yield first, last - first + 1, begin, end - begin + 1
                    last += 1
                    if last == foreign or last in aligned:
                        break
                first -= 1
                if first < 0 or first in aligned:
                    break


@given(SENTENCES)
def test_extraction(sentences):
    """All sentences at once give the phrase pairs that the textbook finds in each."""
    sentences = [(f, e, [(i, j) for i, j in links if i < f and j < e]) for f, e, links in sentences]
    expected, own, other, places = set(), [], [], (0, 0)
    for foreign, target, links in sentences:
        expected |= {(f + places[0], n, e + places[1], m) for f, n, e, m in pairs_of(links, foreign, target)}
        own += [i + places[0] for i, _ in links]
        other += [j + places[1] for _, j in links]
        places = places[0] + foreign, places[1] + target
    own, other = np.array(own, dtype=np.int64), np.array(other, dtype=np.int64)
    lengths = np.array([sentence[:2] for sentence in sentences])
    sides = Side.of(lengths[:, 0], own, other), Side.of(lengths[:, 1], other, own)
    found = [tuple(map(int, pair)) for spans in phrase_pairs(*sides) for pair in zip(*spans, strict=True)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize(
    ("forward", "reverse", "links"),
    [
        ("00 11", "00 11", "00 11"),
        ("00 01", "00", "00 01"),  # a neighbor, of which one word has no link yet
        ("00 11 01", "00 11", "00 11"),  # both words have one
        ("00 22", "00", "00 22"),  # far away, but neither word has a link
        ("00 22", "00 23", "00 22"),  # of two in the end the forward one comes first
        ("00", "11", "00 11"),
        ("00 11 22 12", "00 22", "00 11 22"),  # grown diagonally, then nothing is free
        ("", "", ""),
    ],
)
def test_symmetry(forward, reverse, links):
    """Intersection, grown by neighbors, then links of words that have none."""
    one, other, both = ([(int(i), int(j)) for i, j in text.split()] for text in (forward, reverse, links))
    assert grow_diag_final_and(one, other) == both


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2**31 - 1)), max_size=60))
def test_counts(tmp_path_factory, pairs):
    """Pairs are counted whatever is in memory at a time; those of one first number come in one portion."""
    folder = tmp_path_factory.mktemp("counts")
    counts = PairCounts(folder)
    found, seen = Counter(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrase_table, "MAX_PAIRS", 4)
        for first, second in pairs:
            counts.add(np.array([first, first], dtype=np.int32), np.array([second, 7], dtype=np.int32))
        assert any(folder.iterdir()) == (len(pairs) > 1)
        for firsts, seconds, number in counts.portions():
            seen.append(set(firsts.tolist()))
            found.update(dict(zip(zip(firsts.tolist(), seconds.tolist(), strict=True), number.tolist(), strict=True)))
    assert found == Counter([*pairs, *((first, 7) for first, _ in pairs)])
    assert sum(map(len, seen)) == len(set().union(*seen))


def test_sentences_to_learn_from():
    """Neither side is empty, too long or much longer than the other."""
    assert is_aligned(["a"], ["b"] * 9)
    assert is_aligned(["a"] * 100, ["b"] * 100)
    assert not is_aligned(["a"], ["b"] * 10)
    assert not is_aligned([], [])
    assert not is_aligned(["a"] * 101, ["b"] * 100)


def test_table(tmp_path, lowered):
    """Rows have relative frequencies both ways over all phrase pairs; what gives no paraphrase is not there."""
    sentences = [("das haus", "the house"), ("das heim", "the home"), ("das haus", "the home"), ("haus ,", "house ,")]
    for name, side in (("f", 0), ("e", 1)):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in sentences))
    (tmp_path / "wanted").write_text("house\n")
    with packed_lines(tmp_path / "links.gz") as add:
        for _ in sentences:
            add("0-0 1-1")
    foreign, target, wanted = (Text.open(str(tmp_path / name)) for name in ("f", "e", "wanted"))
    parallel = Parallel(foreign, target, tmp_path / "links.gz", frozenset(), frozenset({"the"}), wanted)
    portions = lowered(phrase_table, "BATCH_SIZE", 3, "phrase_pairs")
    parallel.write_table(tmp_path / "table.gz", tmp_path)
    assert portions() == 2
    rows = [read_row(line) for line in gzip.decompress((tmp_path / "table.gz").read_bytes()).decode().splitlines()]
    assert {(row.foreign, row.phrase): (row.inverse, row.direct) for row in rows} == {
        ("haus", "house"): (1.0, 2 / 3),
        ("haus", "home"): (0.5, 1 / 3),
    }
