"""Models run by ONNX Runtime, from ``model.onnx``; they need no PyTorch."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from meteorlib.arrays import checked_vectors, unit_rows
from meteorlib.errors import InvalidVectors, ResourceDamaged
from meteorlib.extras import import_extra
from meteorlib.resources.encoders.model_folder import LOAD_REMEDY, ONNX_EXTRA, FloatArray, ModelFolder

LAST = "last_hidden_state"
STATES = "hidden_states."
"""Names of outputs, as Optimum writes them: the last layer, and this with the number of any layer."""

_EXTERNAL = re.compile(rb"(?:\n|\x8a\x80*\x00)(?:\x08|\x88\x80*\x00)location")
"""The key ``location`` in an entry of an ONNX tensor, whose value is the name of a file with weights outside the model.

The two bytes before it may also be written in more than one byte each, and the value before the key.
"""

_REMEDY = "export it as docs/contextual.md shows"


class OnnxModel:
    """A loaded model, which runs on a CPU.

    Attributes:
        on_cpu: True.
    """

    on_cpu = True

    def __init__(self, folder: ModelFolder, device: str) -> None:
        """Load the model.

        Raises:
            ExtraMissing: onnxruntime is not installed.
            ResourceDamaged: it cannot load the model; the model has weights in other files, inputs that are not known
                here, or no output of the last layer; the device is not the CPU.
        """
        if device != "cpu":
            reason = f"ONNX models do not run on device {device!r} here"
            raise ResourceDamaged(folder.name, reason, "set 'device' to 'cpu', or name a folder with model.safetensors")
        runtime = import_extra("onnxruntime", ONNX_EXTRA)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        model = _read(folder)
        try:
            self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has a dozen classes of errors
            reason = f"onnxruntime cannot load {folder.weights} ({str(error).strip()})"
            raise ResourceDamaged(folder.name, reason, LOAD_REMEDY) from error
        self._folder = folder
        self._inputs = [each.name for each in self._session.get_inputs()]
        outputs = {each.name for each in self._session.get_outputs()}
        names = {layer: f"{STATES}{layer}" for layer in range(1, folder.layers + 1)}
        self._layers = {layer: name for layer, name in names.items() if name in outputs}
        if LAST in outputs:
            self._layers[folder.layers] = LAST
        unknown = sorted({*self._inputs} - {"input_ids", "attention_mask", "token_type_ids"})
        if unknown or folder.layers not in self._layers:
            reason = f"{folder.weights} " + (f"needs inputs {unknown}" if unknown else f"has no output {LAST!r}")
            raise ResourceDamaged(folder.name, reason, _REMEDY)

    @contextmanager
    def workers(self) -> Iterator[int]:
        """Number of batches that may run at the same time, each in one thread."""
        yield len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def run(self, inputs: Sequence[Sequence[int]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """For each of several inputs of one length, the vectors of its pieces in a layer, and the sentence vector.

        Raises:
            ResourceDamaged: the layer is not among the model's outputs; the model cannot run, or its outputs have
                another shape.
        """
        if layer not in self._layers:
            offered = ", ".join(map(str, sorted(self._layers)))
            reason = f"{self._folder.weights} has no output {STATES + str(layer)!r}, only those of layers {offered}"
            remedy = f"set 'layer: {self._folder.layers}', or export all layers as docs/contextual.md shows"
            raise ResourceDamaged(self._folder.name, reason, remedy)
        numbers = np.array(inputs, np.int64)
        given = {"input_ids": numbers, "attention_mask": np.ones_like(numbers), "token_type_ids": 0 * numbers}
        names = [self._layers[layer], self._layers[self._folder.layers]]
        try:
            found = self._session.run(names, {name: given[name] for name in self._inputs})
        except Exception as error:  # ONNX Runtime has a dozen classes of errors
            reason = f"onnxruntime cannot run {self._folder.weights} ({str(error).strip()})"
            raise ResourceDamaged(self._folder.name, reason, _REMEDY) from error
        whose = f"the outputs of {self._folder.weights}, a vector for each piece of each input,"
        try:
            last = checked_vectors(found[1], whose, [*numbers.shape, 0])
            states = checked_vectors(found[0], whose, last.shape)
        except InvalidVectors as error:
            raise ResourceDamaged(self._folder.name, str(error), _REMEDY) from error
        sentences = last[:, 0] if self._folder.pooling == "cls" else last.mean(1)
        return list(zip(states, unit_rows(sentences), strict=True))


def _read(folder: ModelFolder) -> bytes:
    """The file of the model, which must have all its weights."""
    try:
        model = folder.weights.read_bytes()
    except OSError as error:
        raise ResourceDamaged(folder.name, f"{folder.weights}: {error.strerror}", LOAD_REMEDY) from error
    if _EXTERNAL.search(model):
        reason = f"{folder.weights} has weights in other files, which are not in the digest"
        raise ResourceDamaged(folder.name, reason, "save it with all weights in one file")
    return model
