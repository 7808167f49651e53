"""Sentence encoders as ONNX files: the same vectors as by PyTorch, and clear errors where a layer is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from shutil import copytree

import numpy as np
import pytest

from meteorlib.errors import ExtraMissing, ResourceDamaged
from meteorlib.resources.encoder import open_encoder
from tests.resources.tiny_model import export_model, save_model

pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.usefixtures("cache")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
TEXTS = [("the", "old", "firm"), ("a", "cat", "."), ("the", "firms", "buy"), ("the", "old", "cat", "buy", "a") * 9, ()]


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """The tiny model for PyTorch, as ONNX with all layers, and as ONNX with the last one and fewer inputs."""
    path = tmp_path_factory.mktemp("onnx")
    (path / "torch").mkdir()
    save_model(path / "torch")
    return (
        path / "torch",
        export_model(path / "torch", path / "all", hidden_states=True, inputs=INPUTS),
        export_model(path / "torch", path / "last", hidden_states=False, inputs=INPUTS[:1]),
    )


def test_vectors_are_those_of_pytorch(folders):
    """Vectors of each layer differ from PyTorch's by no more than a step of half precision, 1/2,048."""
    model, every, last = (open_encoder(str(folder)) for folder in folders)
    for encoder, layers in ((every, (1, 2)), (last, (2,))):
        for layer in layers:
            for rows, expected in zip(encoder(TEXTS, layer, "cpu"), model(TEXTS, layer, "cpu"), strict=True):
                assert rows.shape == expected.shape
                assert np.allclose(rows.astype(float), expected.astype(float), rtol=0, atol=1 / 2048)
    assert {*every.versions} == {"onnxruntime", "transformers", "tokenizers"}
    assert len({model.source_sha256, every.source_sha256, last.source_sha256}) == 3


def test_batches_do_not_matter(folders, tmp_path, monkeypatch):
    """A text has the same vectors alone and together with others."""
    texts = [*TEXTS, *(("the",) * count for count in range(1, 14)), *((word, "cat") for word in "abc")]
    together = open_encoder(str(folders[1]))(texts, 1, "cpu")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "other"))
    for text, rows in zip(texts, together, strict=True):
        assert open_encoder(str(folders[1]))([text], 1, "cpu")[0].tobytes() == rows.tobytes()


def test_missing_layer(folders):
    """A layer that is no output of the file is an error that says which layers are, and how to get the others."""
    with pytest.raises(ResourceDamaged, match=r"no output 'hidden_states\.1', only those of layers 2; set 'layer: 2'"):
        open_encoder(str(folders[2]))(TEXTS, 1, "cpu")


def test_unusable_files(folders, tmp_path):
    """A file that is no model, one with unknown inputs, and another device than the CPU are errors that say so."""
    with pytest.raises(ResourceDamaged, match=r"'cuda' here; set 'device' to 'cpu'"):
        open_encoder(str(folders[1]))(TEXTS, 1, "cuda")
    unknown = export_model(folders[0], tmp_path / "unknown", hidden_states=False, inputs=("input_ids", "position_ids"))
    with pytest.raises(ResourceDamaged, match=r"needs inputs \['position_ids'\]; export it as"):
        open_encoder(str(unknown))(TEXTS, 1, "cpu")
    (unknown / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ResourceDamaged, match=r"onnxruntime cannot load .*model\.onnx"):
        open_encoder(str(unknown))(TEXTS, 1, "cpu")


@pytest.mark.parametrize("threshold", [0, 256, 400])
def test_weights_in_other_files(folders, tmp_path, monkeypatch, threshold):
    """Weights outside the file are refused: they are not in the digest, and could come from the current folder."""
    onnx = pytest.importorskip("onnx")
    copytree(folders[1], tmp_path / "outside")
    model = onnx.load(tmp_path / "outside" / "model.onnx")
    monkeypatch.chdir(tmp_path / "outside")
    onnx.save(model, "model.onnx", save_as_external_data=True, location="weights", size_threshold=threshold)
    with pytest.raises(ResourceDamaged, match=r"has weights in other files, .*; save it with all weights in one file"):
        open_encoder(".")(TEXTS, 1, "cpu")


@pytest.mark.parametrize("shape", [None, [3]])
def test_weights_that_are_not_those_of_the_model(folders, tmp_path, shape):
    """Weights that a file lacks, or has in another shape, are an error that names one."""
    onnx = pytest.importorskip("onnx")
    copytree(folders[1], tmp_path / "model")
    model = onnx.load(tmp_path / "model" / "model.onnx")
    place, name = next(
        (place, weights.name) for place, weights in enumerate(model.graph.initializer) if "LayerNorm" in weights.name
    )
    if shape is None:
        del model.graph.initializer[place]
    else:
        other = onnx.helper.make_tensor(name, onnx.TensorProto.FLOAT, shape, [1.0, 2.0, 3.0])
        model.graph.initializer[place].CopyFrom(other)
    onnx.save(model, tmp_path / "model" / "model.onnx")
    with pytest.raises(ResourceDamaged, match=r"onnxruntime cannot (load|run) .*model\.onnx") as caught:
        open_encoder(str(tmp_path / "model"))(TEXTS, 2, "cpu")
    assert shape or name in str(caught.value)


def test_outputs(folders, tmp_path):
    """Outputs in half precision may be large; those that are no vector for each piece, and failing runs, are errors."""
    onnx = pytest.importorskip("onnx")
    scaled, float16 = 1000.0, onnx.TensorProto.FLOAT16

    def changed(name, *nodes, output):
        copytree(folders[2], tmp_path / name)
        model = onnx.load(tmp_path / name / "model.onnx")
        for node in model.graph.node:
            node.output[:] = ["last" if one == "last_hidden_state" else one for one in node.output]
        model.graph.node.extend(nodes)
        model.graph.output[0].CopyFrom(output)
        onnx.save(model, tmp_path / name / "model.onnx")
        return open_encoder(str(tmp_path / name))

    make = onnx.helper.make_node
    factor = make("Constant", [], ["factor"], value_float=scaled)
    product = make("Mul", ["last", "factor"], ["product"])
    output = onnx.helper.make_tensor_value_info("last_hidden_state", float16, ["batch", "piece", 8])
    large = changed(
        "large", factor, product, make("Cast", ["product"], ["last_hidden_state"], to=float16), output=output
    )
    for rows, expected in zip(large(TEXTS, 2, "cpu"), open_encoder(str(folders[2]))(TEXTS, 2, "cpu"), strict=True):
        assert np.allclose(rows.astype(float), expected.astype(float), rtol=0, atol=2 / 1024)
    output = onnx.helper.make_tensor_value_info("last_hidden_state", onnx.TensorProto.INT64, [3])
    shape = changed("shape", make("Shape", ["last"], ["last_hidden_state"]), output=output)
    with pytest.raises(
        ResourceDamaged,
        match=r"outputs of .*, a vector for each piece of each input, must be .*, got an array of shape \(3,\)",
    ):
        shape(TEXTS, 2, "cpu")
    output = onnx.helper.make_tensor_value_info("last_hidden_state", onnx.TensorProto.FLOAT, ["batch", "piece", 8])
    wrong = make("Constant", [], ["wrong"], value_floats=[1.0, 2.0, 3.0])
    failing = changed("failing", wrong, make("Add", ["last", "wrong"], ["last_hidden_state"]), output=output)
    with pytest.raises(ResourceDamaged, match=r"onnxruntime cannot (load|run) "):
        failing(TEXTS, 2, "cpu")


def test_missing_extra(folders, monkeypatch):
    """Without onnxruntime, opening the folder is an error that names the extra."""
    monkeypatch.setattr("importlib.metadata.version", lambda name: {"transformers": "1"}[name])
    monkeypatch.setattr("importlib.metadata.PackageNotFoundError", KeyError)
    with pytest.raises(ExtraMissing, match=r"meteorlib\[contextual-onnx\]"):
        open_encoder(str(folders[1]))


def test_pytorch_is_not_imported(folders):
    """An ONNX file runs where PyTorch cannot be imported, without a message about it."""
    code = (
        "import sys; sys.modules['torch'] = None; from meteorlib.resources.encoder import open_encoder; "
        f"print(len(open_encoder({str(folders[1])!r})([('a', 'cat')], 1, 'cpu')[0]))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (found.stdout, found.stderr) == ("3\n", "")


@pytest.mark.parametrize("output", [0, 1])
@pytest.mark.parametrize("kind", ["NaN", "infinite", "large", "complex", "text", "narrow", "short", "none"])
def test_odd_outputs(folders, monkeypatch, output, kind):
    """Outputs that are no finite real numbers, or not of one shape, are refused before they are kept."""
    changes = {
        "NaN": lambda rows: rows * float("nan"),
        "infinite": lambda rows: rows + np.inf,
        "large": lambda rows: rows.astype(np.float64) * 1e300,
        "complex": lambda rows: rows * 1j,
        "text": lambda rows: rows.astype(str),
        "narrow": lambda rows: rows[..., :-1],
        "short": lambda rows: rows[:, :-1],
        "none": lambda _: None,
    }
    made = open_encoder(str(folders[1]))
    session = made._model("cpu")._model._session

    class Session:
        @staticmethod
        def run(*given):
            return [changes[kind](rows) if place == output else rows for place, rows in enumerate(session.run(*given))]

    monkeypatch.setattr(made._model("cpu")._model, "_session", Session)
    with pytest.raises(ResourceDamaged, match=r"model\.onnx, a vector for each piece of each input, must be .*, got"):
        made(TEXTS, 1, "cpu")
    monkeypatch.undo()


@pytest.mark.parametrize("key", [b"\n\x08location", b"\x8a\x00\x08location", b"\n\x88\x80\x00location"])
@pytest.mark.parametrize("last", [True, False])
def test_hidden_names_of_files(folders, tmp_path, key, last):
    """The name of a file with weights is found however its entry is written."""
    folder = copytree(folders[1], tmp_path / "hidden")
    value = b"\x12\x0b/etc/passwd"
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes() + (value + key if last else key + value))
    with pytest.raises(ResourceDamaged, match="has weights in other files"):
        open_encoder(str(folder))(TEXTS, 1, "cpu")


def test_settings_of_a_model_that_transformers_does_not_run(folders, tmp_path):
    """Code that config.json names is out of reach: only the tokenizer is made by transformers."""
    folder = copytree(folders[1], tmp_path / "own")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    settings |= {"model_type": "evil", "auto_map": {"AutoConfig": "evil.Evil", "AutoModel": "evil.Evil"}}
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'marker')!r}, 'w')", encoding="utf-8")
    found, expected = (open_encoder(str(each))(TEXTS, 2, "cpu") for each in (folder, folders[1]))
    assert [rows.tobytes() for rows in found] == [rows.tobytes() for rows in expected]
    assert not (tmp_path / "marker").exists()
