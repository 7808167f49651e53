"""Transformer models: vectors of words and sentences that do not depend on the batch.

Only inputs with equally many pieces share a batch, so that nothing is padded, and each batch is run in one thread: on a
CPU, a text then has the same vectors in any batch. Several batches run at the same time instead. A GPU adds in an order
that depends on the number of inputs, so there all batches of one length have the same size.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from meteorlib.arrays import checked_vectors, unit_rows
from meteorlib.cancellation import CancelFlag, cancel_on_exit, cancel_when, check_cancel
from meteorlib.errors import InvalidVectors, ResourceDamaged
from meteorlib.extras import import_extra, offline
from meteorlib.resources.encoder_folder import (
    CONFIG,
    EXTRA,
    LOAD_REMEDY,
    ONNX_EXTRA,
    SAFE_LOADING,
    FloatArray,
    ModelFolder,
)

BATCH_PIECES = 1024
"""Pieces of a batch; larger ones are no faster, on a CPU or a GPU."""

LONGEST_INPUT = 512
"""Pieces of an input, at most. A longer text is encoded in several parts."""


class Transformer:
    """A loaded model with its tokenizer. It can be shared between threads."""

    def __init__(self, folder: ModelFolder, device: str) -> None:
        """Load the model, or raise `ResourceDamaged`, e.g. because it cannot run on the device."""
        if folder.is_onnx:
            os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # it misses PyTorch, which nothing needs
        transformers = import_extra("transformers", folder.extra)
        with offline(), folder.checked_copy() as copy:
            try:
                tokenizer = transformers.AutoTokenizer.from_pretrained(str(copy), add_prefix_space=True, **SAFE_LOADING)
                self._longest = min(int(tokenizer.model_max_length), folder.longest or LONGEST_INPUT, LONGEST_INPUT)
            except Exception as error:  # whatever a broken file raises, in two libraries
                raise folder.not_loaded(error, copy) from error
            self._tokenizer: Any = tokenizer
            self._folder = folder
            self._model = OnnxModel(folder, device) if folder.is_onnx else TorchModel(folder, device, copy)

    def encode(self, texts: Sequence[Sequence[str]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """The vectors of texts of at least one word; `layer` is the hidden layer of the vectors of words, from 1.

        For each text, a vector for each word (the mean of its pieces; zeros if it has none, or one that the model does
        not know), and one for the whole text. A text that is too long for the model is encoded in parts.
        """
        try:
            encoded = self._tokenizer(
                [[*text] for text in texts],
                is_split_into_words=True,
                truncation=True,
                max_length=self._longest,
                return_overflowing_tokens=True,
                return_attention_mask=False,
                return_token_type_ids=False,
            )
        except Exception as error:  # as above: the settings of a broken file are used only now
            reason = f"its tokenizer cannot take a text ({type(error).__name__}: {error})"
            raise ResourceDamaged(self._folder.name, reason, LOAD_REMEDY) from error
        parts, unknown = encoded["input_ids"], self._tokenizer.unk_token_id
        hidden = self._run(parts, layer)
        width = hidden[0][0].shape[1] if hidden else 0
        words = [np.zeros((len(text), width), np.float32) for text in texts]
        pieces = [np.zeros(len(text), np.float32) for text in texts]
        sentences = [np.zeros(width, np.float32) for _ in texts]
        for part, (text, (states, sentence)) in enumerate(
            zip(encoded["overflow_to_sample_mapping"], hidden, strict=True)
        ):
            sentences[text] += sentence * len(parts[part])
            for word, piece, state in zip(encoded.word_ids(part), parts[part], states, strict=True):
                if word is not None:
                    words[text][word] += state
                    pieces[text][word] += np.inf if piece == unknown else 1  # the mean is then 0
        for rows, count in zip(words, pieces, strict=True):
            np.divide(rows, np.maximum(count, 1)[:, np.newaxis], out=rows)
        return list(zip(words, sentences, strict=True))

    def _run(self, inputs: Sequence[Sequence[int]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """For each input, the vectors of its pieces, and the one of the sentence."""
        results: list[Any] = [None] * len(inputs)
        batches = list(_batches(inputs))
        stop = CancelFlag()

        def work(batch: Sequence[int]) -> None:
            with cancel_when(stop):
                check_cancel()
                given = [inputs[index] for index in batch]
                if not self._model.on_cpu:
                    given += given[:1] * (_batch_size(len(given[0])) - len(given))
                for index, states in zip(batch, self._model.run(given, layer), strict=False):
                    results[index] = states

        with self._model.workers() as most:
            count = min(most, len(batches)) if self._model.on_cpu and parent_process() is None else 1
            if count <= 1:
                for batch in batches:
                    check_cancel()
                    work(batch)
            else:
                from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

                with ThreadPoolExecutor(count) as pool, cancel_on_exit(stop):
                    for _ in pool.map(work, batches):
                        check_cancel()
        return results


def _batch_size(length: int) -> int:
    """Most inputs of a batch of inputs with `length` pieces."""
    return max(BATCH_PIECES // length, 1)


def _batches(inputs: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Indices of inputs of the same length, the longest first, so that threads end at about the same time."""
    by_length: dict[int, list[int]] = {}
    for index, pieces in enumerate(inputs):
        by_length.setdefault(len(pieces), []).append(index)
    for length in sorted(by_length, reverse=True):
        same, size = by_length[length], _batch_size(length)
        yield from (same[first : first + size] for first in range(0, len(same), size))


BFLOAT16 = "-bfloat16"
"""End of the name of a device on which PyTorch computes with numbers of 16 bits, e.g. ``cpu-bfloat16``."""

MOST_NAMES = 3
"""Names of weights in an error."""

_torch_threads = Lock()
"""Held while batches run, because the number of PyTorch's threads is one setting for the whole process."""


class TorchModel:
    """A model run by PyTorch, loaded by transformers from ``model.safetensors``."""

    def __init__(self, folder: ModelFolder, device: str, loaded: Path) -> None:
        """Load the model from `loaded`, the folder that `ModelFolder.checked_copy` made."""
        self._torch = import_extra("torch", EXTRA)
        transformers = import_extra("transformers", EXTRA)
        bars = transformers.utils.logging
        shown, level = bars.is_progress_bar_enabled(), bars.get_verbosity()
        bars.disable_progress_bar()
        bars.set_verbosity_error()  # it reports weights that are not used, or not needed: see `_check_weights`
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
            bars.set_verbosity(level)
            if shown:
                bars.enable_progress_bar()
        _check_weights(folder, info)
        place = device.removesuffix(BFLOAT16)
        if place == "cpu" != device and not _computes_bfloat16(self._torch):
            reason = f"this processor has no instructions for bfloat16, which device {device!r} needs"
            raise ResourceDamaged(folder.name, reason, "set 'device' to 'cpu'")
        try:
            self._model = model.to(place, self._torch.float32 if place == device else self._torch.bfloat16)
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

        `ResourceDamaged`: the device has no memory left, or the tokenizer has pieces that the model lacks.
        """
        torch: Any = self._torch
        torch.set_num_threads(1)
        try:
            with torch.inference_mode():
                numbers = torch.tensor(inputs, device=self._model.device)
                states = self._model(input_ids=numbers, output_hidden_states=True).hidden_states
                last = states[-1].float()
                sentences = last[:, 0] if self._folder.pooling == "cls" else last.mean(1)
                sentences = torch.nn.functional.normalize(sentences, dim=-1)
                return list(zip(states[layer].float().cpu().numpy(), sentences.cpu().numpy(), strict=True))
        except (IndexError, RuntimeError) as error:  # PyTorch's classes for memory and for devices are RuntimeErrors
            raise _refused(self._folder, str(self._model.device), error) from error


def _computes_bfloat16(torch: Any) -> bool:
    """Whether the processor has instructions for bfloat16; other processors are slower with it than without."""
    able: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return any("bf16" in name and on for name, on in able.items())


def _check_weights(folder: ModelFolder, info: Mapping[str, Iterable[Any]]) -> None:
    """Refuse a model for which transformers drew weights at random, because the file has none, or of another shape.

    Weights of the pooler are not used here, so a file need not have them. `info` is what transformers says.
    """
    shapes = {name: f" {(*shape,)} instead of {(*wanted,)}" for name, shape, wanted in info["mismatched_keys"]}
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


LAST = "last_hidden_state"
STATES = "hidden_states."
"""Names of outputs, as Optimum writes them: the last layer, and this with the number of any layer."""

_EXTERNAL = re.compile(rb"(?:\n|\x8a\x80*\x00)(?:\x08|\x88\x80*\x00)location")
"""The key ``location`` in an entry of an ONNX tensor, whose value is the name of a file with weights outside the model.

The two bytes before it may also be written in more than one byte each, and the value before the key.
"""

_EXPORT_REMEDY = "export it as docs/contextual.md shows"


class OnnxModel:
    """A model run by ONNX Runtime, from ``model.onnx``, on a CPU; it needs no PyTorch. See `TorchModel`."""

    on_cpu = True

    def __init__(self, folder: ModelFolder, device: str) -> None:
        """Load the model; weights in other files, unknown inputs, no output of the last layer are refused."""
        if device != "cpu":
            reason = f"ONNX models do not run on device {device!r} here"
            raise ResourceDamaged(folder.name, reason, "set 'device' to 'cpu', or name a folder with model.safetensors")
        runtime = import_extra("onnxruntime", ONNX_EXTRA)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        model = _read_model(folder)
        try:
            self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has a dozen classes of errors
            reason = f"onnxruntime cannot load {folder.weights} ({str(error).strip()})"
            raise ResourceDamaged(folder.name, reason, LOAD_REMEDY) from error
        self._folder = folder
        self._inputs = [node.name for node in self._session.get_inputs()]
        outputs = {node.name for node in self._session.get_outputs()}
        names = {layer: f"{STATES}{layer}" for layer in range(1, folder.layers + 1)}
        self._layers = {layer: name for layer, name in names.items() if name in outputs}
        if LAST in outputs:
            self._layers[folder.layers] = LAST
        unknown = sorted({*self._inputs} - {"input_ids", "attention_mask", "token_type_ids"})
        if unknown or folder.layers not in self._layers:
            reason = f"{folder.weights} " + (f"needs inputs {unknown}" if unknown else f"has no output {LAST!r}")
            raise ResourceDamaged(folder.name, reason, _EXPORT_REMEDY)

    @contextmanager
    def workers(self) -> Iterator[int]:
        """See `TorchModel.workers`."""
        yield len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def run(self, inputs: Sequence[Sequence[int]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """See `TorchModel.run`; a layer that is not among the model's outputs is an error, too."""
        if layer not in self._layers:
            offered = ", ".join(map(str, sorted(self._layers)))
            reason = f"{self._folder.weights} has no output {STATES + str(layer)!r}, only those of layers {offered}"
            remedy = f"set 'layer: {self._folder.layers}', or export all layers as docs/contextual.md shows"
            raise ResourceDamaged(self._folder.name, reason, remedy)
        numbers = np.array(inputs, np.int64)
        given = {"input_ids": numbers, "attention_mask": np.ones_like(numbers), "token_type_ids": 0 * numbers}
        names = [self._layers[layer], self._layers[self._folder.layers]]
        try:
            outputs = self._session.run(names, {name: given[name] for name in self._inputs})
        except Exception as error:  # ONNX Runtime has a dozen classes of errors
            reason = f"onnxruntime cannot run {self._folder.weights} ({str(error).strip()})"
            raise ResourceDamaged(self._folder.name, reason, _EXPORT_REMEDY) from error
        whose = f"the outputs of {self._folder.weights}, a vector for each piece of each input,"
        try:
            last = checked_vectors(outputs[1], whose, [*numbers.shape, 0])
            states = checked_vectors(outputs[0], whose, last.shape)
        except InvalidVectors as error:
            raise ResourceDamaged(self._folder.name, str(error), _EXPORT_REMEDY) from error
        sentences = last[:, 0] if self._folder.pooling == "cls" else last.mean(1)
        return list(zip(states, unit_rows(sentences), strict=True))


def _read_model(folder: ModelFolder) -> bytes:
    """The file of the model, which must have all its weights."""
    try:
        model = folder.weights.read_bytes()
    except OSError as error:
        raise ResourceDamaged(folder.name, f"{folder.weights}: {error.strerror}", LOAD_REMEDY) from error
    if _EXTERNAL.search(model):
        reason = f"{folder.weights} has weights in other files, which are not in the digest"
        raise ResourceDamaged(folder.name, reason, "save it with all weights in one file")
    return model
