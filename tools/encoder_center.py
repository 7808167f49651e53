"""Make the center of an encoder, which the stage `contextual` subtracts with ``center: true``.

    python -m tools.encoder_center ENCODER LAYER[,LAYER…] cz=FILE de=FILE … > ENCODER/center.json

ENCODER is a folder, an installed package or ``encoder-multilingual-e5-small``. Each FILE has texts of one language, one
a line, of which `TEXTS` are taken at equal distances. The center has the mean vectors of words and of texts: of each
language, and of these the mean. The texts must not be those that are scored.

The packaged center has layers 7 to 9, and the sources of newstest2013 in Czech, German, Spanish, French and Russian
(the second column of wmt13_rank/XX-en.segments.tsv.gz), which no figure of the documentation uses.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from meteorlib.config import load_preset
from meteorlib.engine.build import make_text
from meteorlib.resources.encoder import Encoder, open_encoder

TEXTS = 200
"""Texts of a language; with half as many, scores move by .002."""

DIGITS = 5


def means(encoder: Encoder, layer: int, language: str, lines: list[str]) -> NDArray[np.float64]:
    """Two rows: the means of the vectors of words in a layer, and of texts."""
    text = make_text(evolve(load_preset(f"meteor-2026-{language}"), case=None))
    texts = [text.words(lines[len(lines) * place // TEXTS]) for place in range(TEXTS)]
    rows = [each.astype(float) for each in encoder(texts, layer, "cpu")]
    words = np.concatenate([each[:-1] for each in rows])
    return np.stack([words[words.any(axis=1)].mean(0), np.mean([each[-1] for each in rows], axis=0)])


def main() -> None:
    """Encode the texts, and print the center as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder")
    parser.add_argument("layers", type=lambda given: [int(layer) for layer in given.split(",")])
    parser.add_argument("files", nargs="+", metavar="LANGUAGE=FILE")
    arguments = parser.parse_args()
    encoder, center = open_encoder(arguments.encoder), {}
    files = [one.partition("=") for one in arguments.files]
    texts = [(code, Path(file).read_text(encoding="utf-8").rstrip("\n").split("\n")) for code, _, file in files]
    for layer in arguments.layers:
        found = np.mean([means(encoder, layer, *one) for one in texts], axis=0).round(DIGITS)
        center[str(layer)], sentence = found.tolist()
    sys.stdout.write(json.dumps({"words": center, "sentence": sentence}, separators=(",", ":"), allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
