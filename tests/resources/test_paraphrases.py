"""Paraphrase tables: lookups in an index, and unusable indexes."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import logging
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.meteor_tables import ParaphraseTable, open_paraphrases, open_table
from meteorlib.resources.paraphrase_compiler import compile_paraphrases
from meteorlib.resources.store import index as index_module
from meteorlib.resources.store.index import cached_index
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.store.shared_files import current_version
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
    with pytest.raises(ResourceDamaged, match="cannot be read"):
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


def test_a_file_is_compiled_once(cache, table, entries):
    """The index goes into the cache folder, named by the digest of the file, and is used again, for copies too."""
    index = cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file")
    target = cache / "tables" / hashlib.sha256(table.read_bytes()).hexdigest()
    assert index == current_version(target)
    before = index.stat().st_ino
    copy = table.with_name("copy.gz")
    copy.write_bytes(table.read_bytes())
    assert cached_index(copy, "meteorlib.resources.paraphrase_compiler:compile_file") == index
    assert index.stat().st_ino == before
    assert open_table(str(copy)).entry_count == len(entries)
    assert sorted(path.name for path in target.iterdir()) == sorted([index.name, "current"])
    assert sorted(path.name for path in target.parent.iterdir()) == [target.name, f"{target.name}.lock"]


def test_another_file_under_the_same_name(cache, table):
    """A file that has changed is another table."""
    before = cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file")
    table.write_bytes(gzip.compress(b"0.5\na\nb\n"))
    assert cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file") != before
    assert open_table(str(table)).entry_count == 1


@pytest.mark.parametrize("file", ["manifest.json", "words.records", "targets.u32"])
@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data[:-1] + bytes([data[-1] ^ 1])])
def test_a_damaged_index_is_made_anew(cache, table, entries, file, damage):
    """An index that is damaged, even if its sizes are right, is made anew; the table is at hand."""
    path = cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file") / file
    path.chmod(0o600)
    path.write_bytes(damage(path.read_bytes()))
    opened = open_table(str(table))
    assert opened.entry_count == len(entries)
    assert targets(opened, "café", ["кафе \U0001f600"]) == ["кафе \U0001f600"]


def test_at_the_same_time(cache, table, entries):
    """Threads that want the same table make one index."""
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(open_table, [str(table)] * 8))
    assert {one.entry_count for one in opened} == {len(entries)}
    assert len([path for path in (cache / "tables").iterdir() if path.is_dir()]) == 1


@pytest.mark.parametrize(("large", "level"), [(0, logging.WARNING), (10**9, logging.INFO)])
def test_compiling_is_told(cache, table, monkeypatch, caplog, large, level):
    """The log records a compilation, a long one as a warning; a table that is compiled already is not logged."""
    monkeypatch.setattr(index_module, "LARGE_FILE", large)
    caplog.set_level(logging.INFO)
    cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file")
    cached_index(table, "meteorlib.resources.paraphrase_compiler:compile_file")
    assert [record.levelno for record in caplog.records] == [level]
    assert caplog.messages == [f"compiling {table} (0.0 MB) into {cache / 'tables'}; this happens only once"]


def test_no_table(cache, tmp_path):
    """A file that is not there is missing, a name that is no path unknown, and the message says what to do."""
    with pytest.raises(ResourceMissing) as caught:
        open_table(str(tmp_path / "none.gz"))
    assert str(caught.value) == (
        f"resource '{tmp_path / 'none.gz'}' is not installed: the file cannot be read ({os.strerror(errno.ENOENT)});"
        " check the path"
    )
    with pytest.raises(UnknownName, match="unknown paraphrase table 'paraphrase-dee'"):
        open_table("paraphrase-dee")


def test_damaged_table(cache, tmp_path):
    """A file that is no table is refused, and nothing of it stays."""
    path = tmp_path / "paraphrase.gz"
    for data, reason in [(b"text", "not gzip"), (gzip.compress(b"a\nb\n"), "multiple of three"), (b"", "no entry")]:
        path.write_bytes(data)
        with pytest.raises(ResourceDamaged, match=f"{path}, line .*{reason}"):
            open_table(str(path))
    assert not [entry for entry in (cache / "tables").iterdir() if entry.suffix != ".lock"]


def test_cache_folder_that_cannot_be_made(monkeypatch, table):
    """Without a place for the index, the message names the variable that gives it another."""
    monkeypatch.setenv("METEORLIB_CACHE", str(table))
    with pytest.raises(ResourceMissing, match="make room or set METEORLIB_CACHE to another folder"):
        open_table(str(table))


def test_empty_table(cache, tmp_path):
    """A table without entries gives no matches, as in METEOR 1.5."""
    path = tmp_path / "paraphrase.gz"
    path.write_bytes(gzip.compress(b""))
    stages = (
        load_preset("meteor-1.5-fr").stages[0],
        evolve(load_preset("meteor-1.5-fr").stages[2], resource=str(path)),
    )
    scorer = Scorer(evolve(load_preset("meteor-1.5-fr"), stages=stages))
    assert scorer.align("le chat dort", "le chien dort").matches == ((0, 1, 0, 1, 0), (2, 1, 2, 1, 0))


@pytest.fixture
def new(tmp_path, table):
    """A folder for a new language, as METEOR 1.5's -new takes it."""
    folder = tmp_path / "meteor-files"
    folder.mkdir()
    table.rename(folder / "paraphrase.gz")
    (folder / "function.words").write_text("of\nThe\n")
    return folder


@pytest.mark.parametrize("way", ["yaml", "python"])
def test_new_language(cache, new, tmp_path, way):
    """`resources` names the folder of function words, taken as they are, and paraphrases."""
    (tmp_path / "my.yaml").write_text("presets: {mine: {extends: meteor-1.5-universal, resources: meteor-files}}")
    scorer = (
        Scorer.from_file(tmp_path / "my.yaml")
        if way == "yaml"
        else Scorer(evolve(load_preset("meteor-1.5-universal"), resources=str(new)))
    )
    result = scorer.score("The end of OF course", "the end naturally of")
    assert result.statistics.reference_function_words == 2
    assert result.statistics.hypothesis_function_words == 1
    assert (3, 2, 2, 1, 1) in result.alignment.matches
    assert "paraphrase(paraphrase.gz@" in scorer.signature.numbers
    assert "|function_words:function.words@" in scorer.signature.numbers
    assert str(tmp_path) not in str(scorer.signature)
    assert scorer.signature.eval_id == "meteor-1.5-wo-other-lc_only-0.7_1.4_0.3_0.7-ex_pa-1.0_0.6"


def test_new_language_without_files(cache, new, tmp_path):
    """Missing files of the folder are named; without a folder the message says how to name one."""
    universal = load_preset("meteor-1.5-universal")
    with pytest.raises(ResourceMissing) as caught:
        Scorer(universal)
    assert str(caught.value) == (
        f"resource 'function.words' is not installed: the file cannot be read ({os.strerror(errno.ENOENT)});"
        " check the path, or name its folder with 'resources: FOLDER' in a preset that extends this one"
    )
    (new / "function.words").unlink()
    with pytest.raises(ResourceMissing, match=r"meteor-files/function\.words' is not installed: .* check the path"):
        Scorer(evolve(universal, resources=str(new)))
    (new / "function.words").write_bytes(b"\xff")
    with pytest.raises(InvalidText, match=r"function\.words:1: byte 0 of the line is not UTF-8"):
        Scorer(evolve(universal, resources=str(new)))


@pytest.mark.parametrize("code", ["cz", "de", "es", "fr", "ru"])
def test_tables_of_other_languages(cache, table, code):
    """Without the table of a language the message says where it comes from; with it the preset works."""
    from meteorlib.resources.install import install

    with pytest.raises(ResourceMissing) as caught:
        Scorer(f"meteor-1.5-{code}")
    assert str(caught.value).endswith(
        f"`meteorlib resources install paraphrase-{code} --from meteor-1.5.tar.gz`; "
        f"preset meteor-1.5-{code}-core works without it"
    )
    install(f"paraphrase-{code}", table)
    assert Scorer(f"meteor-1.5-{code}").align("sure x", "y of course").matches == ((0, 1, 1, 2, 2 - (code == "cz")),)
