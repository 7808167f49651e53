"""Paraphrase tables: lookups in an index, and unusable indexes."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest
from attrs import evolve

from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.paraphrases.compiler import compile_paraphrases
from meteorlib.resources.paraphrases.table import ParaphraseTable, open_paraphrases
from meteorlib.resources.store.manifest import Manifest
from tests.resources.phrases import number, targets


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


def test_targets_in_file_order(opened, entries):
    """The targets of a source are those of the file, in its order, including repeated and scattered ones."""
    known = {target for _, target in entries}
    for source in {source for source, _ in entries}:
        assert targets(opened, source, known) == [target for other, target in entries if other == source]


def test_counts(opened, entries):
    """Entries and distinct phrases are counted."""
    assert opened.entry_count == len(entries)
    assert opened.phrase_count == len({phrase for entry in entries for phrase in entry})


def test_only_a_target(opened):
    """A phrase that is only a target has a number and no targets."""
    assert number(opened, "finally") >= 0
    assert targets(opened, "finally", []) == []


@pytest.mark.parametrize("word", ["", " ", "o", "of course", "\0", "\ud800"])
def test_no_word(opened, word):
    """Words outside the table have no number; odd strings raise nothing."""
    assert opened.word(word) == -1


def test_walk_from_beginning_to_phrase(opened):
    """Every beginning in whole words has a number without targets, so that a search knows when to stop."""
    words = ["in", "the", "end", "of", "the", "day"]
    spans = [" ".join(words[:count]) for count in range(1, 7)]
    numbers = [number(opened, span) for span in spans]
    assert -1 not in numbers
    assert [end - begin for _, _, begin, end in map(opened.node, numbers)] == [0, 0, 0, 0, 0, 1]
    assert number(opened, "in the end of the sure") == number(opened, "in of") == -1
    assert number(opened, "in the end of the day sure") == -1


def test_many_children(tmp_path):
    """The children of a node are found at any place among many, beyond one block of 64 numbers."""
    words = [f"w{index:03}" for index in range(300)]
    lines = "".join(f"1\n{words[index % 7]} {word}\n{word}\n" for index, word in enumerate(words))
    source, folder = tmp_path / "many.gz", tmp_path / "many"
    source.write_bytes(gzip.compress(lines.encode()))
    folder.mkdir()
    compile_paraphrases(source, folder, lambda _: None)
    opened = open_paraphrases(folder)
    for first in words[:9]:
        for index, word in enumerate(words):
            found = number(opened, f"{first} {word}")
            assert (found >= 0) == (words[index % 7] == first)
            if found >= 0:
                assert targets(opened, f"{first} {word}", [word]) == [word]


def test_not_installed(cache):
    """A table that is not installed says how to install it."""
    with pytest.raises(ResourceMissing) as caught:
        open_paraphrases("paraphrase-en")
    assert str(caught.value) == (
        "resource 'paraphrase-en' is not installed: run `meteorlib resources install paraphrase-en`"
    )
    with pytest.raises(ResourceMissing, match=r"install paraphrase-de --from meteor-1\.5\.tar\.gz`"):
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


@pytest.mark.parametrize(
    "file",
    ["words.records", "nodes.u32", "targets.u32", "children.u32"],
)
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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"resource": 1', '{"format": 6, "x": 2}', "\x00"])
def test_broken_manifest(index, text):
    """A manifest that is not one is damage, not a traceback."""
    (index / "manifest.json").write_text(text)
    with pytest.raises(ResourceDamaged, match=r"manifest\.json cannot be read"):
        open_paraphrases(index)


@pytest.mark.parametrize(("key", "value"), [("format", 0), ("format", 5), ("format", 99), ("byteorder", "middle")])
def test_other_version_or_machine(index, key, value):
    """An index of another layout or byte order is not used, and the message says that it is to be made anew."""
    evolve(Manifest.read(index, ""), **{key: value}).write(index)
    told = r"was made by (another|a newer) version of meteorlib.* this one reads format 6.* the index is then rebuilt"
    with pytest.raises(ResourceDamaged, match=told):
        open_paraphrases(index)


def test_changed_manifest(index, table):
    """A manifest is right to the letter; one that was made before it had a check of its own is taken without."""
    path = index / "manifest.json"
    fields = json.loads(path.read_text())
    source = hashlib.sha256(table.read_bytes()).hexdigest()
    path.write_text(json.dumps({**fields, "source_sha256": "0" * 64}))
    with pytest.raises(ResourceDamaged, match=r"manifest\.json has been changed"):
        open_paraphrases(index)
    del fields["crc32"]
    path.write_text(json.dumps(fields))
    assert open_paraphrases(index).source_sha256 == source
    path.write_text(json.dumps({**fields, "files": {}}))
    with pytest.raises(ResourceDamaged, match="does not name the files of an index"):
        open_paraphrases(index)


def test_trie_that_is_none(index):
    """A file that is no trie is damage, even if the manifest has its digest."""
    path = index / "words.records"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(ResourceDamaged, match=r"words\.records has been changed"):
        open_paraphrases(index)
    manifest = Manifest.read(index, "")
    of_now = {path.name: (path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())}
    evolve(manifest, files={**manifest.files, **of_now}).write(index)
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
    known = {target for targets_ in expected.values() for target in targets_}
    spelled = {number(opened, phrase): phrase for phrase in known}
    for source, paraphrases in expected.items():
        _, _, begin, end = opened.node(number(opened, source))
        assert [spelled[target] for target in opened.targets[begin:end]] == paraphrases
