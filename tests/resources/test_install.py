"""Installing: from every kind of source, interrupted, at the same time, and without room."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import zipfile

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources import install as module
from meteorlib.resources import meteor_archive
from meteorlib.resources.catalog import CATALOG, packaged_path
from meteorlib.resources.install import install, installed, remove, statuses
from meteorlib.resources.meteor_tables import compile_stems, open_paraphrases
from meteorlib.resources.paraphrase_compiler import compile_paraphrases
from meteorlib.resources.store import data_file, index, manifest
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.store.shared_files import current_version
from tests.resources.phrases import targets

NAME = "paraphrase-de"


def _content(cache):
    """Contents of the cache folder, without the record of verified files."""
    return sorted(path.name for path in cache.iterdir() if path.name != "verified")


def test_install_list_remove(cache, table, entries):
    """A table is missing, then installed and usable, then missing again."""
    assert installed(NAME) is None
    assert install(NAME, table) == installed(NAME) == cache / NAME
    opened = open_paraphrases(NAME)
    assert opened.entry_count == len(entries)
    assert opened.source_sha256 == hashlib.sha256(table.read_bytes()).hexdigest()
    assert _content(cache) == [NAME, f"{NAME}.lock"]
    assert remove(NAME)
    assert installed(NAME) is None
    assert not remove(NAME)


def test_packaged(cache):
    """Packaged data is available, is not written and cannot be removed."""
    assert install("wordnet-en") == installed("wordnet-en") == packaged_path("wordnet-en")
    assert not remove("wordnet-en")
    assert not cache.exists()


def test_unknown_name(cache):
    """A name that is not in the catalog is an error everywhere."""
    for call in (install, installed, remove):
        with pytest.raises(UnknownName, match="unknown resource 'nonsense'"):
            call("nonsense")


def test_statuses(cache, table):
    """The list says of every resource its state, place, origin, license and size."""
    install(NAME, table)
    (cache / "paraphrase-en").mkdir()
    (cache / "paraphrase-en" / "manifest.json").write_text("{}")
    found = {status.name: status for status in statuses()}
    assert set(found) == set(CATALOG)
    states = ["wordnet-en", "paraphrase-de", "paraphrase-en", "paraphrase-fr"]
    assert [found[name].state for name in states] == ["packaged", "installed", "damaged", "missing"]
    assert found["wordnet-en"].size == sum(path.stat().st_size for path in packaged_path("wordnet-en").iterdir())
    assert found[NAME].size == sum(path.stat().st_size for path in current_version(cache / NAME).iterdir())
    assert (found["paraphrase-fr"].path, found["paraphrase-fr"].size) == (None, 0)
    assert all(status.license and status.origin for status in found.values())


def test_damaged_package(cache, tmp_path, monkeypatch):
    """Packaged data that were changed are listed as damaged and cannot be installed, but with meteorlib."""
    copy = tmp_path / "copy"
    monkeypatch.setattr(data_file, "packaged_path", lambda _: copy)
    copy.write_bytes(packaged_path("function-words-de").read_bytes())
    assert {status.name for status in statuses() if status.state == "packaged"} == {"function-words-de"}
    with pytest.raises(ResourceDamaged, match="install meteorlib again"):
        install("function-words-en")


@pytest.mark.parametrize("kind", ["folder", "data folder", "distribution in a folder", "tar.gz", "zip", "whl"])
def test_sources(cache, table, tmp_path, kind):
    """The table is found in a METEOR distribution, unpacked or not, and in the wheel."""
    folder = tmp_path / "meteor-1.5"
    (folder / "data").mkdir(parents=True)
    table.rename(folder / "data" / table.name)
    source = {"folder": folder, "data folder": folder / "data", "distribution in a folder": tmp_path}.get(kind)
    if source is None:
        source = tmp_path / f"meteor.{kind}"
        inner = f"pycocoevalcap/meteor/data/{table.name}" if kind == "whl" else f"meteor-1.5/data/{table.name}"
        if kind == "tar.gz":
            with tarfile.open(source, "w:gz") as archive:
                archive.add(folder, "meteor-1.5")
        else:
            with zipfile.ZipFile(source, "w") as archive:
                archive.write(folder / "data" / table.name, inner)
    install(NAME, source)
    assert open_paraphrases(NAME).entry_count == 8
    assert _content(cache) == [NAME, f"{NAME}.lock"]


@pytest.mark.parametrize("kind", ["nothing", "empty folder", "zip", "tar.gz"])
def test_source_without_the_table(cache, tmp_path, kind):
    """A source that is not there or does not hold the table is named; nothing is left."""
    source = tmp_path / f"x.{kind}"
    if kind == "empty folder":
        source.mkdir()
    elif kind == "zip":
        zipfile.ZipFile(source, "w").close()
    elif kind == "tar.gz":
        tarfile.open(source, "w:gz").close()
    with pytest.raises(ResourceMissing, match=r"there is no file|does not hold data/paraphrase-de\.gz"):
        install(NAME, source)
    assert _content(cache) == [f"{NAME}.lock"]


@pytest.mark.parametrize("kind", ["tar.gz", "gz"])
def test_source_that_is_garbage(cache, tmp_path, kind):
    """A source that cannot be read is damaged; nothing is left."""
    source = tmp_path / f"x.{kind}"
    source.write_bytes(b"garbage" * 100)
    with pytest.raises(ResourceDamaged, match="get the file anew"):
        install(NAME, source)
    assert _content(cache) == [f"{NAME}.lock"]


def test_wrong_digest(cache, table):
    """If the catalog knows the digest, another file is refused and both sums are named."""
    with pytest.raises(ResourceDamaged) as caught:
        install("paraphrase-en", table)
    found = hashlib.sha256(table.read_bytes()).hexdigest()
    assert f"has sha256 {found} instead of {CATALOG['paraphrase-en'].sha256}" in str(caught.value)
    assert _content(cache) == ["paraphrase-en.lock"]


def test_installed_and_intact_is_left_alone(cache, table):
    """A second installation of the same table leaves the folder as it is."""
    version = current_version(install(NAME, table))
    assert install(NAME) == install(NAME, table) == cache / NAME
    assert current_version(cache / NAME) == version


@pytest.mark.parametrize("damage", ["cut", "changed", "no manifest"])
def test_damaged_is_replaced(cache, table, damage):
    """An index that is damaged, even if its sizes are right, is made anew."""
    install(NAME, table)
    file = current_version(cache / NAME) / "targets.u32"
    file.chmod(0o600)
    if damage == "cut":
        file.write_bytes(b"")
    elif damage == "changed":
        file.write_bytes(b"\0" * file.stat().st_size)
    else:
        (file.parent / "manifest.json").unlink()
    install(NAME, table)
    opened = open_paraphrases(NAME)
    assert targets(opened, "sure", ["of course"]) == ["of course"]
    assert _content(cache) == [NAME, f"{NAME}.lock"]


def test_another_table_replaces(cache, table, tmp_path):
    """Another table of the same name takes the place of the first, which an open reader keeps."""
    import gzip

    install(NAME, table)
    before = open_paraphrases(NAME)
    other = tmp_path / "other.gz"
    other.write_bytes(gzip.compress(b"1\nx\ny\n"))
    install(NAME, other)
    assert open_paraphrases(NAME).entry_count == 1
    assert targets(before, "sure", ["of course"]) == ["of course"]


def test_full_disk(cache, table, monkeypatch):
    """Without room there is a clear error and nothing is left."""

    def full(path, data):
        path.write_bytes(data[:1])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(manifest, "write_durably", full)
    with pytest.raises(ResourceMissing, match=f"{os.strerror(errno.ENOSPC)}; make room or set METEORLIB_CACHE"):
        install(NAME, table)
    assert _content(cache) == [f"{NAME}.lock"]


def test_cache_folder_that_cannot_be_made(monkeypatch, table):
    """A cache folder inside a file is a clear error."""
    monkeypatch.setenv("METEORLIB_CACHE", str(table))
    with pytest.raises(ResourceMissing, match="it could not be put into"):
        install(NAME, table)


def test_pip_is_asked_for_the_package(cache, table, tmp_path, monkeypatch):
    """Without a source the package is downloaded with this Python's pip, and nothing else."""
    resource = evolve(CATALOG["paraphrase-en"], sha256=hashlib.sha256(table.read_bytes()).hexdigest())
    monkeypatch.setattr(module, "find_resource", lambda _: resource)
    monkeypatch.setattr(index, "CATALOG", {**CATALOG, resource.name: resource})

    def pip(command, **_):
        assert command[:3] == [sys.executable, "-m", "pip"]
        assert command[-1] == "pycocoevalcap==1.2"
        assert {"download", "--no-deps"} <= set(command)
        folder = command[command.index("--dest") + 1]
        with zipfile.ZipFile(f"{folder}/pycocoevalcap-1.2-py3-none-any.whl", "w") as wheel:
            wheel.write(table, "pycocoevalcap/meteor/data/paraphrase-en.gz")
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(meteor_archive.subprocess, "run", pip)
    install("paraphrase-en")
    assert open_paraphrases("paraphrase-en").entry_count == 8
    assert _content(cache) == ["paraphrase-en", "paraphrase-en.lock"]


@pytest.mark.parametrize("output", [b"", b"WARNING: x\nERROR: No matching distribution found\n"])
def test_pip_fails(cache, monkeypatch, output):
    """If pip is offline, its last line is shown with another way to get the table."""
    failed = subprocess.CompletedProcess([], 1, b"", output)
    monkeypatch.setattr(meteor_archive.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(ResourceMissing) as caught:
        install("paraphrase-en")
    reason = "ERROR: No matching distribution found" if output else "it ended with 1"
    assert str(caught.value) == (
        f"resource 'paraphrase-en' is not installed: pip could not download pycocoevalcap==1.2 ({reason}); get that "
        "package or paraphrase-en.gz of METEOR 1.5 by other means and run `meteorlib resources install paraphrase-en "
        "--from FILE`"
    )
    assert _content(cache) == ["paraphrase-en.lock"]


def test_without_pip(cache, monkeypatch):
    """In an environment without pip, such as uv's, the error says how to get it or do without it."""
    monkeypatch.setattr(meteor_archive, "find_spec", lambda _: None)
    monkeypatch.setattr(meteor_archive.subprocess, "run", None)
    with pytest.raises(ResourceMissing) as caught:
        install("paraphrase-en")
    assert str(caught.value) == (
        "resource 'paraphrase-en' is not installed: it is in pycocoevalcap==1.2, and this environment has no pip to "
        "download that with; run `python -m ensurepip` (or `uv pip install pip`), then `meteorlib resources install "
        "paraphrase-en` again; or get that package or paraphrase-en.gz of METEOR 1.5 by other means and run `meteorlib "
        "resources install paraphrase-en --from FILE`"
    )


def test_no_package_has_it(cache):
    """A table that no package carries needs --from."""
    with pytest.raises(ResourceMissing) as caught:
        install(NAME)
    assert str(caught.value) == (
        "resource 'paraphrase-de' is not installed: it cannot be downloaded alone. With METEOR 1.5 "
        "(http://www.cs.cmu.edu/~alavie/METEOR/): `meteorlib resources install paraphrase-de --from "
        "meteor-1.5.tar.gz`; preset meteor-1.5-de-core works without it"
    )


def test_index_of_an_older_version(cache, table):
    """An index in an older format is refused, with the command that makes it anew; that command does."""
    folder = current_version(install(NAME, table))
    (folder / "manifest.json").chmod(0o600)
    evolve(Manifest.read(folder, NAME), format=4).write(folder)
    told = rf"made by another version of meteorlib.*run `meteorlib resources install {NAME} --from FILE`"
    with pytest.raises(ResourceDamaged, match=told):
        open_paraphrases(NAME)
    install(NAME, table)
    assert open_paraphrases(NAME).entry_count == 8


def test_many_phrases(cache, tmp_path):
    """Both engines find the same phrases in a large table."""
    count = 1 << 16
    path = tmp_path / f"{NAME}.gz"
    entries = (f"1\nw{number} w{7 * number % count}\nw{(number + 1) % count}\n" for number in range(count))
    path.write_bytes(gzip.compress("".join(entries).encode(), 1))
    install(NAME, path)
    compiled, reference = (Scorer("meteor-1.5-de", implementation=way) for way in ("auto", "python"))
    for number in (0, count - 1, *range(1, count, 997)):
        pair = f"ja w{number} w{7 * number % count}", f"ja w{(number + 1) % count} nein"
        scored = compiled.score(*pair)
        assert [match.stage > 0 for match in scored.alignment.matches] == [False, True]
        assert (scored.score, scored.alignment) == (reference.score(*pair).score, reference.score(*pair).alignment)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["zip", "tar.gz", "jar in zip", "jar in tar.gz", "header of tar.gz"])
def test_members_without_end(cache, tmp_path, monkeypatch, kind):
    """A member of an archive is unpacked no further than shows that it is too large."""
    monkeypatch.setattr(meteor_archive, "MAX_MEMBER_BYTES", 5_000_000)
    source, size = tmp_path / f"archive.{kind.rpartition(' ')[2]}", 62_000_000
    name, member = ("arabic", "meteor-1.5.jar") if "jar" in kind else ("paraphrase-en", "data/paraphrase-en.gz")
    if source.suffix == ".zip":
        with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(member, bytes(size))
    else:
        with tarfile.open(source, "w:gz", compresslevel=1) as archive:
            entry = tarfile.TarInfo(member)
            entry.size = size
            entry.type = tarfile.XHDTYPE if "header" in kind else tarfile.REGTYPE
            archive.addfile(entry, io.BytesIO(bytes(size)))
    with pytest.raises(ResourceDamaged, match=r"more than (61,813,011|5,000,000|1,048,576) bytes"):
        install(name, source)


@pytest.mark.parametrize("name", ["arabic", "paraphrase-fr"])
def test_lines_without_end(cache, tmp_path, name):
    """A packed table with a line without an end is not read to its end."""
    source = tmp_path / f"{name}.gz"
    source.write_bytes(gzip.compress(bytes(20_000_000), 1))
    compiler = {"arabic": compile_stems, "paraphrase-fr": compile_paraphrases}[name]
    with pytest.raises(ResourceDamaged, match=r"has more than [0-9,]* bytes"):
        compiler(source, tmp_path, lambda _share: None, name)
