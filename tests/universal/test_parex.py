"""Paraphrases of a phrase table, and those that references need; their numbers were found with METEOR's program."""

from __future__ import annotations

import gzip
import heapq
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.universal import pivot
from meteorlib.universal.parex import (
    FINAL,
    FOREIGN_WORDS,
    GROUPED,
    RAW,
    TARGET_WORDS,
    Filtered,
    Parex,
    filter_paraphrases,
)
from meteorlib.universal.pivot import Sorter
from meteorlib.universal.texts import Text
from tests.universal.conftest import EXAMPLE, FOREIGN, TARGET, WANTED, lines_of, write

EVEN = " ||| .5 .1 .5 .1"


def test_example(parex):
    """The worked example has the paraphrases that METEOR's program finds, in its order and with its digits."""
    skipped = []
    found = parex(EXAMPLE, WANTED, skipped=skipped)
    assert found[FINAL] == [
        "car ||| vehicle ||| 0.375",
        "home ||| house ||| 0.135",
        "house ||| home ||| 0.175",
        "red car ||| vehicle ||| 0.27",
        "the house ||| the home ||| 0.15",
        "vehicle ||| car ||| 0.045000000000000005",
        "vehicle ||| red car ||| 0.045000000000000005",
    ]
    assert found[RAW][:3] == [
        "the house ||| the home ||| la maison ||| 0.15",
        "home ||| house ||| maison ||| 0.075",
        "house ||| home ||| maison ||| 0.125",
    ]
    assert found[GROUPED][1:3] == ["car ||| vehicle ||| 0.105", "car ||| vehicle ||| 0.27"]
    assert (found[FOREIGN_WORDS], found[TARGET_WORDS]) == (["la"], ["the"])
    (told,) = skipped
    assert told.endswith("t.gz:13: a row has at least three fields between |||; here are 2")


def test_order_of_the_rows_does_not_matter_to_the_result(parex, tmp_path):
    """Scattered rows of a foreign phrase give the same paraphrases, as long as no sum depends on the order."""
    rows = EXAMPLE[::2] + EXAMPLE[1::2]
    assert parex(rows, WANTED)[FINAL] == _again(tmp_path / "sorted", sorted(EXAMPLE))[FINAL]


def _again(folder, rows):
    folder.mkdir()
    texts = write(folder, rows, WANTED, FOREIGN, TARGET)
    out = folder / "out"
    out.mkdir()
    files = Parex(out)
    files.words(texts["f"], texts["e"])
    files.pivot(texts["t.gz"], texts["wanted"])
    files.combine()
    return lines_of(out)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["f ||| a" + EVEN, "f ||| b" + EVEN], ["b ||| a ||| f ||| 0.25", "a ||| b ||| f ||| 0.25"]),
        (["f|||a|||.5 x .5", "f ||| b ||| 1e-1 x 0x1p-1"], ["b ||| a ||| f ||| 0.05", "a ||| b ||| f ||| 0.25"]),
        (["f  x ||| a\tc" + EVEN, "f x ||| b" + EVEN], ["b ||| a\tc ||| f  x ||| 0.25", "a c ||| b ||| f x ||| 0.25"]),
        (["f ||| a ||| NaN 1 1", "f ||| b ||| 1 1 1"], ["b ||| a ||| f ||| 1.0", "a ||| b ||| f ||| NaN"]),
        (["f ||| a" + EVEN, "f ||| a" + EVEN], []),
        (["f ||| a-b" + EVEN, "f ||| b" + EVEN], []),
        (["f, ||| a" + EVEN, "f, ||| b" + EVEN], []),
        (["la la ||| a" + EVEN, "la la ||| b" + EVEN], []),
        (["f ||| the the" + EVEN, "f ||| b" + EVEN], []),
        ([" ||| a" + EVEN, " ||| b" + EVEN], []),
        (["f ||| unwanted" + EVEN, "f ||| b" + EVEN], ["b ||| unwanted ||| f ||| 0.25"]),
        (["f ||| a ||| .0009 1 1", "f ||| b ||| 1 1 .0009"], ["b ||| a ||| f ||| 1.0"]),
        (["f ||| a ||| .02 1 .02", "f ||| b ||| .02 1 .02"], []),  # the product is below the minimum
    ],
)
def test_rows(parex, rows, found):
    """Each way of writing a row, and each reason to leave one out, counts as in METEOR's program."""
    assert parex(rows, "a b\na c\nb\nthe the\na-b\n")[RAW] == found


@pytest.mark.parametrize(
    "row",
    ["", "|||", "f ||| a", "f ||| a ||| .5 .1", "f ||| a ||| x 1 1", "f ||| a ||| 1 1 0,5", "f ||| a |||| 1 1 1"],
)
def test_rows_that_cannot_be_read(parex, row):
    """Unreadable rows are reported with file and line, and skipped."""
    skipped = []
    assert len(parex([row, "f ||| a" + EVEN, "f ||| b" + EVEN], "a\nb\n", skipped=skipped)[RAW]) == 2
    assert len(skipped) == 1
    assert "t.gz:1: " in skipped[0]


def test_no_table_at_all(parex):
    """A file of which no row can be read is no phrase table."""
    with pytest.raises(InputMismatch, match=r"t\.gz: no row can be read; is it a Moses phrase table\?"):
        parex(["the cat", "sat"], "a\n")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-20], "cut off"),
        (lambda _: gzip.compress(b"f ||| a" + EVEN.encode() + b"\nf ||| \xff" + EVEN.encode()), ":2: .*UTF-8"),
        (lambda _: gzip.compress(b"f ||| a\0"), "NUL"),
    ],
)
def test_damaged_table(tmp_path, damage, message):
    """Damage ends with the file and the line, and leaves no file behind."""
    rows = [f"f{number} ||| a{number}{EVEN}" for number in range(1000)]
    texts = write(tmp_path, rows, "a\n", FOREIGN, TARGET)
    (tmp_path / "t.gz").write_bytes(damage((tmp_path / "t.gz").read_bytes()))
    table = Text.open(str(tmp_path / "t.gz"), lower=False)
    out = tmp_path / "out"
    out.mkdir()
    files = Parex(out)
    files.words(texts["f"], texts["e"])
    with pytest.raises(InvalidText, match=message):
        files.pivot(table, texts["wanted"])
    assert {path.name for path in out.iterdir()} == {FOREIGN_WORDS, TARGET_WORDS}


def test_phrases_within_each_other(parex):
    """A paraphrase that contains the phrase as whole words, or is contained, is left out."""
    phrases = ["a", "a b", "ab", "b a c"]
    found = parex([f"f ||| {phrase}{EVEN}" for phrase in phrases], "\n".join(phrases))[FINAL]
    assert [line.split(" ||| ")[:2] for line in found] == [
        ["a", "ab"],
        ["a b", "ab"],
        ["a b", "b a c"],
        ["ab", "a"],
        ["ab", "a b"],
        ["ab", "b a c"],
        ["b a c", "a b"],
        ["b a c", "ab"],
    ]


def test_order_is_javas(parex):
    """Strings are sorted by UTF-16 code units: what lies beyond U+FFFF comes before U+E000."""
    found = parex([f"f ||| {word}{EVEN}" for word in ("\ue000", "\U00010400", "z")], "\ue000\n\U00010400\nz\n")[FINAL]
    assert [line[0] for line in found] == ["z", "z", "\U00010400", "\U00010400", "\ue000", "\ue000"]


@given(st.lists(st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"]), max_size=6)))
def test_sorting(tmp_path_factory, lines):
    """Sorted in portions, on the disk, lines are those that Java sorts."""
    folder = tmp_path_factory.mktemp("sorting")
    with pytest.MonkeyPatch.context() as patch, Sorter(folder) as sorter:
        patch.setattr(pivot, "MAX_LINES", 3)
        sorter.extend(lines)
        assert any(path.is_file() for path in folder.rglob("*")) == (len(lines) >= 3)
        assert list(sorter) == sorted(lines, key=lambda line: line.encode("utf-16-be"))


def test_many_runs(tmp_path, lowered, monkeypatch):
    """More sorted files than are merged at a time become one; the folder is empty in the end."""
    merged = lowered(pivot, "MAX_FILES", 3, "merge", heapq)
    numbers = [f"{number * 7 % 101:03}" for number in range(101)]
    monkeypatch.setattr(pivot, "MAX_LINES", 4)
    with Sorter(tmp_path) as sorter:
        sorter.extend(numbers)
        assert list(sorter) == sorted(numbers)
    assert merged() == 13  # of the 25 files that 4 lines each fill: two more each time, and once when they are read
    assert list(tmp_path.iterdir()) == []


def test_symbols():
    """Every sign of ASCII is a symbol, and nothing else is."""
    found = {char for code in range(0x2100) if pivot.SYMBOLS.search(char := chr(code))}
    assert found == set(string.punctuation)


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
