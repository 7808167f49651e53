"""Bad days: interruptions at every step, full disks, other versions of the package, and files that Windows keeps."""

from __future__ import annotations

import gc
import gzip
import sys
from itertools import count
from pathlib import Path

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources import install as module
from meteorlib.resources.install import install, installed, remove
from meteorlib.resources.meteor_tables import open_table
from meteorlib.resources.store import shared_files
from meteorlib.resources.store.manifest import FORMAT, MANIFEST, Manifest
from meteorlib.resources.store.shared_files import POINTER, current_version, write_atomically
from tests.file_operations import Interruption, Killed, intercepted, refuse_open_files

NAME, PRESET = "paraphrase-de", "meteor-1.5-de"
PAIR = "sure thing", "of course thing"
ENTRIES = {"old": [("sure", "of course")], "new": [("sure thing", "of course thing"), ("a", "b")]}
MANY_STEPS = 200

linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are found in /proc")

endings = pytest.mark.parametrize(
    "error",
    [pytest.param(KeyboardInterrupt(), id="Ctrl-C", marks=pytest.mark.thorough), pytest.param(None, id="kill -9")],
)


@pytest.fixture
def tables(tmp_path, monkeypatch) -> dict[str, Path]:
    """Two tables that give `PAIR` different scores."""
    monkeypatch.setattr(module, "CLOCK_TICK", 0)  # nothing waits for the clock of the file system
    found = {}
    for name, entries in ENTRIES.items():
        found[name] = tmp_path / f"{name}.gz"
        text = "".join(f"1\n{source}\n{target}\n" for source, target in entries)
        found[name].write_bytes(gzip.compress(text.encode()))
    return found


@pytest.fixture
def right(tables, tmp_path, monkeypatch) -> dict[str, str]:
    """The right outcome by table, and without a table."""
    found = {"none": "missing"}
    for name, table in tables.items():
        monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / f"apart-{name}"))
        install(NAME, table)
        found[name] = _outcome()
    assert len(set(found.values())) == 3
    return found


def _outcome() -> str:
    """Result for a user of the preset: a score, or the message that the table is missing."""
    shared_files._verified.clear()
    try:
        scored = Scorer(PRESET).score(*PAIR)
    except ResourceMissing as error:
        return "missing" if f"meteorlib resources install {NAME}" in error.remedy else str(error)
    return repr((scored.score, scored.alignment.matches))


def _content(target):
    """Contents of the folder of a resource, without the name of its version."""
    version = current_version(target)
    return sorted("version" if path == version else path.name for path in target.iterdir())


def _without_versions(target):
    """Store a resource as releases up to 0.1 did."""
    version = current_version(target)
    for path in version.iterdir():
        path.rename(target / path.name)
    version.rmdir()
    (target / POINTER).unlink()


@linux
@endings
@pytest.mark.parametrize(
    "before", ["none", *[pytest.param(name, marks=pytest.mark.thorough) for name in ("old", "flat")]]
)
def test_interrupted_installation(tables, right, tmp_path, monkeypatch, before, error):
    """Before whichever file operation an installation ends: old or new scores, no others; the next one mends all."""
    for number in count():
        assert number < MANY_STEPS
        cache = tmp_path / f"cache-{number}"
        monkeypatch.setenv("METEORLIB_CACHE", str(cache))
        if before != "none":
            install(NAME, tables["old"])
        if before == "flat":
            _without_versions(cache / NAME)
        interruption = Interruption(cache, number, error)
        try:
            with intercepted(interruption):
                install(NAME, tables["new"])
        except (KeyboardInterrupt, Killed):
            pass
        outcome = _outcome()
        assert outcome in {right["new"], right["none" if before == "none" else "old"]}, number
        if interruption.happened and isinstance(error, KeyboardInterrupt) and before == "none":
            assert outcome == right["new"] or not (cache / NAME).exists(), number  # cleaned up at once
        install(NAME, tables["new"])
        assert _outcome() == right["new"], number
        assert _content(cache / NAME) == [POINTER, "version"], number
        if not interruption.happened:
            break
    assert number > 10


@linux
@endings
@pytest.mark.parametrize("flat", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_interrupted_removal(tables, right, tmp_path, monkeypatch, flat, error):
    """If a removal stops before any file operation, the table is whole or gone; the next removal removes the rest."""
    for number in count():
        assert number < MANY_STEPS
        cache = tmp_path / f"cache-{number}"
        monkeypatch.setenv("METEORLIB_CACHE", str(cache))
        install(NAME, tables["old"])
        if flat:
            _without_versions(cache / NAME)
        interruption = Interruption(cache, number, error)
        try:
            with intercepted(interruption):
                remove(NAME)
        except (KeyboardInterrupt, Killed):
            pass
        assert _outcome() in {right["old"], right["none"]}, number
        remove(NAME)
        assert _outcome() == right["none"], number
        assert not (cache / NAME).exists(), number
        if not interruption.happened:
            break
    assert number > 5


@linux
@endings
def test_interrupted_first_use_of_a_table(tables, tmp_path, monkeypatch, error):
    """Before whichever file operation the first use of a table's file ends, the second use finds the right entries."""
    for number in count():
        assert number < MANY_STEPS
        monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / f"cache-{number}"))
        interruption = Interruption(tmp_path / f"cache-{number}", number, error)
        try:
            with intercepted(interruption):
                open_table(str(tables["new"]))
        except (KeyboardInterrupt, Killed):
            pass
        shared_files._verified.clear()
        assert open_table(str(tables["new"])).entry_count == 2, number
        if not interruption.happened:
            break
    assert number > 10


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_disk_that_fills(right, tables, tmp_path, monkeypatch):
    """Whichever byte of an installation finds no room: an error that says what to do, the old scores, nothing left."""
    import resource

    cache = tmp_path / "cache"
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    install(NAME, tables["old"])
    before = sorted((cache / NAME).rglob("*"))
    before_limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    sizes = {path.stat().st_size for path in current_version(tmp_path / "apart-new" / NAME).iterdir()}
    told = []
    for size in (0, 1, 20, *sorted(size - 1 for size in sizes), max(sizes)):
        expected = right["new"]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before_limits[1]))
        try:
            install(NAME, tables["new"])
        except ResourceMissing as error:
            told.append(error.remedy)
            expected = right["old"]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before_limits)
        assert _outcome() == expected
        assert (sorted((cache / NAME).rglob("*")) == before) == (expected == right["old"])
    assert len(told) == 3 + len(sizes)
    assert all("make room or set METEORLIB_CACHE to another folder" in remedy for remedy in told)
    assert _content(cache / NAME) == [POINTER, "version"]


@pytest.mark.parametrize("place", ["version", "folder"])
def test_index_of_a_newer_version(right, tables, cache, monkeypatch, place):
    """An index of a newer meteorlib, with fields unknown today, is refused; the message says what can be done."""
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    install(NAME, tables["new"])
    folder = current_version(cache / NAME)
    manifest = folder / MANIFEST
    evolve(Manifest.read(folder, NAME), format=FORMAT + 1)
    manifest.chmod(0o600)
    text = manifest.read_text("utf-8").replace(f'"format": {FORMAT}', f'"format": {FORMAT + 1}, "compression": "zstd"')
    manifest.write_text(text, "utf-8")
    if place == "folder":
        _without_versions(cache / NAME)
    with pytest.raises(ResourceDamaged) as caught:
        Scorer(PRESET)
    assert f"made by a newer version of meteorlib (format {FORMAT + 1}" in str(caught.value)
    choices = "update meteorlib, set METEORLIB_CACHE to another folder for this version, or rebuild the index"
    assert caught.value.remedy == f"{choices} for this version: run `meteorlib resources install {NAME} --from FILE`"
    install(NAME, tables["new"])
    assert _outcome() == right["new"]


def test_an_older_version_on_the_same_cache(right, tables, cache, monkeypatch):
    """If a release up to 0.1 replaces the folder, its data are used; the next installation replaces them."""
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    install(NAME, tables["old"])
    theirs = cache.with_name("theirs")
    monkeypatch.setenv("METEORLIB_CACHE", str(theirs))
    install(NAME, tables["new"])
    _without_versions(theirs / NAME)
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    (cache / NAME).rename(cache / "replaced")  # as those releases did
    (theirs / NAME).rename(cache / NAME)
    assert _outcome() == right["new"]
    install(NAME, tables["old"])
    assert _outcome() == right["old"]
    assert _content(cache / NAME) == [POINTER, "version"]


def test_names_that_differ_in_case_only(cache, tmp_path):
    """Names that are equal on some file systems: the second is refused on all; a folder found by it is not used."""
    source = tmp_path / "vectors.vec"
    source.write_text("cat 1 0\ndog 0 1\n", "utf-8")
    install("vectors-de", source)
    with pytest.raises(ResourceMissing, match=r"use vectors-de, or run `meteorlib resources remove vectors-de` first"):
        install("vectors-DE", source)
    assert installed("vectors-DE") is None
    (cache / "vectors-DE").symlink_to(cache / "vectors-de")  # as a file system that ignores case would find it
    from meteorlib.resources.word_vectors import open_vectors

    with pytest.raises(ResourceMissing, match="holds vectors-de, which on this file system has the same name"):
        open_vectors("vectors-DE")
    assert len(open_vectors("vectors-de")) == 2


@linux
def test_open_files_stay(right, tables, cache, monkeypatch):
    """Under Windows' rules: who has an index open keeps its scores while it is replaced and removed; later all goes."""
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    with intercepted(refuse_open_files):
        install(NAME, tables["old"])
        first = Scorer(PRESET)
        score = first.score(*PAIR)
        old = current_version(cache / NAME)
        install(NAME, tables["new"])
        assert _outcome() == right["new"]
        assert (old / "targets.u32").exists()
        assert first.score(*PAIR).score == score.score
        second = Scorer(PRESET)
        assert remove(NAME)
        assert not remove(NAME)
        assert installed(NAME) is None
        assert _outcome() == right["none"]
        assert repr((first.score(*PAIR).score, first.align(*PAIR).matches)) == right["old"]
        assert repr((second.score(*PAIR).score, second.align(*PAIR).matches)) == right["new"]
        install(NAME, tables["old"])
        assert _outcome() == right["old"]
        assert (old / "targets.u32").exists()
        del first, second
        gc.collect()
        install(NAME, tables["new"])
        assert _content(cache / NAME) == [POINTER, "version"]


@linux
def test_layout_without_versions_that_is_open(right, tables, cache, monkeypatch):
    """Under Windows' rules a folder of a release up to 0.1 that is in use is replaced, and its files go later."""
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    install(NAME, tables["old"])
    _without_versions(cache / NAME)
    with intercepted(refuse_open_files):
        first = Scorer(PRESET)
        score = first.score(*PAIR)
        install(NAME, tables["new"])
        assert _outcome() == right["new"]
        assert (cache / NAME / "targets.u32").exists()
        assert first.score(*PAIR).score == score.score
        del first
        gc.collect()
        install(NAME, tables["old"])
    assert _content(cache / NAME) == [POINTER, "version"]


@linux
def test_damaged_index_of_a_file_that_is_open(tables, cache, monkeypatch):
    """Under Windows' rules the index of a table's file is made anew while a damaged one is open."""
    monkeypatch.setenv("METEORLIB_CACHE", str(cache))
    with intercepted(refuse_open_files):
        first = open_table(str(tables["new"]))
        path = first.mapped[0].path
        manifest = path.parent / MANIFEST
        manifest.chmod(0o600)
        manifest.write_bytes(b"")
        assert open_table(str(tables["new"])).entry_count == first.entry_count == 2
        assert path.exists()


@linux
def test_file_open_in_another_program(tmp_path, monkeypatch):
    """Under Windows' rules a file that is open for a moment is replaced then; one that stays open is kept."""
    path = tmp_path / "scores.tsv"
    write_atomically(path, b"one")
    reader = path.open("rb")
    pauses = []

    def close(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            reader.close()

    monkeypatch.setattr(shared_files, "PAUSES", (0.25,) * 5)
    monkeypatch.setattr(shared_files.time, "sleep", close)
    with intercepted(refuse_open_files):
        write_atomically(path, b"two")
        assert pauses == [0.25] * 3
        with path.open("rb"), pytest.raises(PermissionError):
            write_atomically(path, b"three")
    assert path.read_bytes() == b"two"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
