"""Folders of sentence encoders: found by path, or inside an installed package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import frozen

from meteorlib.core.resource_names import is_path
from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.store.manifest import sha256_of

EXTRA = "contextual"
CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
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
        layers: number of hidden layers.
        pooling: how the sentence vector is made of the last layer: ``mean`` or ``cls``.
    """

    name: str
    path: Path
    layers: int
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
        missing = [file for file in (CONFIG, TOKENIZER, WEIGHTS) if path is None or not (path / file).is_file()]
        if path is None or missing:
            raise ResourceMissing(name, _advice(name, path, missing))
        layers = _read_json(name, path / CONFIG).get("num_hidden_layers")
        if not isinstance(layers, int):
            raise ResourceDamaged(name, f"{path / CONFIG} has no 'num_hidden_layers'", _REMEDY)
        return cls(name, path, layers, _pooling(name, path))

    def digest(self) -> str:
        """Hexadecimal sha256 over the files that determine the vectors.

        Raises:
            ResourceDamaged: a file cannot be read.
        """
        files = [
            file for file in (CONFIG, POOLING, TOKENIZER, *TOKENIZER_SETTINGS, WEIGHTS) if (self.path / file).is_file()
        ]
        try:
            return sha256(" ".join(f"{file} {sha256_of(self.path / file)}" for file in files).encode()).hexdigest()
        except OSError as error:
            raise ResourceDamaged(self.name, f"{error.filename}: {error.strerror}", _REMEDY) from error


def packaged_model(name: str) -> Path | None:
    """The folder of the model inside an installed package; None if there is no such package, or no model in it."""
    module = name.replace("-", "_")
    try:
        spec = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError):
        return None
    for place in (spec and spec.submodule_search_locations) or ():
        for folder in _folders(Path(place)):
            if all((folder / file).is_file() for file in (CONFIG, TOKENIZER, WEIGHTS)):
                return folder
    return None


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


_REMEDY = "get the model again, or name another folder"


def _read_json(name: str, path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ResourceDamaged(name, f"{path} cannot be read ({error})", _REMEDY) from error
    if not isinstance(data, dict):
        raise ResourceDamaged(name, f"{path} is not a JSON object", _REMEDY)
    return data


def _pooling(name: str, path: Path) -> str:
    if not (path / POOLING).is_file():
        return "mean"
    modes = [mode for mode, on in _read_json(name, path / POOLING).items() if mode.startswith("pooling_mode") and on]
    if len(modes) != 1 or modes[0] not in _POOLING_MODES:
        reason = f"{path / POOLING} asks for {' and '.join(modes) or 'no pooling'}; supported are mean and CLS"
        raise ResourceDamaged(name, reason, "name another encoder")
    return _POOLING_MODES[modes[0]]
