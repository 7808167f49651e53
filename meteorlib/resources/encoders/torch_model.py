"""Models run by PyTorch, loaded by transformers from ``model.safetensors``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from meteorlib.errors import ResourceDamaged
from meteorlib.extras import import_extra
from meteorlib.resources.encoders.model_folder import (
    CONFIG,
    EXTRA,
    LOAD_REMEDY,
    SAFE_LOADING,
    FloatArray,
    ModelFolder,
)

MOST_NAMES = 3
"""Names of weights in an error."""

_torch_threads = Lock()
"""Held while batches run, because the number of PyTorch's threads is one setting for the whole process."""


class TorchModel:
    """A loaded model.

    Attributes:
        on_cpu: whether it runs on a CPU.
    """

    def __init__(self, folder: ModelFolder, device: str, loaded: Path) -> None:
        """Load the model.

        Args:
            folder: the model's folder.
            device: device of PyTorch.
            loaded: the folder that `ModelFolder.checked_copy` made of it.

        Raises:
            ExtraMissing: torch or transformers is not installed.
            ResourceDamaged: transformers cannot load the model, weights are missing or have another shape, or PyTorch
                cannot run it on the device.
        """
        self._torch = import_extra("torch", EXTRA)
        transformers = import_extra("transformers", EXTRA)
        bars = transformers.utils.logging
        shown = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()
        try:
            # with names of mismatched weights instead of an error that has none
            model, info = transformers.AutoModel.from_pretrained(
                str(loaded),
                use_safetensors=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
                **SAFE_LOADING,
            )
            model = model.float().eval()
            for weights in (*model.parameters(), *model.buffers()):
                weights.data = weights.data.clone()  # they are mapped: a file that is overwritten would change them
        except Exception as error:  # whatever a broken file raises, in three libraries
            raise folder.not_loaded(error, loaded) from error
        finally:
            if shown:
                bars.enable_progress_bar()
        _check_weights(folder, info)
        try:
            self._model = model.to(device)
        except Exception as error:  # PyTorch has several classes for devices that it does not know or cannot use
            raise _refused(folder, device, error) from error
        self.on_cpu: bool = self._model.device.type == "cpu"
        self._folder = folder

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Number of batches that may run at the same time, each in one thread."""
        with _torch_threads:
            threads: int = self._torch.get_num_threads()
            try:
                yield threads
            finally:
                self._torch.set_num_threads(threads)

    def run(self, inputs: Sequence[Sequence[int]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """For each of several inputs of one length, the vectors of its pieces in a layer, and the sentence vector.

        Raises:
            ResourceDamaged: PyTorch cannot run the model: the device has no memory left, or the tokenizer has pieces
                that the model lacks.
        """
        torch: Any = self._torch
        torch.set_num_threads(1)
        try:
            with torch.inference_mode():
                numbers = torch.tensor(inputs, device=self._model.device)
                states = self._model(input_ids=numbers, output_hidden_states=True).hidden_states
                last = states[-1]
                sentences = last[:, 0] if self._folder.pooling == "cls" else last.mean(1)
                sentences = torch.nn.functional.normalize(sentences, dim=-1)
                return list(zip(states[layer].cpu().numpy(), sentences.cpu().numpy(), strict=True))
        except (IndexError, RuntimeError) as error:  # PyTorch's classes for memory and for devices are RuntimeErrors
            raise _refused(self._folder, str(self._model.device), error) from error


def _check_weights(folder: ModelFolder, info: Mapping[str, Iterable[Any]]) -> None:
    """Refuse a model for which transformers drew weights at random, because the file has none, or of another shape.

    Weights of the pooler are not used here, so a file need not have them.

    Args:
        folder: the model's folder.
        info: what transformers says about loading it.

    Raises:
        ResourceDamaged: there are such weights; the message names the first of them.
    """
    shapes = {name: f" {(*found,)} instead of {(*wanted,)}" for name, found, wanted in info["mismatched_keys"]}
    kinds = {"lacks weights": dict.fromkeys(info["missing_keys"], ""), "has weights of another shape": shapes}
    for problem, weights in kinds.items():
        names = [name + weights[name] for name in sorted(weights) if not name.startswith("pooler.")]
        if names:
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            reason = f"{folder.weights} {problem} that {folder.path / CONFIG} asks for: {', '.join(names[:MOST_NAMES])}"
            raise ResourceDamaged(folder.name, reason + more, LOAD_REMEDY)


def _refused(folder: ModelFolder, device: str, error: Exception) -> ResourceDamaged:
    first, *_ = re.split(r"\. |\n", str(error), maxsplit=1)
    reason = f"PyTorch cannot run it on device {device!r} ({first})"
    return ResourceDamaged(folder.name, reason, LOAD_REMEDY if device == "cpu" else "set 'device' to 'cpu'")
