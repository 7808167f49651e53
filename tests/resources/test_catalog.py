"""The catalog and the packaged data."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from meteorlib.errors import UnknownName
from meteorlib.resources.catalog import CATALOG, FILES, FUNCTION_WORDS, PACKAGED_THESAURI, find_resource, packaged_path
from meteorlib.resources.meteor_archive import PACKAGES

PACKAGED = [resource for resource in CATALOG.values() if resource.packaged]


def _bytes(path: Path) -> bytes:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return b"".join(file.read_bytes() for file in files)


def test_names():
    """The resources that presets and documentation name exist."""
    codes = ["en", "cz", "fr", "de", "es", "ru"]
    assert set(codes) < set(FUNCTION_WORDS)
    expected = {"wordnet-en", "wordnet-en-offsets", "arabic"}
    expected |= {f"{kind}-{code}" for kind in ("function-words", "prefixes", "paraphrase") for code in codes}
    expected |= {f"function-words-{code}" for code in FUNCTION_WORDS}
    expected |= {f"information-{code}" for code in codes}
    expected |= {f"thesaurus-{code}" for code in ("de", "es", "fr", "ru")}
    expected |= {"encoder-all-mpnet-base-v2", "encoder-multilingual-e5-small", "center-multilingual-e5-small"}
    expected.add("negations-en")
    assert set(CATALOG) == expected
    assert all(name == resource.name for name, resource in CATALOG.items())


@pytest.mark.parametrize("resource", PACKAGED, ids=lambda resource: resource.name)
def test_files_of_packaged_data(resource):
    """The catalog names each file, its size and its crc32."""
    path = packaged_path(resource.name)
    found = {file.name: file.read_bytes() for file in (path.iterdir() if path.is_dir() else [path])}
    assert {name: (len(data), zlib.crc32(data)) for name, data in found.items()} == FILES[resource.name]


def test_packaged_data_are_compact():
    """All packaged data together stay below 18 MB, and every file is in the catalog."""
    folder = packaged_path("wordnet-en").parent
    assert sum(path.stat().st_size for path in folder.rglob("*.*")) < 18_000_000
    assert set(folder.iterdir()) == {packaged_path(resource.name) for resource in PACKAGED}


@pytest.mark.thorough
def test_packed_data_are_compact():
    """In a wheel, which packs each file, all packaged data take less than 7.5 MB."""
    files = packaged_path("wordnet-en").parent.rglob("*.*")
    assert sum(len(zlib.compress(path.read_bytes())) for path in files) < 7_500_000


def test_what_is_not_packaged():
    """Tables and encoders are not in the package; those that can be had from PyPI have a known digest."""
    tables = [resource for resource in CATALOG.values() if not resource.packaged]
    assert {resource.kind for resource in tables} == {"paraphrase table", "stem table", "text encoder"}
    assert {resource.name for resource in tables if resource.sha256} == {*PACKAGES}


def test_unknown_name():
    """A name that is not in the catalog is an error that proposes a near one."""
    with pytest.raises(UnknownName, match=r"unknown resource 'paraphrase-eng' \(did you mean 'paraphrase-en'\?\)"):
        find_resource("paraphrase-eng")


@pytest.mark.oracle
def test_data_are_what_the_script_makes(oracles, root, tmp_path):
    """tools/build_data.py makes the packaged data again, byte for byte, out of the jar and WordNet 3.0."""
    wordnet = oracles / "nltk_data" / "corpora" / "wordnet"
    command = [sys.executable, root / "tools" / "build_data.py", "--jar", oracles / "meteor-1.5.jar"]
    subprocess.run([*command, "--wordnet", wordnet, "--output", tmp_path], check=True, capture_output=True)
    for resource in PACKAGED:
        path = packaged_path(resource.name)
        if resource.license == "CC BY-SA 4.0":
            continue  # made out of wordfreq: tests/resources/test_word_lists.py
        if resource.name == "negations-en" or resource.kind == "encoder center":
            continue  # a list written by hand; means made by tools/encoder_center.py
        if resource.name in PACKAGED_THESAURI:
            continue  # made out of Debian's: tests/resources/test_system_thesauri.py
        assert _bytes(tmp_path / path.name) == _bytes(path), resource.name
