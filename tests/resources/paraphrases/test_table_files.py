"""Paraphrase tables that are files: compiled once, under their digest."""

from __future__ import annotations

import errno
import gzip
import hashlib
import logging
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.paraphrases import table_files
from meteorlib.resources.paraphrases.table_files import cached_index, open_table
from meteorlib.resources.store.versions import current_version
from tests.resources.phrases import targets


def test_a_file_is_compiled_once(cache, table, entries):
    """The index goes into the cache folder, named by the digest of the file, and is used again, for copies too."""
    index = cached_index(table)
    target = cache / "tables" / hashlib.sha256(table.read_bytes()).hexdigest()
    assert index == current_version(target)
    before = index.stat().st_ino
    copy = table.with_name("copy.gz")
    copy.write_bytes(table.read_bytes())
    assert cached_index(copy) == index
    assert index.stat().st_ino == before
    assert open_table(str(copy)).entry_count == len(entries)
    assert sorted(path.name for path in target.iterdir()) == sorted([index.name, "current"])
    assert sorted(path.name for path in target.parent.iterdir()) == [target.name, f"{target.name}.lock"]


def test_another_file_under_the_same_name(cache, table):
    """A file that has changed is another table."""
    before = cached_index(table)
    table.write_bytes(gzip.compress(b"0.5\na\nb\n"))
    assert cached_index(table) != before
    assert open_table(str(table)).entry_count == 1


@pytest.mark.parametrize("file", ["manifest.json", "words.records", "targets.u32"])
@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data[:-1] + bytes([data[-1] ^ 1])])
def test_a_damaged_index_is_made_anew(cache, table, entries, file, damage):
    """An index that is damaged, even if its sizes are right, is made anew; the table is at hand."""
    path = cached_index(table) / file
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
    monkeypatch.setattr(table_files, "LARGE_FILE", large)
    caplog.set_level(logging.INFO)
    cached_index(table)
    cached_index(table)
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
