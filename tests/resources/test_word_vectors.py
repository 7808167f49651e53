"""Parts of words: which there are, and the row that fastText gives each."""

from __future__ import annotations

import hashlib
import tracemalloc

import numpy as np
import pytest

from meteorlib import Scorer, StageConfig
from meteorlib.config import ParameterConfig, ScorerConfig
from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.install import install, installed, remove, statuses
from meteorlib.resources.store.shared_files import current_version
from meteorlib.resources.vector_compiler import compile_vectors
from meteorlib.resources.word_vectors import VECTORS, Subwords, open_vectors


@pytest.mark.parametrize(
    ("word", "shortest", "longest", "parts"),
    [
        ("cat", 3, 6, ["<ca", "<cat", "<cat>", "cat", "cat>", "at>"]),
        ("cat", 1, 2, ["<c", "c", "ca", "a", "at", "t", "t>"]),
        ("é", 1, 3, ["<é", "<é>", "é", "é>"]),
        ("日本", 3, 3, ["<日本", "日本>"]),
        ("x", 5, 6, []),
        ("cat", 0, 1, ["c", "a", "t"]),
        ("</s>", 3, 6, []),
    ],
)
def test_parts(word, shortest, longest, parts):
    """A part is a run of characters of the word in brackets; a bracket alone is none; the end of a line has none."""
    assert [part.decode() for part in Subwords(shortest, longest, 10).parts(word)] == parts


def test_rows():
    """Rows are those that fastText's own ``get_subwords`` gives (fasttext-numpy2 0.10.4, 5,000 buckets)."""
    known = Subwords(3, 6, 5000)
    assert known.rows("cat") == [1747, 3973, 3137, 4031, 2995, 1106]
    assert known.rows("日本語") == [3587, 4581, 4609, 559, 3923, 4355]


def test_a_lone_surrogate():
    """Strings that are no text have no bytes, and so no rows."""
    with pytest.raises(UnicodeEncodeError):
        Subwords(3, 6, 10).rows("\ud800")


TEXT = b"4 2\ncat 3 4\nkitten 4 3\ncar -3 4\ncafe\xcc\x81 0 0\n"


@pytest.fixture
def source(tmp_path):
    """A file of four words."""
    path = tmp_path / "vectors.vec"
    path.write_bytes(TEXT)
    return path


def _scorer(resource):
    stages = [StageConfig("exact"), StageConfig("vector", 0.8, str(resource))]
    return Scorer(ScorerConfig("mine", stages, ParameterConfig(0.85, 0.2, 0.6, 0.75)))


def test_install_open_list_remove(cache, source):
    """Installed vectors are listed with their license and looked up by word; a word that has none gives None."""
    assert install("vectors-xx", source, license_="CC0") == installed("vectors-xx") == cache / "vectors-xx"
    vectors = open_vectors("vectors-xx")
    assert (len(vectors), vectors.width) == (4, 2)
    assert vectors.source_sha256 == hashlib.sha256(TEXT).hexdigest()
    found = {word: None if vectors(word) is None else vectors(word).tolist() for word in ("cat", "car", "Cat", "c", "")}
    assert found == {"cat": [3, 4], "car": [-3, 4], "Cat": None, "c": None, "": None}
    assert vectors("cat").dtype == np.float32
    assert vectors("cat\0") is vectors("\ud800") is None
    status = next(status for status in statuses() if status.name == "vectors-xx")
    assert (status.state, status.license, status.origin) == ("installed", "CC0", "the file vectors.vec")
    assert remove("vectors-xx")
    with pytest.raises(ResourceMissing, match="run `meteorlib resources install vectors-xx --from FILE`"):
        open_vectors("vectors-xx")


def test_a_file_in_a_preset(cache, source):
    """A preset may name the file itself; it is compiled at its first use, and its digest is in the signature."""
    scorer = _scorer(source)
    digest = hashlib.sha256(TEXT).hexdigest()
    assert f"vector(vectors.vec@{digest[:8]},threshold=0.8)*0.8" in str(scorer.signature)
    assert (current_version(cache / "tables" / digest) / VECTORS).stat().st_size == 4 * 2 * 4
    install("vectors-xx", source)
    for other in (_scorer("vectors-xx"), scorer):
        assert other.score("a cat", "a kitten").statistics.stages[1].reference_content == 1
        assert other.score("a cat", "a car").statistics.stages[1].reference_content == 0


def test_a_repeated_word(cache, source):
    """A word that has two vectors is refused with both places."""
    source.write_bytes(b"3 1\na 1\nb 1\na 1\n")
    with pytest.raises(ResourceDamaged, match=r"word 3: 'a' has a vector already, as word 1; leave one of them out"):
        open_vectors(str(source))
    assert not [path for path in (cache / "tables").iterdir() if path.is_dir()]


def test_missing(cache, tmp_path):
    """A name that is neither installed nor a file is reported as such."""
    with pytest.raises(UnknownName, match="unknown word vectors 'nonsense'"):
        open_vectors("nonsense")
    with pytest.raises(ResourceMissing, match=r"nothing\.vec"):
        open_vectors(str(tmp_path / "nothing.vec"))
    with pytest.raises(ResourceMissing, match="there is no file"):
        install("vectors-xx", tmp_path / "nothing.vec")
    with pytest.raises(ResourceMissing, match="--from FILE"):
        install("vectors-xx")
    with pytest.raises(ResourceDamaged, match=r"is not a model2vec model, which has config\.json, "):
        install("vectors-xx", tmp_path)
    with pytest.raises(ResourceMissing, match="a folder is used under a name; install it: `meteorlib resources"):
        open_vectors(str(tmp_path))


def test_damaged(cache, source):
    """A changed byte of installed vectors is an error; a broken file leaves the earlier installation."""
    folder = current_version(install("vectors-xx", source))
    broken = source.with_name("broken.vec")
    broken.write_bytes(b"cat 1 x\n")
    with pytest.raises(ResourceDamaged, match="line 1: 'x' is no number"):
        install("vectors-xx", broken)
    vectors = open_vectors("vectors-xx")
    assert len(vectors) == 4
    path = folder / VECTORS
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    with pytest.raises(ResourceDamaged, match="has been changed while it was in use"):
        vectors("cat")
    with pytest.raises(ResourceDamaged, match="install it again: `meteorlib resources install vectors-xx --from FILE`"):
        open_vectors("vectors-xx")


@pytest.mark.thorough
def test_memory_is_that_of_the_words(tmp_path):
    """The vectors of a file are never in memory together."""
    source, index = tmp_path / "vectors.vec", tmp_path / "index"
    numbers = " 0.125" * 2000
    source.write_text("".join(f"{word}{numbers}\n" for word in range(400)), encoding="utf-8")
    index.mkdir()
    tracemalloc.start()
    compile_vectors(str(source), index, lambda _: None, "vectors-xx")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (index / VECTORS).stat().st_size == 400 * 2000 * 4
    assert peak < 400 * 2000 * 4 * 0.9
