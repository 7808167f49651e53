"""Paraphrase tables: what is asked of an index, and what makes one unusable."""

from __future__ import annotations

import json

import pytest

from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.paraphrases import ParaphraseTable, compile_paraphrases, open_paraphrases


@pytest.fixture
def index(table, tmp_path):
    """The folder of a compiled table."""
    folder = tmp_path / "index"
    folder.mkdir()
    compile_paraphrases(table, folder, lambda _: None)
    return folder


@pytest.fixture
def opened(index) -> ParaphraseTable:
    """The table, opened by its path."""
    return open_paraphrases(index)


def _targets(opened, source):
    return [opened.phrase(target) for target in opened.targets(opened.phrase_id(source))]


def test_targets_in_file_order(opened, entries):
    """The targets of a source are those of the file in its order, repeated ones too, wherever they stand."""
    for source in {source for source, _ in entries}:
        assert _targets(opened, source) == [target for other, target in entries if other == source]


def test_counts(opened, entries):
    """Entries and distinct phrases are counted."""
    assert opened.entry_count == len(entries)
    assert opened.phrase_count == len({phrase for entry in entries for phrase in entry})


def test_only_a_target(opened):
    """A phrase that is only a target has an id and no targets."""
    assert opened.phrase_id("finally") >= 0
    assert list(opened.targets(opened.phrase_id("finally"))) == []


@pytest.mark.parametrize(
    "phrase", ["", " ", "of", "of ", "of course ", "in the end", "\0", "of\0", "\ud800", "of \udc80"]
)
def test_no_phrase(opened, phrase):
    """What is no phrase has no id; a beginning of a phrase is none; odd strings raise nothing."""
    assert opened.phrase_id(phrase) == -1


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [("of ", True), ("in the end of ", True), ("of course ", False), ("o ", False), ("\0", False), ("\ud800 ", False)],
)
def test_extends(opened, prefix, expected):
    """Whether a phrase goes on behind these words."""
    assert opened.extends(prefix) is expected


def test_number_walks_from_beginning_to_phrase(opened):
    """Every beginning in whole words has a number without targets, so that a search knows when to stop."""
    words = ["in", "the", "end", "of", "the", "day"]
    spans = [" ".join(words[:count]) for count in range(1, 7)]
    numbers = [opened.number(span) for span in spans]
    assert -1 not in numbers
    assert [len(opened.targets(number)) for number in numbers] == [0, 0, 0, 0, 0, 1]
    assert numbers[-1] == opened.phrase_id(spans[-1])
    assert opened.number("in the end of the day is") == opened.number("i") == opened.number("\ud800") == -1


@pytest.mark.parametrize("phrase_id", [-1, 10**6, 2**40])
def test_no_such_id(opened, phrase_id):
    """An id that does not exist has no targets."""
    assert list(opened.targets(phrase_id)) == []


def test_length(opened):
    """Lengths are in words."""
    assert [opened.length(opened.phrase_id(phrase)) for phrase in ("sure", "кафе \U0001f600")] == [1, 2]


def test_not_installed(cache):
    """A table that is not installed says how to install it."""
    with pytest.raises(ResourceMissing) as caught:
        open_paraphrases("paraphrase-en")
    assert str(caught.value) == (
        "resource 'paraphrase-en' is not installed: run `meteorlib resources install paraphrase-en`"
    )
    with pytest.raises(ResourceMissing, match="install paraphrase-de --from FILE`"):
        open_paraphrases("paraphrase-de")


def test_no_such_table(cache, tmp_path):
    """A name that is neither in the catalog nor a folder is unknown; a path without a folder is missing."""
    with pytest.raises(UnknownName, match=r"unknown paraphrase table 'paraphrase-enn' \(did you mean 'paraphrase-en'"):
        open_paraphrases("paraphrase-enn")
    with pytest.raises(ResourceMissing, match="no folder with a compiled index"):
        open_paraphrases(tmp_path / "nothing")


def test_folder_without_manifest(tmp_path):
    """A folder without a manifest is no index."""
    with pytest.raises(ResourceDamaged, match=r"holds no manifest\.json"):
        open_paraphrases(tmp_path)


@pytest.mark.parametrize("file", ["phrases.marisa", "targets.u32", "sources.u32", "starts.u32", "is_phrase.bits"])
def test_file_that_is_cut_short_or_missing(index, file):
    """A file that has not the size that the manifest says makes the index unusable."""
    path = index / file
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(ResourceDamaged, match=rf"{file} has {len(data) - 1} bytes instead of {len(data)}"):
        open_paraphrases(index)
    path.unlink()
    with pytest.raises(ResourceDamaged, match=rf"{file} cannot be read"):
        open_paraphrases(index)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"resource": 1', '{"format": 1, "x": 2}', "\x00"])
def test_broken_manifest(index, text):
    """A manifest that is not one is damage, not a traceback."""
    (index / "manifest.json").write_text(text)
    with pytest.raises(ResourceDamaged, match=r"manifest\.json cannot be read"):
        open_paraphrases(index)


@pytest.mark.parametrize(("key", "value"), [("format", 0), ("byteorder", "middle")])
def test_other_version_or_machine(index, key, value):
    """An index of another layout or byte order is not used."""
    path = index / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(ResourceDamaged, match="needed is format 1"):
        open_paraphrases(index)


def test_trie_that_is_none(index):
    """A file of the right size that is no trie is damage."""
    path = index / "phrases.marisa"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(ResourceDamaged, match="cannot be opened"):
        open_paraphrases(index)


@pytest.mark.oracle
def test_the_english_table(oracles):
    """The installed English table has the entries of the file (a sample of them)."""
    import gzip
    from itertools import islice

    try:
        opened = open_paraphrases("paraphrase-en")
    except ResourceMissing as error:
        pytest.skip(str(error))
    assert (opened.entry_count, opened.phrase_count) == (5_274_084, 2_616_378)
    expected: dict[str, list[str]] = {}
    with gzip.open(oracles / "data" / "paraphrase-en.gz", "rt", encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n") for line in islice(file, 300_000)]
    for source, target in zip(lines[1::3], lines[2::3], strict=True):
        expected.setdefault(source, []).append(target)
    expected.popitem()
    assert all(_targets(opened, source) == targets for source, targets in expected.items())
