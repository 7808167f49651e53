"""An index that others replace, remove or could write to."""

from __future__ import annotations

import shutil
import sys

import pytest
from attrs import evolve

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.install import remove
from meteorlib.resources.paraphrases import index as module
from meteorlib.resources.paraphrases.index import Index
from meteorlib.resources.paraphrases.table import open_paraphrases
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.store.staging import remove_leftovers
from tests.resources.phrases import targets

NAME = "paraphrase-de"


def test_index_of_another_name(index):
    """The index of one language in the place of another is not taken for it."""
    shutil.copytree(index, index.with_name("paraphrase-fr"))
    with pytest.raises(ResourceDamaged, match="is of another table; run `meteorlib resources install paraphrase-fr"):
        open_paraphrases("paraphrase-fr")


@pytest.mark.skipif(sys.platform == "win32", reason="files are not protected there")
def test_files_are_read_only(index):
    """Nobody writes to an installed index by accident."""
    assert not any(path.stat().st_mode & 0o222 for path in index.iterdir())


def test_replaced_while_it_is_opened(index, tmp_path, monkeypatch):
    """Who opens an index while another takes its place gets the new one, and no error."""
    other = tmp_path / "new"
    shutil.copytree(index, other)
    (other / "manifest.json").chmod(0o600)
    evolve(Manifest.read(other, NAME), entries=77).write(other)
    opened = Index._open

    def replace(self, path):
        if path.name == "targets.u32" and other.exists():
            index.rename(tmp_path / "old")
            other.rename(index)
            (tmp_path / "old" / "targets.u32").unlink()
            path = tmp_path / "old" / "targets.u32"
        return opened(self, path)

    monkeypatch.setattr(Index, "_open", replace)
    assert open_paraphrases(NAME).entry_count == 77


def test_nothing_there_for_a_moment(index, monkeypatch):
    """Between two renames there is no index: who comes then waits."""
    staging = index.parent / f".{NAME}.x.part"
    staging.mkdir()
    index.rename(staging / "replaced")
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            (staging / "replaced").rename(index)

    monkeypatch.setattr(module.time, "sleep", sleep)
    assert targets(open_paraphrases(NAME), "sure", ["of course"]) == ["of course"]
    assert len(waits) == 3


def test_killed_between_two_renames(index):
    """What was there before comes back."""
    staging = index.parent / f".{NAME}.x.part"
    staging.mkdir()
    index.rename(staging / "replaced")
    with pytest.raises(ResourceMissing):
        open_paraphrases(NAME)
    remove_leftovers(index)
    assert not staging.exists()
    assert targets(open_paraphrases(NAME), "sure", ["of course"]) == ["of course"]


def test_removed_while_it_is_opened(index, monkeypatch):
    """Who opens an index while it is removed is told that there is none, not that it is damaged."""
    opened = Index._open

    def vanish(self, path):
        remove(NAME)
        return opened(self, path)

    monkeypatch.setattr(Index, "_open", vanish)
    with pytest.raises(ResourceMissing):
        open_paraphrases(NAME)
