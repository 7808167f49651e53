"""A byte order mark at the beginning of a file of language data is no part of the data."""

from __future__ import annotations

import gzip

import pytest

from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.paraphrase_compiler import compile_paraphrases
from meteorlib.resources.store.compression import SourceFile
from meteorlib.resources.vector_files import VectorFile
from meteorlib.resources.word_lists import function_words, open_word_weights
from tests.resources.phrases import targets

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def marked(tmp_path):
    """Bytes → a file of them behind a byte order mark."""

    def write(data, *, packed=False):
        path = tmp_path / "marked"
        path.write_bytes(gzip.compress(MARK + data) if packed else MARK + data)
        return path

    return write


def test_function_words(marked):
    """The first function word is found."""
    assert function_words(str(marked(b"the\nof\n"))) == {"the", "of"}


@pytest.mark.parametrize("packed", [False, True])
def test_weights(marked, packed):
    """The first word has its weight."""
    assert open_word_weights(str(marked(b"the\t500\n", packed=packed)))("the") == 500


@pytest.mark.parametrize("packed", [False, True])
def test_lines(marked, packed):
    """Thesauri and other sources begin with their first line."""
    assert [*SourceFile(marked(b"a\nb\n", packed=packed), "synonyms-xx").lines()] == [(1, b"a"), (2, b"b")]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("head", [b"", b"1 2\n"])
def test_vectors(marked, head, packed):
    """The head is a head, and the first word has its vector."""
    rows = VectorFile(marked(head + b"cat 0.5 1.0\n", packed=packed), "vectors-xx").rows()
    assert [(number, word, list(vector)) for number, word, vector in rows] == [(1, "cat", [0.5, 1.0])]


def test_paraphrases(marked, tmp_path):
    """The first probability is a number."""
    folder = tmp_path / "index"
    folder.mkdir()
    compile_paraphrases(marked(b"0.5\na\nb c\n", packed=True), folder, lambda _: None)
    assert targets(open_paraphrases(folder), "a", ["a", "b c"]) == ["b c"]
