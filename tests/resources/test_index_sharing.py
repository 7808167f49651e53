"""An index that others replace, remove or could write to."""

from __future__ import annotations

import gzip
import shutil
import sys

import pytest

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.install import install, installed, remove, statuses
from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.store.index import Index
from meteorlib.resources.store.shared_files import POINTER, current_version
from tests.resources.phrases import targets

NAME = "paraphrase-de"


def test_index_of_another_name(index):
    """The index of one language in the place of another is not taken for it."""
    shutil.copytree(index.parent, index.parent.with_name("paraphrase-fr"))
    with pytest.raises(ResourceDamaged, match="is of another table; run `meteorlib resources install paraphrase-fr"):
        open_paraphrases("paraphrase-fr")


@pytest.mark.skipif(sys.platform == "win32", reason="files are not protected there")
def test_files_are_read_only(index):
    """Nobody writes to an installed index by accident."""
    assert not any(path.stat().st_mode & 0o222 for path in index.iterdir())


def test_replaced_while_it_is_opened(index, tmp_path, monkeypatch):
    """If another version becomes the current one while an index is opened, that version is opened, without an error."""
    other = tmp_path / "other.gz"
    other.write_bytes(gzip.compress(b"1\nx\ny\n"))
    opened = Index._open

    def replace(self, path):
        if index.exists():
            install(NAME, other)
        return opened(self, path)

    monkeypatch.setattr(Index, "_open", replace)
    assert open_paraphrases(NAME).entry_count == 1
    assert not index.exists()


def test_removed_while_it_is_opened(index, monkeypatch):
    """Opening an index during its removal reports that there is none, not that it is damaged."""
    opened = Index._open

    def vanish(self, path):
        remove(NAME)
        return opened(self, path)

    monkeypatch.setattr(Index, "_open", vanish)
    with pytest.raises(ResourceMissing):
        open_paraphrases(NAME)


@pytest.mark.parametrize("damage", [b"", b"elsewhere", b"../paraphrase-fr", b"0" * 32])
def test_damaged_pointer(index, table, damage):
    """A pointer that leads nowhere is damage, which the command of the message repairs."""
    (index.parent / POINTER).write_bytes(damage)
    with pytest.raises(ResourceDamaged, match=f"run `meteorlib resources install {NAME} --from FILE`"):
        open_paraphrases(NAME)
    assert {status.name: status.state for status in statuses()}[NAME] == "damaged"
    install(NAME, table)
    assert targets(open_paraphrases(NAME), "sure", ["of course"]) == ["of course"]
    assert sorted(path.name for path in index.parent.iterdir()) == sorted([current_version(index.parent).name, POINTER])


@pytest.fixture
def flat(index):
    """A resource as installed by releases up to 0.1: its files are directly in its folder."""
    folder = index.parent
    for path in index.iterdir():
        path.rename(folder / path.name)
    index.rmdir()
    (folder / POINTER).unlink()
    return folder


def test_layout_without_versions(flat, table, tmp_path):
    """A resource without versions is found, left alone while it is intact, replaced by a version, and removed."""
    assert open_paraphrases(NAME).entry_count == 8
    assert install(NAME, table) == installed(NAME) == flat
    assert (flat / "manifest.json").is_file()
    before = open_paraphrases(NAME)
    other = tmp_path / "other.gz"
    other.write_bytes(gzip.compress(b"1\nx\ny\n"))
    install(NAME, other)
    assert sorted(path.name for path in flat.iterdir()) == sorted([current_version(flat).name, POINTER])
    assert open_paraphrases(NAME).entry_count == 1
    assert targets(before, "sure", ["of course"]) == ["of course"]


def test_remove_layout_without_versions(flat):
    """A resource without versions is removed whole, with what a killed process left beside it."""
    (flat.parent / f".{NAME}.0123.part" / "index").mkdir(parents=True)
    assert remove(NAME)
    assert installed(NAME) is None
    assert not [path for path in flat.parent.iterdir() if path.is_dir() and path.name != "verified"]
