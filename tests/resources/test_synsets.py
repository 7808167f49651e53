"""METEOR's own form of synonyms. Its rules are compared with METEOR 1.5 in tests/oracle/test_languages.py."""

from __future__ import annotations

import gzip

import pytest

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.lexicons import IRREGULAR
from meteorlib.resources.store.compression import SourceFile
from meteorlib.resources.synonym_sources import find_exceptions_file, find_synsets_file, is_synsets, read_synsets


@pytest.fixture
def records(tmp_path):
    """Bytes of a file, and of the exceptions beside it → records."""

    def read(data, exceptions=None):
        path = tmp_path / "french.synsets"
        path.write_bytes(data)
        if exceptions is not None:
            (tmp_path / "french.exceptions").write_bytes(exceptions)
        return read_synsets(SourceFile(path, "synonyms-fr"))

    return read


def test_known_by_the_second_line():
    """A file is one by its second line: numbers."""
    assert [is_synsets(line) for line in (b"00000001 00000023 ", b"7", b"", b"a|1", b"1 x")] == [
        True,
        True,
        *[False] * 3,
    ]


def test_records(records):
    """A word has the numbers of its later entry; an irregular form those of its base, with a mark."""
    found = records(b"un\n00000001\ndeux\n 2 3 \nun\n4\nvide\n\n", b"deux\ndeuce deuces\nrien\nnada\n")
    assert found == {
        ("un", 4), ("deux", 2), ("deux", 3), ("nada", IRREGULAR),
        *((form, IRREGULAR + number) for form in ("deuce", "deuces") for number in (0, 2, 3)),
    }  # fmt: skip


def test_packed_exceptions(records, tmp_path):
    """Exceptions are found beside the file, packed or not; a file of another name has none."""
    (tmp_path / "french.exceptions.gz").write_bytes(gzip.compress(b"un\nunus\n"))
    assert records(b"un\n1\n") == {("un", 1), ("unus", IRREGULAR), ("unus", IRREGULAR + 1)}
    assert find_exceptions_file(tmp_path / "words.txt") is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"un\n1\ndeux\n", "line 3: the file ends within an entry: a word has a second line"),
        (b"un\n1\ndeux\nx\n", "line 4: numbers of synonym sets are expected, found 'x'"),
        (b"un\n-1\n", "line 2: numbers of synonym sets are expected, found '-1'"),
        (b"un\n2147483648\n", "line 2: a number of a synonym set is below 2,147,483,648; found '2147483648'"),
        (b"un\n" + b"9" * 5000 + b"\n", "line 2: a number of a synonym set is below 2,147,483,648"),
        (b"u\xff\n1\n", "line 1: byte 1 is not utf-8"),
    ],
)
def test_broken(records, data, message):
    """Errors are reported with file and line."""
    with pytest.raises(ResourceDamaged) as caught:
        records(data)
    assert f"french.synsets, {message}" in str(caught.value)


def test_folder(tmp_path):
    """A folder holds one file of synonym sets, as METEOR's option -d takes it; none, or two, are named."""
    with pytest.raises(ResourceMissing, match=r"one file \*.synsets is expected in .*, found none; name the file"):
        find_synsets_file(tmp_path, "synonyms-fr")
    (tmp_path / "french.synsets.gz").touch()
    assert find_synsets_file(tmp_path, "synonyms-fr") == tmp_path / "french.synsets.gz"
    (tmp_path / "german.synsets").touch()
    with pytest.raises(ResourceMissing, match=r"found french.synsets.gz, german.synsets; name the file"):
        find_synsets_file(tmp_path, "synonyms-fr")
