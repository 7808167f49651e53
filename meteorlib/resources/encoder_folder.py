"""Folders of sentence encoders: found by path, or inside an installed package."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import checked_vectors
from meteorlib.errors import InvalidVectors, ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import ENCODERS, is_path
from meteorlib.resources.store.index import Index, open_installed
from meteorlib.resources.store.manifest import Manifest, sha256_of

FloatArray = NDArray[np.float32]

EXTRA, ONNX_EXTRA = "contextual", "contextual-onnx"
CONFIG, TOKENIZER = "config.json", "tokenizer.json"
WEIGHTS = ("model.safetensors", "model.onnx", "onnx/model.onnx")
"""Weights of a model; the first of these files that a folder has is taken."""

TOKENIZER_SETTINGS = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")
"""Files that change what transformers makes of `TOKENIZER`, if they are there."""

POOLING = "1_Pooling/config.json"
"""Settings of the sentence vector, in folders of sentence-transformers; without it, the mean is taken."""

CENTER = "center.json"
"""Means of the vectors of words, by layer, and of sentences, made by tools/encoder_center.py; a model need not have it.

``{"words": {"8": […]}, "sentence": […]}``, of vectors of length 1.
"""

SAFE_LOADING = {"local_files_only": True, "trust_remote_code": False}
"""Arguments of every ``from_pretrained``: without the second, transformers would ask on standard input."""

_CODE = "name another encoder, or export it as ONNX in an environment where its code may run (docs/contextual.md)"
_PLAIN = "save the model anew with plain weights of its own"
_UNSAFE: Mapping[str, tuple[str, str]] = {
    "auto_map": ("names Python code to run", _CODE),
    "attn_implementation": ("can name code to download and run", "remove it, or set it to 'sdpa' or 'eager'"),
    "experts_implementation": ("can name code to download and run", "remove it"),
    "quantization_config": ("needs code of other packages", _PLAIN),
    "transformers_weights": ("names another file of weights", _PLAIN),
    "use_pretrained_backbone": ("names weights to download", _PLAIN),
}
"""Entries of settings for which transformers runs, downloads or reads more than the files here: why, and what to do."""

_SAFE_VALUES = ("eager", "sdpa")
"""Values of such entries that stand for code of transformers itself."""

_POOLING_MODES = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


@frozen
class ModelFolder:
    """A folder with an encoder in the layout of transformers and sentence-transformers.

    Attributes:
        name: the name in the configuration, for messages.
        weights: one of `WEIGHTS`.
        layers: number of hidden layers.
        longest: number of positions of an input; None if the model does not say.
        pooling: how the sentence vector is made of the last layer: ``mean`` or ``cls``.
    """

    name: str
    path: Path
    weights: Path
    layers: int
    longest: int | None
    pooling: str

    @classmethod
    def find(cls, name: str) -> ModelFolder:
        """The model in a folder, or in an installed package; its settings are checked (`settings`)."""
        path = Path(name) if is_path(name) else installed_model(name) if name in ENCODERS else packaged_model(name)
        missing = _missing(path) if path else []
        if path is None or missing:
            raise ResourceMissing(name, _advice(name, path, missing))
        config = _read_json(name, path / CONFIG)
        layers, longest = config.get("num_hidden_layers"), config.get("max_position_embeddings")
        if not isinstance(layers, int):
            raise ResourceDamaged(name, f"{path / CONFIG} has no 'num_hidden_layers'", LOAD_REMEDY)
        if isinstance(longest, int) and longest < 1:
            raise ResourceDamaged(name, f"{path / CONFIG} has 'max_position_embeddings': {longest}", LOAD_REMEDY)
        weights = next(path / file for file in WEIGHTS if (path / file).is_file())
        model = cls(name, path, weights, layers, longest if isinstance(longest, int) else None, _pooling(name, path))
        model.settings()
        return model

    @property
    def is_onnx(self) -> bool:
        """Whether ONNX Runtime runs the model, not PyTorch."""
        return self.weights.suffix == ".onnx"

    @property
    def extra(self) -> str:
        """The extra that installs what runs the model."""
        return ONNX_EXTRA if self.is_onnx else EXTRA

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that run the model, whose versions stand in signatures."""
        return ("onnxruntime" if self.is_onnx else "torch", "transformers", "tokenizers")

    def settings(self) -> dict[str, Mapping[str, Any]]:
        """The settings that decide what transformers does, by file; with ONNX, it makes the tokenizer only.

        An unsafe setting raises `ResourceDamaged`, which says what to do.
        """
        files = TOKENIZER_SETTINGS if self.is_onnx else (CONFIG, *TOKENIZER_SETTINGS)
        by_file = {file: _read_json(self.name, self.path / file) for file in files if (self.path / file).is_file()}
        for file, settings in by_file.items():
            left: list[Any] = [settings]
            while left:
                entry = left.pop()
                left += entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
                for key, value in entry.items() if isinstance(entry, dict) else ():
                    unsafe = _UNSAFE.get(key.lstrip("_").removesuffix("_internal"))
                    if unsafe and value and value not in _SAFE_VALUES:
                        reason = f"{self.path / file} has {key!r}, which {unsafe[0]}: meteorlib does not do that"
                        raise ResourceDamaged(self.name, reason, unsafe[1])
        return by_file

    @contextmanager
    def checked_copy(self) -> Iterator[Path]:
        """A temporary folder with nothing but the files of the digest, for transformers to load.

        What else a folder has is out of reach: Python code, pickles, adapters, other weights. The same holds for what
        its settings name outside of it: paths of files are left out.
        """
        with TemporaryDirectory(prefix="meteorlib-", ignore_cleanup_errors=True) as made:
            copy = Path(made)
            try:
                for file in (CONFIG, TOKENIZER):
                    shutil.copyfile(self.path / file, copy / file)
                if not self.is_onnx:
                    _link(self.weights.resolve(), copy / WEIGHTS[0])
                for file, settings in self.settings().items():
                    kept = {key: value for key, value in settings.items() if not key.endswith(_PATH_KEYS)}
                    (copy / file).write_text(json.dumps(kept, allow_nan=False), encoding="utf-8")
            except (OSError, ValueError, RecursionError) as error:
                raise ResourceDamaged(self.name, f"{self.path} cannot be copied ({error})", LOAD_REMEDY) from error
            yield copy

    def not_loaded(self, error: Exception, copy: Path) -> ResourceDamaged:
        """The error for a model that transformers cannot load from a checked copy."""
        said = str(error).replace(str(copy), str(self.path))
        reason = f"transformers cannot load {self.path} ({type(error).__name__}: {said})"
        return ResourceDamaged(self.name, reason, LOAD_REMEDY)

    def center(self, layer: int) -> FloatArray:
        """Two rows: the mean vector of words in a layer, and that of sentences."""
        path = self.path / CENTER
        if not path.is_file():
            reason = f"{self.path} has no {CENTER}, which 'center: true' needs"
            raise ResourceDamaged(self.name, reason, "leave out 'center', or make that file (docs/contextual.md)")
        found = _read_json(self.name, path)
        words = found.get("words")
        if not isinstance(words, dict) or str(layer) not in words:
            known = ", ".join(words) if isinstance(words, dict) else "none"
            reason = f"{path} has no center of layer {layer}; it has {known}"
            raise ResourceDamaged(self.name, reason, "name another 'layer', or make that file again")
        try:
            return checked_vectors([words[str(layer)], found.get("sentence")], f"the vectors of {path}", [2, 0])
        except InvalidVectors as error:
            raise ResourceDamaged(self.name, str(error), LOAD_REMEDY) from error

    def digest(self) -> str:
        """Hexadecimal sha256 over the files that determine the vectors."""
        weights = self.weights.relative_to(self.path).as_posix()
        known = (CONFIG, POOLING, TOKENIZER, *TOKENIZER_SETTINGS, CENTER, weights)
        files = [file for file in known if (self.path / file).is_file()]
        try:
            return sha256(" ".join(f"{file} {sha256_of(self.path / file)}" for file in files).encode()).hexdigest()
        except OSError as error:
            raise ResourceDamaged(self.name, f"{error.filename}: {error.strerror}", LOAD_REMEDY) from error


def installed_model(name: str) -> Path:
    """The folder of an encoder of the catalog, whose files are those that were installed."""

    def verified(folder: Path, name: str) -> Path:
        Index(folder, name, Manifest.read(folder, name).files, ())
        return folder

    return open_installed(name, verified)


def packaged_model(name: str) -> Path | None:
    """The folder of the model inside an installed package; None if there is no such package, or no model in it."""
    module = name.replace("-", "_")
    try:
        spec = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError):
        return None
    for location in (spec and spec.submodule_search_locations) or ():
        for folder in _folders(Path(location)):
            if not _missing(folder):
                return folder
    return None


def _missing(folder: Path) -> list[str]:
    """Files that a folder lacks to be a model's."""
    missing = [file for file in (CONFIG, TOKENIZER) if not (folder / file).is_file()]
    return missing if any((folder / file).is_file() for file in WEIGHTS) else [*missing, " or ".join(WEIGHTS[:2])]


def _folders(place: Path) -> Iterator[Path]:
    """A package's folder, and those directly inside it."""
    yield place
    yield from sorted(path for path in place.iterdir() if path.is_dir())


def _advice(name: str, path: Path | None, missing: list[str]) -> str:
    if path is not None:
        return f"the folder {path} has no {', '.join(missing)}; name the folder of an encoder for transformers"
    return (
        f"run `pip install 'meteorlib[{EXTRA}]' {name}`, or name the folder of another encoder as the resource of the "
        "stage 'contextual' (docs/contextual.md)"
    )


LOAD_REMEDY = "get the model again, or name another folder"

_PATH_KEYS = ("_file", "_files", "init_inputs")
"""Ends of settings that are paths, which transformers would open wherever they point to, or arguments that can be."""


def _link(source: Path, target: Path) -> None:
    """Make a file reachable in another place, by a copy only where the system has no links for users."""
    try:
        target.symlink_to(source)
    except OSError:
        shutil.copyfile(source, target)


def _read_json(name: str, path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ResourceDamaged(name, f"{path} cannot be read ({error})", LOAD_REMEDY) from error
    if not isinstance(data, dict):
        raise ResourceDamaged(name, f"{path} is not a JSON object", LOAD_REMEDY)
    return data


def _pooling(name: str, path: Path) -> str:
    if not (path / POOLING).is_file():
        return "mean"
    modes = [mode for mode, on in _read_json(name, path / POOLING).items() if mode.startswith("pooling_mode") and on]
    if len(modes) != 1 or modes[0] not in _POOLING_MODES:
        reason = f"{path / POOLING} asks for {' and '.join(modes) or 'no pooling'}; supported are mean and CLS"
        raise ResourceDamaged(name, reason, "name another encoder")
    return _POOLING_MODES[modes[0]]
