"""MyThes thesauri: their meanings, and errors for broken ones."""

from __future__ import annotations

import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.store import compression
from meteorlib.resources.store.compression import SourceFile
from meteorlib.resources.synonym_sources import is_mythes, read_mythes


@pytest.fixture
def meanings(tmp_path):
    """Bytes of a file → its meanings."""

    def read(data):
        path = tmp_path / "th_xx_XX.dat"
        path.write_bytes(data)
        return list(read_mythes(SourceFile(path, "synonyms-xx")))

    return read


@pytest.mark.parametrize(("line", "known"), [
    (b"haus|5", True), (b"|2 ", True), (b"aba|11\r", True), (b"00000001 2", False), (b"a|b", False), (b"", False),
])  # fmt: skip
def test_known_by_the_second_line(line, known):
    """A thesaurus is one by its second line: a word, a bar, a number."""
    assert is_mythes(line) == known


def test_meanings(meanings):
    """A meaning is its word and the synonyms, in small letters; each once, and no blanks around them."""
    text = "UTF-8\nHaus|2\n-|Heim|Eigenheim |HAUS\n(subst.)|Familie\n\nleer|1\n-\n"
    assert meanings(text.encode()) == [["haus", "heim", "eigenheim"], ["haus", "familie"], ["leer"]]


def test_notes(meanings):
    """Notes in brackets are left out, before a word and behind it; several words are left out, too."""
    text = "UTF-8\nfreuen|1\n-|(sich) vergnügen|jubeln (ugs.) (veraltet)|Spaß haben|lachen [v]|über (etwas) froh sein\n"
    assert meanings(text.encode()) == [["freuen", "vergnügen", "jubeln", "lachen"]]


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        ("(adj)|fine|bad (antonym)|great (similar term)|quality (generic term)", ["good", "fine"]),
        ("-|fine|Bau (ugs.) (Oberbegriff)", ["good", "fine"]),
        ("-|fine|dom (pojęcie  nadrzędne)|dom (antonim)", ["good", "fine"]),
        ("(антоним)|bad", ["good"]),
        ("[ant]|bad", ["good"]),
        ("(синоним)|fine", ["good", "fine"]),
        ("-|fine|hus (underbegreb)|vondur (andheiti)|z (Antonym)", ["good", "fine"]),
    ],
)
def test_other_relations(meanings, meaning, words):
    """Opposites, broader, narrower, related and similar terms are no synonyms, in whatever language that is said."""
    assert meanings(f"UTF-8\ngood|1\n{meaning.replace('  ', ' ')}\n".encode()) == [words]


@pytest.mark.parametrize(("name", "codec"), [
    ("ISO8859-1", "latin-1"), ("ISO-8859-1", "latin-1"), ("UTF-8", "utf-8-sig"), ("utf-8", "utf-8"),
    ("microsoft-cp1252", "cp1252"),
])  # fmt: skip
def test_encodings(meanings, name, codec):
    """The first line names the encoding, behind a mark of UTF-8 or not, in the names that hunspell has."""
    assert meanings(f"{name}\nalá|1\n-|Jehová\n".encode(codec)) == [["alá", "jehová"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"UTF-8\nhaus|2\n-|heim\n", "line 2: 'haus' has 2 meanings, and the file ends after 1 of them"),
        (b"UTF-8\nhaus|1\n-|heim\n-|bau\n", "line 4: expected a word and its number of meanings, found '-|bau'"),
        (b"UTF-8\nhaus|99999999\n", "line 2: expected a word and its number of meanings"),
        (b"UTF-8\nhaus|1\n-|h\xffim\n", "line 3: byte 3 is not utf-8"),
        (b"UTF-9\nhaus|1\n-|heim\n", "line 1: unknown encoding 'utf-9'"),
        (b"hex\nhaus|1\n-|heim\n", "line 1: unknown encoding 'hex'"),
        (b"utf-16\nhaus|1\n-|heim\n", "line 1: unknown encoding 'utf-16'"),
        (b"utf-7\nhaus|1\n-|heim\n", "line 1: unknown encoding 'utf-7'"),
        (b"unicode_escape\nhaus|1\n-|heim\n", "line 1: unknown encoding 'unicode_escape'"),
        (b"punycode\nhaus|1\n-|heim\n", "line 1: unknown encoding 'punycode'"),
        (b"utf\x00-8\nhaus|1\n-|heim\n", r"line 1: unknown encoding 'utf\x00-8'"),
        (b"\xff\xfe\nhaus|1\n-|heim\n", "line 1: byte 0 is not utf-8"),
    ],
)
def test_broken(meanings, data, message):
    """Errors are reported with file, line, and what to do."""
    with pytest.raises(ResourceDamaged) as caught:
        meanings(data)
    assert f"th_xx_XX.dat, {message}" in str(caught.value)
    assert str(caught.value).endswith("; get the file anew")


def test_bounds(meanings, monkeypatch):
    """A file with more words than any thesaurus has is refused before they fill the memory."""
    monkeypatch.setattr(compression, "MAX_ENTRIES", 5)
    with pytest.raises(ResourceDamaged, match="line 5: the file has more than 5 words in meanings"):
        meanings(b"UTF-8\na|1\n-|b|c\nd|1\n-|e|f\n")
