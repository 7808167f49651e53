"""Models of model2vec's: every word has the vector that model2vec gives it."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from meteorlib import Scorer, StageConfig
from meteorlib.config import ParameterConfig, ScorerConfig
from meteorlib.errors import ExtraMissing, ResourceDamaged
from meteorlib.resources.install import install, statuses
from meteorlib.resources.store.shared_files import current_version
from meteorlib.resources.word_vectors import FILES, _load_model, open_vectors

PIECES = {"[UNK]": 0, "the": 1, "cat": 2, "##s": 3, "kit": 4, "##ten": 5, "sat": 6}


@pytest.fixture
def tokenizers():
    """The library of model2vec's tokenizers."""
    pytest.importorskip("model2vec", reason="needs model2vec")
    return pytest.importorskip("tokenizers")


@pytest.fixture
def folder(tokenizers, tmp_path):
    """A model, as model2vec saves it."""
    from model2vec import StaticModel

    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(PIECES, unk_token="[UNK]"))  # noqa: S106 – no password
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    rows = np.array([[9, 9], [1, 0], [3, 4], [0.5, 0.5], [3, 3], [0, 1], [-1, 0]], np.float32)
    StaticModel(rows, tokenizer, normalize=False).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def test_vectors(cache, folder):
    """Words get the mean of their pieces, as in model2vec; a word without a known piece matches only itself."""
    from model2vec import StaticModel

    install("vectors-xx", folder, license_="MIT")
    vectors, theirs = open_vectors("vectors-xx"), StaticModel.from_pretrained(folder)
    for word in ("cat", "cats", "kitten", "kits", "?"):
        assert vectors(word).tolist() == theirs.encode(word).tolist()
    assert vectors("cats").tolist() == [1.75, 2.25]
    status = next(status for status in statuses() if status.name == "vectors-xx")
    assert (status.state, status.license, status.origin) == ("installed", "MIT", "the folder model")


@pytest.mark.parametrize("implementation", ["python", None])
def test_scores(cache, folder, implementation):
    """Words whose vectors are near match, and the signature has model2vec's version and the digest of the model."""
    install("vectors-xx", folder)
    stages = [StageConfig("exact"), StageConfig("vector", 0.8, "vectors-xx")]
    scorer = Scorer(ScorerConfig("mine", stages, ParameterConfig(0.85, 0.2, 0.6, 0.75)), implementation=implementation)
    found = [stage for *_, stage in scorer.align("the cats sat ?", "the kitten sat !").pairs()]
    assert found == ["exact", "vector", "exact"]
    digest = open_vectors("vectors-xx").source_sha256[:8]
    import model2vec

    assert f"vector(vectors-xx@{digest},threshold=0.8,model2vec={model2vec.__version__})" in str(scorer.signature)


def _nan(folder):
    path = folder / "model.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[:-4] + struct.pack("<f", float("nan")))


def _unequal(folder):
    path = folder / "tokenizer.json"
    described = json.loads(path.read_bytes())
    described["model"]["vocab"]["more"] = 7
    path.write_text(json.dumps(described))


def _cut(name):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-20])


BROKEN = {
    "nan": (_nan, "a number of it is not finite"),
    "more pieces than vectors": (_unequal, r"model2vec cannot load .*Number of tokens \(8\) does not match"),
    "vectors cut short": (_cut("model.safetensors"), "model2vec cannot load"),
    "tokenizer cut short": (_cut("tokenizer.json"), "model2vec cannot load"),
    "settings cut short": (_cut("config.json"), "model2vec cannot load"),
    "a file is missing": (lambda folder: (folder / "tokenizer.json").unlink(), "is not a model2vec model"),
}


@pytest.mark.parametrize(("damage", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken(cache, folder, damage, reason):
    """A damaged model is refused, and the model installed before stays."""
    install("vectors-xx", folder)
    damage(folder)
    with pytest.raises(ResourceDamaged, match=reason):
        install("vectors-xx", folder)
    assert open_vectors("vectors-xx")("cat").tolist() == [3, 4]


def test_too_large(cache, folder, monkeypatch):
    """Vectors that would fill the memory are refused before they are read."""
    monkeypatch.setattr("meteorlib.resources.word_vectors.MAX_VECTOR_BYTES", 10)
    with pytest.raises(ResourceDamaged, match="has more than 10 bytes; take a smaller model"):
        install("vectors-xx", folder)


@pytest.mark.parametrize("name", FILES)
def test_changed(cache, folder, name):
    """A file of an installed model that is changed ends in an error."""
    path = current_version(install("vectors-xx", folder)) / name
    path.chmod(0o600)
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(ResourceDamaged, match="install it again: `meteorlib resources install vectors-xx --from FILE`"):
        open_vectors("vectors-xx")


def test_without_model2vec(cache, tmp_path, monkeypatch):
    """Without model2vec its extra is named."""
    for name in FILES:
        (tmp_path / name).write_bytes(b"{}")
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'meteorlib\[model2vec\]'"):
        install("vectors-xx", tmp_path)


def test_nothing_is_downloaded(tokenizers):
    """A folder that is gone is an error, not a name to look for on the network."""
    with pytest.raises(ResourceDamaged, match="it uses the network to load this"):
        _load_model(Path("somebody/evil"), "vectors-xx")


@pytest.mark.parametrize("settings", [[], {"max_length": "long"}, {"max_length": -1}])
def test_settings_that_cannot_be_used(cache, folder, settings):
    """Settings with odd values are refused when the model is installed."""
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(ResourceDamaged, match="model2vec cannot load"):
        install("vectors-xx", folder, license_="MIT")
