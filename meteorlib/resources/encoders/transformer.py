"""Transformer models: vectors of words and sentences that do not depend on the batch.

Only inputs with equally many pieces share a batch, so that nothing is padded, and each batch is run in one thread: on a
CPU, a text then has the same vectors in any batch. Several batches run at the same time instead. A GPU adds in an order
that depends on the number of inputs, so there all batches of one length have the same size.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from multiprocessing import parent_process
from typing import Any

import numpy as np

from meteorlib.cancellation import CancelFlag, cancel_on_exit, cancel_when, check_cancel
from meteorlib.errors import ResourceDamaged
from meteorlib.extras import import_extra, offline
from meteorlib.resources.encoders.model_folder import LOAD_REMEDY, SAFE_LOADING, FloatArray, ModelFolder
from meteorlib.resources.encoders.onnx_model import OnnxModel
from meteorlib.resources.encoders.torch_model import TorchModel

BATCH_PIECES = 1024
"""Pieces of a batch; larger ones are no faster, on a CPU or a GPU."""

LONGEST_INPUT = 512
"""Pieces of an input, at most. A longer text is encoded in several parts."""


class Transformer:
    """A loaded model with its tokenizer. It can be shared between threads."""

    def __init__(self, folder: ModelFolder, device: str) -> None:
        """Load the model.

        Raises:
            ExtraMissing: transformers, or what runs the model, is not installed.
            ResourceDamaged: the model cannot be loaded, or cannot run on the device.
        """
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
        """The vectors of texts, each of at least one word.

        Args:
            texts: the words of each.
            layer: hidden layer of the vectors of words, from 1.

        Returns:
            For each text, a vector for each word (the mean of its pieces; zeros if it has none), and one for the whole
            text. A text that is too long for the model is encoded in parts.
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
        parts = encoded["input_ids"]
        hidden = self._run(parts, layer)
        width = hidden[0][0].shape[1] if hidden else 0
        words = [np.zeros((len(text), width), np.float32) for text in texts]
        pieces = [np.zeros(len(text), np.float32) for text in texts]
        sentences = [np.zeros(width, np.float32) for _ in texts]
        for part, (text, (states, sentence)) in enumerate(
            zip(encoded["overflow_to_sample_mapping"], hidden, strict=True)
        ):
            sentences[text] += sentence * len(parts[part])
            for word, state in zip(encoded.word_ids(part), states, strict=True):
                if word is not None:
                    words[text][word] += state
                    pieces[text][word] += 1
        for rows, count in zip(words, pieces, strict=True):
            np.divide(rows, np.maximum(count, 1)[:, np.newaxis], out=rows)
        return list(zip(words, sentences, strict=True))

    def _run(self, inputs: Sequence[Sequence[int]], layer: int) -> list[tuple[FloatArray, FloatArray]]:
        """For each input, the vectors of its pieces, and the one of the sentence."""
        found: list[Any] = [None] * len(inputs)
        batches = list(_batches(inputs))
        stop = CancelFlag()

        def work(batch: Sequence[int]) -> None:
            with cancel_when(stop):
                check_cancel()
                given = [inputs[index] for index in batch]
                if not self._model.on_cpu:
                    given += given[:1] * (_batch_size(len(given[0])) - len(given))
                for index, states in zip(batch, self._model.run(given, layer), strict=False):
                    found[index] = states

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
        return found


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
