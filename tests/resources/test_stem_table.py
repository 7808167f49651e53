"""Stem tables: METEOR 1.5's for Arabic in Buckwalter's letters, from each place that holds it."""

from __future__ import annotations

import gzip
import pickle
import tarfile
import zipfile

import pytest
from attrs import evolve

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources import install as module
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.install import install, remove
from meteorlib.resources.stemmers import stemmer
from meteorlib.resources.store import index
from meteorlib.resources.store.manifest import sha256_of
from meteorlib.resources.store.shared_files import current_version
from tests.resources.test_stemmers import ODD

FILE = "arabic-buckwalter-reduced.gz"
ROWS = "AlktAb 2031 kitAb 239 kAtib\nktAb 2151 kitAb 167 kAtib\n$&m 23 $u&om\n! 4938 !\n@@Ã 1 @Ã\n"


@pytest.fixture
def known(monkeypatch):
    """Lets the catalog know a table by the digest of a file."""

    def know(path):
        resource = evolve(CATALOG["arabic"], sha256=sha256_of(path))
        monkeypatch.setattr(module, "find_resource", lambda _name: resource)
        monkeypatch.setattr(index, "CATALOG", {**CATALOG, "arabic": resource})
        return path

    return know


@pytest.fixture
def table(cache, tmp_path, known):
    """A small table that the catalog knows."""
    path = tmp_path / FILE
    path.write_bytes(gzip.compress(ROWS.encode()))
    return known(path)


def test_stems(table):
    """A word has the stem that it was seen with most; one that is not in the table is its own."""
    install("arabic", table)
    stem = stemmer("arabic")
    assert [stem(word) for word in "AlktAb ktAb $&m ! @@Ã foo Alk".split()] == "kitAb kitAb $u&om ! @Ã foo Alk".split()
    assert [stem(word) for word in ODD] == ODD
    assert pickle.loads(pickle.dumps(stem))("AlktAb") == "kitAb"  # noqa: S301


def test_not_installed(cache):
    """Without the table the error says how to get it."""
    with pytest.raises(
        ResourceMissing, match=r"run `meteorlib resources install arabic` \(if you have METEOR's jar: --from JAR\)"
    ):
        stemmer("arabic")


@pytest.mark.parametrize("kind", ["table", "jar", "folder", "distribution", "tar.gz", "zip", "wheel", "resources"])
def test_sources(table, tmp_path, kind):
    """The table is found by itself, in METEOR's jar, and in whatever holds the jar."""
    source = tmp_path / "source"
    folder = source / "meteor-1.5"
    folder.mkdir(parents=True)
    jar = folder / "meteor-1.5.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(table, f"stem/{FILE}")
    made = {"table": table, "jar": jar, "folder": folder, "distribution": source}.get(kind)
    if kind in {"zip", "wheel"}:
        made = tmp_path / f"packed.{kind}"
        with zipfile.ZipFile(made, "w") as archive:
            archive.write(jar, "pycocoevalcap/meteor/meteor-1.5.jar")
    elif kind == "tar.gz":
        made = tmp_path / "meteor-1.5.tar.gz"
        with tarfile.open(made, "w:gz") as archive:
            archive.add(folder, "meteor-1.5")
    elif kind == "resources":
        jar.unlink()
        (folder / "stem").mkdir()
        (folder / "stem" / FILE).write_bytes(table.read_bytes())
        made = folder
    install("arabic", made)
    assert stemmer("arabic")("ktAb") == "kitAb"
    assert remove("arabic")


def test_source_without_the_table(table, tmp_path):
    """An archive without the table is an error that names the file looked for."""
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w") as archive:
        archive.writestr("x", "")
    with pytest.raises(ResourceMissing, match=f"does not hold stem/{FILE}"):
        install("arabic", tmp_path / "meteor-1.5.jar")


def test_another_file(cache, tmp_path):
    """Only METEOR's own table is taken: with another one the scores would be others."""
    path = tmp_path / FILE
    path.write_bytes(gzip.compress(ROWS.encode()))
    with pytest.raises(ResourceDamaged, match="has sha256"):
        install("arabic", path)


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"a 1 b\nlone\n"), gzip.compress(b"a 1 \xff\n"), gzip.compress(b"a 1 b")[:-9]],
    ids=["no gzip", "a word alone", "no UTF-8", "cut off"],
)
def test_no_table(cache, tmp_path, known, content):
    """An invalid table is an error that names it, and leaves nothing behind."""
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(ResourceDamaged, match=rf"{FILE}, line [12]: "):
        install("arabic", known(path))
    assert not (cache / "arabic").exists()


@pytest.mark.parametrize("place", [0, 20, -1])
def test_damaged(table, cache, place):
    """A changed byte of an installed table is found before any word is stemmed."""
    install("arabic", table)
    path = current_version(cache / "arabic") / "stems.records"
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.chmod(0o600)  # it was installed read-only
    path.write_bytes(data)
    with pytest.raises(ResourceDamaged, match="meteorlib resources install arabic"):
        stemmer("arabic")


@pytest.mark.oracle
def test_against_the_program(oracles, cache):
    """The table in the jar is the one that the catalog knows."""
    install("arabic", oracles / "meteor-1.5.jar")
    assert stemmer("arabic")("AlktAb") == "kitAb"
