"""fastText models are read correctly, and errors of broken ones say where."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.install import install
from meteorlib.resources.vector_files import FastTextModel
from meteorlib.resources.word_vectors import Subwords, open_vectors

WORDS = ["</s>", "cat", "café"]
MATRIX = np.arange(1, 15, dtype="<f4").reshape(7, 2) / 8


def model(words=WORDS, matrix=MATRIX, **changed):
    """The bytes of a model with seven rows of two numbers: three words, and four rows for their parts."""
    given = {"version": 12, "model": 2, "buckets": 4, "shortest": 2, "longest": 3, "labels": (), "pruned": -1} | changed
    head = [given["version"], matrix.shape[1], 5, 5, 5, 5, 1, 2, given["model"], given["buckets"], given["shortest"]]
    data = b"\xba\x16\x4f\x2f" + struct.pack("<13id", *head, given["longest"], 100, 1e-4)
    entries = [(word, 0) for word in words] + [(label, 1) for label in given["labels"]]
    data += struct.pack("<3iqq", len(entries), len(words), len(given["labels"]), 99, given["pruned"])
    for word, kind in entries:
        data += (word if isinstance(word, bytes) else word.encode()) + b"\0" + struct.pack("<qb", 7, kind)
    data += b"".join(struct.pack("<ii", number, number) for number in range(given["pruned"]))
    data += struct.pack("<?qq", given.get("quantized", False), *given.get("shape", matrix.shape))
    return data + matrix.tobytes() + given.get("rest", b"what would be needed to train it further")


@pytest.fixture
def source(tmp_path):
    """A model."""
    path = tmp_path / "model.bin"
    path.write_bytes(model())
    return path


def _rows(path):
    return [(word, list(vector)) for _, word, vector in FastTextModel(path, "vectors-xx").rows()]


@pytest.mark.parametrize("packed", [False, True])
def test_rows(source, packed):
    """Words come first, in the order of the file, then the rows of their parts; packed or not."""
    if packed:
        source.write_bytes(gzip.compress(model()))
    assert FastTextModel(source, "vectors-xx").subwords == Subwords(2, 3, 4)
    assert _rows(source) == list(zip([*WORDS, None, None, None, None], MATRIX.tolist(), strict=True))


@pytest.mark.parametrize("changed", [{"longest": 0}, {"version": 11, "model": 3}])
def test_without_parts(source, changed):
    """A model that was trained without parts has words alone, and so has an old one that tells texts apart."""
    source.write_bytes(model(**changed))
    assert FastTextModel(source, "vectors-xx").subwords is None
    assert [word for word, _ in _rows(source)] == WORDS


def test_labels(source):
    """The labels of a classifier are not words; pruned rows are skipped."""
    source.write_bytes(model(labels=("__label__a", "__label__b"), pruned=2, model=3))
    assert [word for word, _ in _rows(source)][:3] == WORDS


def test_vectors(cache, source):
    """A word's vector is the mean of its own and those of its parts; a word that the model has not gets its parts'."""
    install("vectors-xx", source)
    vectors = open_vectors("vectors-xx")
    parts = Subwords(2, 3, 4)
    for word in ("cat", "café", "kitten", "日本"):
        rows = [*([WORDS.index(word)] if word in WORDS else []), *(3 + row for row in parts.rows(word))]
        assert vectors(word).tolist() == pytest.approx(MATRIX[rows].mean(axis=0).tolist())
    assert vectors("</s>").tolist() == MATRIX[0].tolist()
    assert vectors("\ud800") is None
    assert (len(vectors), vectors.width, vectors.subwords) == (3, 2, parts)


def test_a_word_too_short_for_parts(cache, source):
    """A word that the model has not, and that is too short for its parts, has no vector."""
    source.write_bytes(model(shortest=5, longest=6))
    vectors = open_vectors(str(source))
    assert vectors("cat").tolist() != MATRIX[1].tolist()
    assert vectors("é") is None
    assert vectors("\ud800") is None


def test_a_word_that_is_no_utf_8(source):
    """A word that training cut within a character stays apart from every other, as gensim has it."""
    source.write_bytes(model(["</s>", "cat", b"caf\xc3"]))
    assert [word for word, _ in _rows(source)][2] == "caf\\xc3"


BROKEN = {
    "of another version": ({"version": 13}, "it is of version 13; 11 and 12 are known"),
    "quantized": ({"quantized": True}, "is quantized: its vectors are not those that were trained; use the .bin"),
    "another matrix": ({"shape": (7, 3)}, "it has 3 words, 4 rows for their parts, and a matrix of 7 rows of 3"),
    "unequal rows": ({"shape": (8, 2)}, "a matrix of 8 rows of 2 numbers"),
    "no words": ({"words": []}, "it says 0 words of 0; there may be 1 to"),
    "a negative number": ({"longest": -1}, "a negative number"),
    "a word too long": ({"words": ["a" * 2000, "b", "c"]}, "word 1 of 3: it has more than 1,024 bytes"),
    "nan": ({"matrix": np.where(MATRIX == 0.5, np.nan, MATRIX)}, "row 2 of 7: number 2 of its vector is nan"),
    "infinity in a part": ({"matrix": np.where(MATRIX == 1.75, np.inf, MATRIX)}, "row 7 of 7: number 2 of its vector"),
}


@pytest.mark.parametrize(("changed", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken(source, changed, reason):
    """A damaged model is refused, with the place of the damage."""
    source.write_bytes(model(**changed))
    with pytest.raises(ResourceDamaged) as caught:
        _rows(source)
    assert str(source) in str(caught.value)
    assert reason in str(caught.value)


def test_a_repeated_word(cache, source):
    """A word that has two vectors is refused with both places."""
    source.write_bytes(model(["cat", "b", "cat"]))
    with pytest.raises(ResourceDamaged, match="word 3: 'cat' has a vector already, as word 1"):
        install("vectors-xx", source)


def test_cut_short(source):
    """A model that ends too early is refused wherever it does."""
    whole = model(rest=b"")
    for size in range(4, len(whole)):
        source.write_bytes(whole[:size])
        with pytest.raises(ResourceDamaged, match="ends"):
            _rows(source)
    source.write_bytes(gzip.compress(whole)[:-9])
    with pytest.raises(ResourceDamaged, match="cannot be read to its end"):
        _rows(source)


def test_gensim_and_we_read_the_same(cache, tmp_path):
    """A model that gensim trained and wrote has here the vectors that gensim gives its words, and words it has not."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason="needs gensim to write a model")
    sentences = [f"katten {word} sov över mattan".split() for word in ("brun", "bruna", "röda", "röd")] * 3
    trained = fasttext.FastText(sentences, vector_size=8, min_count=1, epochs=2, workers=1, bucket=100, seed=1)
    path = tmp_path / "model.bin"
    fasttext.save_facebook_model(trained, str(path))
    vectors, theirs = open_vectors(str(path)), fasttext.load_facebook_vectors(str(path))
    for word in (*theirs.index_to_key, "brunare", "日本語", "matta"):
        assert vectors(word) == pytest.approx(theirs[word], abs=1e-6)
