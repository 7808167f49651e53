"""An index: verified once for each state of its files, and watched while it is in use."""

from __future__ import annotations

import os
import sys
import time

import pytest

from meteorlib import Scorer
from meteorlib.core.segment import Pair
from meteorlib.engine.implementation import VARIABLE, load_kernel
from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.install import remove
from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.store import shared_files
from meteorlib.resources.store.data_file import CLOCK_TICK, DataFile, FileState
from meteorlib.resources.store.manifest import Manifest

NAME = "paraphrase-de"
PRESET = "meteor-1.5-de"
PAIR = "sure thing", "of course thing"


@pytest.fixture
def digests(monkeypatch):
    """The names of the files whose digests are taken."""
    taken = []
    sha256 = DataFile.sha256

    def counted(self):
        taken.append(self.path.name)
        return sha256(self)

    monkeypatch.setattr(DataFile, "sha256", counted)
    return taken


@pytest.fixture(params=["compiled", "python"])
def engine(request, monkeypatch):
    """Both engines."""
    load_kernel.cache_clear()
    monkeypatch.setenv(VARIABLE, str(int(request.param == "python")))
    if request.param == "compiled" and load_kernel() is None:
        pytest.skip("built without the compiled kernel")
    yield
    load_kernel.cache_clear()


def _wait():
    """Until the file system's clock has gone on."""
    time.sleep(2 * CLOCK_TICK / 1e9)


def _overwrite(path, data):
    """Write to a file in place, and leave its time of modification as it is."""
    status = path.stat()
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _forget():
    """State that this process remembers, apart from the disk."""
    shared_files._verified.clear()


def test_digests_are_taken_once(index, digests):
    """Installing verifies; afterwards no digest is taken, in this process or another, until a file is touched."""
    open_paraphrases(NAME)
    _forget()
    open_paraphrases(NAME)
    assert digests == []
    os.utime(index / "targets.u32")
    open_paraphrases(NAME)
    assert sorted(digests) == sorted(Manifest.read(index, NAME).files)
    _wait()
    open_paraphrases(NAME)
    digests.clear()
    _forget()
    open_paraphrases(NAME)
    assert digests == []


def test_what_has_just_been_written_is_not_remembered(index, digests):
    """A file could change twice within a tick of the file system's clock: no verdict outlives that."""
    os.utime(index / "targets.u32")
    for _ in range(2):
        digests.clear()
        open_paraphrases(NAME)
        assert digests
    assert FileState(1, time.time_ns(), 0, 0).is_settled() is False
    assert FileState(1, time.time_ns() - 3 * 10**9, 0, 0).is_settled() is True
    assert FileState(1, (time.time_ns() // 10**9 - 1) * 10**9, 0, 0).is_settled() is False


@pytest.mark.skipif(sys.platform == "win32", reason="the time of a change is not kept there")
def test_same_size_and_time(index):
    """A file of the same size whose time of modification was set back is another one all the same."""
    file = index / "targets.u32"
    _overwrite(file, file.read_bytes()[::-1])
    with pytest.raises(ResourceDamaged, match=rf"targets\.u32 has been changed; run .*install {NAME} --from FILE`"):
        open_paraphrases(NAME)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda _: b"", lambda data: data.replace(b"=", b"-")])
def test_damaged_verdict(index, digests, damage):
    """A verdict that is half written, or of something else, is as good as none, and is written anew."""
    (place,) = (index.parent.parent / shared_files.VERDICTS).iterdir()
    good = place.read_bytes()
    place.write_bytes(damage(good))
    _forget()
    open_paraphrases(NAME)
    assert digests
    assert place.read_bytes() == good


def test_cache_folder_that_cannot_be_written(index, digests, table, monkeypatch):
    """An index that is elsewhere is verified once in each process where the verdict cannot be kept."""
    monkeypatch.setenv("METEORLIB_CACHE", str(table))
    open_paraphrases(index)
    assert digests
    digests.clear()
    open_paraphrases(index)
    assert digests == []
    _forget()
    open_paraphrases(index)
    assert digests


def test_file_that_cannot_be_read(index, monkeypatch):
    """A disk that fails is damage."""
    os.utime(index / "nodes.u32")
    monkeypatch.setattr(os, "pread", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")), raising=False)
    with pytest.raises(ResourceDamaged, match="cannot be read"):
        open_paraphrases(NAME)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be changed there")
@pytest.mark.parametrize("name", ["targets.u32", "nodes.u32", "children.u32"])
@pytest.mark.parametrize("damage", [lambda data: data[4:] + data[:4], lambda _: b""])
def test_changed_while_in_use(index, engine, name, damage):
    """A file that is written to in place, or cut short, ends in an error at the very next segment, and for good."""
    _wait()
    scorer = Scorer(PRESET)
    right = scorer.score(*PAIR).score
    file = index / name
    data = file.read_bytes()
    _overwrite(file, damage(data))
    message = rf"{name} has been changed while it was in use; run `meteorlib resources install {NAME}"
    with pytest.raises(ResourceDamaged, match=message):
        scorer.score(*PAIR)
    with pytest.raises(ResourceDamaged, match=message):
        scorer.totals([Pair([PAIR[0]], PAIR[1])])
    with pytest.raises(ResourceDamaged, match=message):
        scorer.align(*PAIR)
    _overwrite(file, data)
    with pytest.raises(ResourceDamaged, match=message):
        scorer.score(*PAIR)
    assert Scorer(PRESET).score(*PAIR).score == right


def test_words_are_read_once(index, engine):
    """Words are read once, as a copy: later changes of the files do not affect it."""
    scorer = Scorer(PRESET)
    right = scorer.score(*PAIR)
    for name in ("words.records",):
        _overwrite(index / name, b"")
    assert scorer.score("naturally " + PAIR[0], "sure " + PAIR[1]).score > 0
    assert scorer.score(*PAIR).score == right.score


def test_touched_or_removed_while_in_use(index, engine, digests):
    """A touched or removed file with the same bytes stays usable; it is verified once more."""
    scorer = Scorer(PRESET)
    right = scorer.score(*PAIR).score
    os.utime(index / "nodes.u32")
    assert scorer.score(*PAIR).score == right
    assert digests == ["nodes.u32"]
    assert remove(NAME)
    assert scorer.score(*PAIR).score == scorer.score(*PAIR).score == right
    assert len(digests) == 4
    with pytest.raises(ResourceMissing):
        Scorer(PRESET)
