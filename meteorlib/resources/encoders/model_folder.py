"""Folders of sentence encoders: found by path, or inside an installed package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.resource_names import is_path
from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.store.manifest import sha256_of

FloatArray = NDArray[np.float32]

EXTRA, ONNX_EXTRA = "contextual", "contextual-onnx"
CONFIG, TOKENIZER = "config.json", "tokenizer.json"
WEIGHTS = ("model.safetensors", "model.onnx", "onnx/model.onnx")
"""Weights of a model; the first of these files that a folder has is taken."""

TOKENIZER_SETTINGS = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")
"""Files that change what transformers makes of `TOKENIZER`, if they are there."""

POOLING = "1_Pooling/config.json"
"""Settings of the sentence vector, in folders of sentence-transformers; without it, the mean is taken."""

_POOLING_MODES = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


@frozen
class ModelFolder:
    """A folder with an encoder in the layout of transformers and sentence-transformers.

    Attributes:
        name: the name in the configuration, for messages.
        path: the folder.
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
        """Find the model that a configuration names.

        Args:
            name: a folder, or the name of an installed package that contains one.

        Raises:
            ResourceMissing: there is no such package, or no model at that place.
            ResourceDamaged: a file of the model cannot be used.
        """
        path = Path(name) if is_path(name) else packaged_model(name)
        missing = _missing(path) if path else []
        if path is None or missing:
            raise ResourceMissing(name, _advice(name, path, missing))
        config = _read_json(name, path / CONFIG)
        layers, longest = config.get("num_hidden_layers"), config.get("max_position_embeddings")
        if not isinstance(layers, int):
            raise ResourceDamaged(name, f"{path / CONFIG} has no 'num_hidden_layers'", LOAD_REMEDY)
        weights = next(path / file for file in WEIGHTS if (path / file).is_file())
        return cls(name, path, weights, layers, longest if isinstance(longest, int) else None, _pooling(name, path))

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

    def digest(self) -> str:
        """Hexadecimal sha256 over the files that determine the vectors.

        Raises:
            ResourceDamaged: a file cannot be read.
        """
        weights = self.weights.relative_to(self.path).as_posix()
        files = [
            file for file in (CONFIG, POOLING, TOKENIZER, *TOKENIZER_SETTINGS, weights) if (self.path / file).is_file()
        ]
        try:
            return sha256(" ".join(f"{file} {sha256_of(self.path / file)}" for file in files).encode()).hexdigest()
        except OSError as error:
            raise ResourceDamaged(self.name, f"{error.filename}: {error.strerror}", LOAD_REMEDY) from error


def packaged_model(name: str) -> Path | None:
    """The folder of the model inside an installed package; None if there is no such package, or no model in it."""
    module = name.replace("-", "_")
    try:
        spec = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError):
        return None
    for place in (spec and spec.submodule_search_locations) or ():
        for folder in _folders(Path(place)):
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
