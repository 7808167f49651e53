"""Word lists."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys

import pytest

from meteorlib.core.segment import SCALE
from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources import word_lists
from meteorlib.resources.catalog import FUNCTION_WORDS, packaged_path
from meteorlib.resources.store import data_file
from meteorlib.resources.word_lists import function_words, nonbreaking_prefixes, open_word_weights

COUNTS = {"en": 93, "cz": 68, "fr": 85, "de": 92, "es": 66, "ru": 62}


@pytest.mark.parametrize("language", COUNTS)
def test_packaged_function_words(language):
    """METEOR's lists, one word a line."""
    assert len(function_words(language)) == COUNTS[language]


SOME = {
    "ar": "في من ، ؟",
    "ca": "de l d ens",
    "el": "της τους ;",
    "hi": "के है ।",
    "it": "di l che ,",
    "ja": "の に 。",
    "nb": "og er det .",
    "ro": "să și şi",
    "sr": "nije није je је",
    "tl": "sa ng ang",
    "zh": "的 是 ，",
}


@pytest.mark.parametrize("language", sorted(set(FUNCTION_WORDS) - set(COUNTS)))
def test_function_words_of_other_languages(language):
    """A list has small letters as texts have them, the signs that most of METEOR's lists have, and no digits."""
    found = function_words(language)
    assert 60 < len(found) < 250
    assert set(SOME.get(language, "").split()) | {",", ".", '"', "(", ")", ":", "?", "-"} <= found
    assert all(word == word.lower() and not any(map(str.isdigit, word)) for word in found)
    assert all(len(sign) == 1 for sign in found if not any(map(str.isalnum, sign)))


@pytest.mark.thorough
def test_words_are_what_the_script_makes(root, tmp_path):
    """tools/build_data.py makes the lists again, byte for byte, out of wordfreq 3.1.1."""
    for package in ("wordfreq", "regex", "sacrebleu"):
        pytest.importorskip(package)
    command = [sys.executable, root / "tools" / "build_data.py", "--function-words", "--output", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    others = [packaged_path(f"function-words-{code}") for code in FUNCTION_WORDS if code not in COUNTS]
    assert made == {path.name: path.read_bytes() for path in others}


def test_english_function_words():
    """Punctuation is among the function words."""
    assert {"the", "of", ",", "."} <= function_words("en")


def test_function_words_of_a_file(tmp_path):
    """A file has one word a line; blank lines, white space round a word and CR do not count, case does."""
    path = tmp_path / "words"
    path.write_bytes("the\r\n\n  of \nLe\nété".encode())
    assert function_words(str(path)) == {"the", "of", "Le", "été"}


def test_no_such_list():
    """A name that is neither a language nor a file names the languages."""
    with pytest.raises(UnknownName, match="unknown function word list 'th'; known: ar, bg, "):
        function_words("th")


def test_unreadable_file(tmp_path):
    """A path that cannot be read is named with the reason."""
    with pytest.raises(ResourceMissing, match=os.strerror(errno.ENOENT)):
        function_words(str(tmp_path / "nothing"))
    with pytest.raises(ResourceMissing, match="check the path"):
        function_words(str(tmp_path))
    with pytest.raises(ResourceMissing, match="check the path"):
        function_words("/a\0b")


def test_file_that_is_not_utf8(tmp_path):
    """Undecodable bytes are named by file, line and offset in the line."""
    path = tmp_path / "words"
    path.write_bytes(b"the\nof \xff\n")
    with pytest.raises(InvalidText) as caught:
        function_words(str(path))
    assert str(caught.value) == f"{path}:2: byte 3 of the line is not UTF-8"


def test_prefixes():
    """Ordinary and numeric-only prefixes are distinguished; comments, blank lines and CR are not prefixes."""
    ordinary, numeric = nonbreaking_prefixes("en")
    assert {"Mr", "Dr", "A"} <= ordinary
    assert {"No", "pp"} <= numeric
    assert not any("#" in prefix or prefix != prefix.strip() or not prefix for prefix in ordinary | numeric)


@pytest.mark.parametrize("language", COUNTS)
def test_prefixes_of_every_language(language):
    """Each supported language has its list; the Russian file is CRLF."""
    ordinary, numeric = nonbreaking_prefixes(language)
    assert ordinary or language == "cz"
    assert not any("\r" in prefix for prefix in ordinary | numeric)


def test_prefixes_of_another_language():
    """There is no list for other languages."""
    with pytest.raises(UnknownName, match="'fi'"):
        nonbreaking_prefixes("fi")


def test_damaged_package(monkeypatch, tmp_path):
    """A packaged list that is not there, or has been changed, is named as damaged."""
    copy = tmp_path / "list"
    monkeypatch.setattr(data_file, "packaged_path", lambda _: copy)
    with pytest.raises(ResourceDamaged, match="resource 'function-words-en' cannot be used"):
        function_words("en")
    data = packaged_path("function-words-en").read_bytes()
    copy.write_bytes(data)
    assert "the" in function_words("en")
    copy.write_bytes(data.replace(b"the\n", b"tho\n"))
    with pytest.raises(ResourceDamaged, match=r"has been changed .*; install meteorlib again"):
        function_words("en")


def test_only_files_of_some_size(tmp_path):
    """Endless or invalid word lists are refused at once: a device, a pipe, a file of many megabytes."""
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(word_lists.MAX_BYTES + 1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, reason in [
        ("/dev/zero", "it is not a regular file"),
        (pipe, "it is not a regular file"),
        (large, "it is larger than 10,000,000 bytes: not a list of words"),
    ]:
        with pytest.raises(ResourceMissing) as caught:
            function_words(str(path))
        assert str(caught.value) == (
            f"resource '{path}' is not installed: the file cannot be read ({reason}); check the path"
        )


@pytest.mark.parametrize("packed", [False, True])
def test_a_file(tmp_path, packed):
    """A line for each word; one that is not there tells most."""
    data = b"the\t500\ncat\t6000\r\n"
    path = tmp_path / "weights.txt"
    path.write_bytes(gzip.compress(data) if packed else data)
    information = open_word_weights(str(path))
    assert [information(word) for word in ("the", "cat", "dog", "The", "a\0b", "\ud800")] == [500, 6000, *[SCALE] * 4]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("the", "expected a word, a tab"),
        ("the\t", "expected a word, a tab"),
        ("\t5", "expected a word, a tab"),
        ("the\t-1", "expected a word, a tab"),
        ("the\t0.5", "expected a word, a tab"),
        ("the\t10001", "from 0 to 10000"),
        ("the\t٣", "expected a word, a tab"),
        ("", "expected a word, a tab"),
        ("a\t7", "'a' has a weight already"),
    ],
)
def test_a_wrong_line(tmp_path, line, said):
    """The file and the line are named."""
    path = tmp_path / "weights.txt"
    path.write_text(f"a\t1\n{line}\nb\t2\n", encoding="utf-8")
    with pytest.raises(InvalidText, match=said) as raised:
        open_word_weights(str(path))
    assert f"{path}:2" in str(raised.value)


def test_what_cannot_be_read(tmp_path):
    """No such file, a folder, a packed file cut short, bytes that are no text."""
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"the\t500\n" * 1000)[:-9])
    for path in (tmp_path / "none", tmp_path, cut):
        with pytest.raises(ResourceMissing):
            open_word_weights(str(path))
    (tmp_path / "latin").write_bytes("é\t5\n".encode("latin-1"))
    with pytest.raises(InvalidText, match="not UTF-8"):
        open_word_weights(str(tmp_path / "latin"))
