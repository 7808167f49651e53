"""A tiny sentence encoder with random weights, as a folder for PyTorch or for ONNX Runtime."""

from __future__ import annotations

import warnings
from pathlib import Path
from shutil import copyfile

import pytest

WORDS = ["the", "old", "firm", "company", "buy", "##s", "a", "cat", "."]
"""Pieces that the model knows."""


def save_model(path: Path) -> None:
    """Save the model, whose inputs have at most 16 pieces."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(vocab={word: index for index, word in enumerate(vocabulary)})
    tokenizer.save_pretrained(path)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
    )
    transformers.BertModel(config).save_pretrained(path)


def export_model(model: Path, path: Path, *, hidden_states: bool, inputs: tuple[str, ...]) -> Path:
    """Export the model of a folder as ONNX, with the outputs of all layers or of the last one."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    pytest.importorskip("onnx")
    path.mkdir(parents=True)
    for file in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        copyfile(model / file, path / file)

    class Exported(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = transformers.AutoModel.from_pretrained(str(model))

        def forward(self, *numbers):
            found = self.model(**dict(zip(inputs, numbers, strict=True)), output_hidden_states=True)
            return (found.last_hidden_state, *(found.hidden_states if hidden_states else ()))

    given = torch.ones((2, 3), dtype=torch.long)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Exported().eval(),
            (given,) * len(inputs),
            str(path / "model.onnx"),
            input_names=[*inputs],
            output_names=["last_hidden_state", *(f"hidden_states.{at}" for at in range(3) if hidden_states)],
            dynamic_axes={name: {0: "batch", 1: "piece"} for name in inputs},
            dynamo=False,
        )
    return path
