"""Files of gensim: loaded if they are trusted, and never otherwise."""

from __future__ import annotations

import gzip
import hashlib
import pickle
import re

import numpy as np
import pytest

from meteorlib.errors import ExtraMissing, ResourceDamaged, ResourceMissing
from meteorlib.resources.install import install, statuses
from meteorlib.resources.word_vectors import open_vectors

ROWS = {"katt": [0.5, -1.0], "hund": [0.25, 2.0], "字": [3.0, 0.0]}


@pytest.fixture
def models():
    """The classes of gensim."""
    return pytest.importorskip("gensim.models", reason="needs gensim to store vectors")


@pytest.fixture
def stored(models, tmp_path):
    """Stores vectors under a name."""

    def store(rows, name="vectors.kv", **options):
        vectors = models.KeyedVectors(2)
        vectors.add_vectors(list(rows), np.array(list(rows.values()), np.float32).reshape(-1, 2))
        vectors.save(str(tmp_path / name), **options)
        return tmp_path / name

    return store


@pytest.mark.parametrize(
    "options", [{}, {"separately": ["vectors"], "sep_limit": 0}, {"name": "vectors.kv.gz", "separately": []}]
)
def test_vectors(cache, stored, options):
    """They are those of the file, whether its arrays are in it or beside it; the digest is of all its files."""
    path = stored(ROWS, **options)
    install("vectors-xx", f"gensim:{path}", license_="CC0")
    vectors = open_vectors("vectors-xx")
    assert {word: vectors(word).tolist() for word in ROWS} == ROWS
    assert vectors("fisk") is None
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(path.parent.glob("vectors.kv*"))]
    together = digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()
    assert vectors.source_sha256 == together
    status = next(status for status in statuses() if status.name == "vectors-xx")
    assert (status.license, status.origin) == ("CC0", f"the file {path.name}")


def test_models(cache, models, tmp_path):
    """A whole model has its vectors; one with parts of words gives them to words that it has not."""
    sentences = [f"katten {word} sov över mattan".split() for word in ("brun", "bruna", "röda", "röd")] * 3
    for number, kind in enumerate((models.Word2Vec, models.FastText)):
        more = {"bucket": 100} if kind is models.FastText else {}
        trained = kind(sentences, vector_size=8, min_count=1, epochs=2, workers=1, seed=1, **more)
        path = tmp_path / f"{number}.model"
        trained.save(str(path))
        install("vectors-xx", f"gensim:{path}")
        vectors = open_vectors("vectors-xx")
        for word in (*trained.wv.index_to_key, *(["brunare", "日本語"] if more else [])):
            assert vectors(word) == pytest.approx(trained.wv[word], abs=1e-6)
        assert (vectors("brunare") is None) == (not more)


def test_nothing_is_loaded_unasked(cache, tmp_path):
    """A stored object is run by nobody who only names its file, in an installation or in a preset."""
    path = tmp_path / "vectors.kv"
    path.write_bytes(pickle.dumps(_Trap()))
    for attempt in (lambda: install("vectors-xx", path), lambda: open_vectors(str(path))):
        with pytest.raises(ResourceDamaged, match="which can run any code when it is loaded; if gensim saved it"):
            attempt()
    with pytest.raises(ResourceMissing):
        open_vectors(f"gensim:{path}")


class _Trap:
    def __reduce__(self):
        return (pytest.fail, ("it was loaded",))


BROKEN = {
    "nan": ({**ROWS, "hund": [np.nan, 1]}, "word 2 of 3: number 1 of its vector is nan"),
    "no words": ({}, "it has 0 words of 2 numbers"),
    "an empty word": ({**ROWS, "": [1, 2]}, "word 4 of 4: a word is expected, found ''"),
    "a number for a word": ({**ROWS, 5: [1, 2]}, "word 4 of 4: a word is expected, found 5"),
}


@pytest.mark.parametrize(("rows", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken(cache, stored, rows, reason):
    """Objects that are no word vectors are refused, with the word in question."""
    path = stored(rows)
    with pytest.raises(ResourceDamaged) as caught:
        install("vectors-xx", f"gensim:{path}")
    assert re.search(f"{re.escape(str(path))}[:,] {re.escape(reason)}", str(caught.value))


def test_other_files(cache, models, tmp_path):
    """Files that gensim has not stored, cannot load, or that have no vectors are refused."""
    path = tmp_path / "other"
    for data, reason in (
        (b"a 1 2\n", "gensim did not save it"),
        (b"\x80\x04\x95broken", "gensim cannot load it"),
        (pickle.dumps([1]), "gensim cannot load it"),
    ):
        path.write_bytes(data)
        with pytest.raises(ResourceDamaged, match=reason):
            install("vectors-xx", f"gensim:{path}")
    models.TfidfModel([[(0, 1.0)]]).save(str(path))
    with pytest.raises(ResourceDamaged, match="it is a TfidfModel, which has no word vectors"):
        install("vectors-xx", f"gensim:{path}")
    with pytest.raises(ResourceMissing, match="there is no file"):
        install("vectors-xx", f"gensim:{tmp_path / 'nothing'}")


def test_an_array_that_is_cut_short(cache, stored):
    """An array beside the file that ends too early, or does not belong to it, is refused."""
    path = stored(ROWS, separately=["vectors"], sep_limit=0)
    beside = path.with_name("vectors.kv.vectors.npy")
    beside.write_bytes(beside.read_bytes()[:-4])
    with pytest.raises(ResourceDamaged, match="gensim cannot load it"):
        install("vectors-xx", f"gensim:{path}")
    np.save(beside, np.ones((2, 2), np.float32))
    with pytest.raises(ResourceDamaged, match="it has 3 words, 2 vectors, 0 of their parts"):
        install("vectors-xx", f"gensim:{path}")
    for odd in (
        np.ones((3, 2), complex),
        np.ones((3, 2), "U1"),
        np.ones(3, np.float32),
        np.ones((3, 2, 2), np.float32),
    ):
        np.save(beside, odd)
        with pytest.raises(ResourceDamaged, match=r"its vectors are an array of .* of shape \(3"):
            install("vectors-xx", f"gensim:{path}")


def test_without_gensim(cache, tmp_path, monkeypatch):
    """Without gensim its extra is named."""
    path = tmp_path / "vectors.kv.gz"
    path.write_bytes(gzip.compress(b"\x80\x04"))
    monkeypatch.setitem(__import__("sys").modules, "gensim.utils", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'meteorlib\[gensim\]'"):
        install("vectors-xx", f"gensim:{path}")
