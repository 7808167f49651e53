"""Rate of words in context: ``python -m benchmarks.contextual SHARED``.

Measures how many segments a second presets with a sentence encoder score, how many their encoders encode in the same
runs, and how many BERTScore scores with the same encoder and layer (if `bert-score` is installed), on one core and on
two, in turns. Each run starts with empty caches; each segment has a reference of its own. Encoders that are not
installed are left out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from attrs import define, evolve

from benchmarks.process import machine, markdown, options
from benchmarks.texts import load_pairs
from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.config.schema import StageConfig
from meteorlib.core.segment import Pair
from meteorlib.errors import ResourceMissing
from meteorlib.resources.encoder import Encoder, open_encoder
from meteorlib.resources.encoder_folder import ModelFolder

PRESETS = ["meteor-2026-en-contextual", "meteor-2026-en-contextual-large", "meteor-2026-de-contextual"]
DEVICES = ["cpu", "cpu-bfloat16"]


@define
class Clock:
    """Elapsed seconds, and seconds of processor time."""

    elapsed: float = 0.0
    processor: float = 0.0

    def __enter__(self) -> None:
        self.elapsed -= time.perf_counter()
        self.processor -= time.process_time()

    def __exit__(self, *_: object) -> None:
        self.elapsed += time.perf_counter()
        self.processor += time.process_time()


@define
class Timed:
    """An encoder, and the time in which it encodes batches; later it only finds their vectors in its memory."""

    encoder: Encoder
    clock: Clock

    def __call__(self, texts: Sequence[Sequence[str]], layer: int, device: str) -> Any:
        """See `Encoder`."""
        if len(texts) == 1:
            return self.encoder(texts, layer, device)
        with self.clock:
            return self.encoder(texts, layer, device)

    def center(self, layer: int) -> Any:
        """See `Encoder.center`."""
        return self.encoder.center(layer)


def run(pairs: Sequence[Pair], stage: StageConfig, preset: str) -> dict[str, Clock]:
    """Time of the encoder and of the whole preset for all pairs; the model is loaded before."""
    encoder, config = Timed(open_encoder(str(stage.resource)), Clock()), load_preset(preset)
    scorer = Scorer(evolve(config, stages=[*config.stages[:-1], stage]), given={"contextual": encoder})
    whole = Clock()
    # set after the paraphrases were opened, before the cache of vectors is
    with TemporaryDirectory() as folder, patch.dict(os.environ, METEORLIB_CACHE=folder):
        scorer.score("a cat", "the cat")
        encoder.clock = Clock()
        with whole:
            scorer.arrays(pairs)
    return {"the encoder": encoder.clock, preset: whole}


def bert_score(pairs: Sequence[Pair], stage: StageConfig) -> dict[str, Clock]:
    """Time of BERTScore with the same encoder and layer."""
    from bert_score import BERTScorer  # noqa: PLC0415 – another package

    folder = ModelFolder.find(str(stage.resource)).path
    scorer, clock = BERTScorer(model_type=str(folder), num_layers=stage.settings.layer, device="cpu"), Clock()
    scorer.score(["a cat"], ["the cat"])
    with clock:
        scorer.score([pair.hypothesis for pair in pairs], [pair.references[0] for pair in pairs])
    return {"BERTScore": clock}


def measured(pairs: Sequence[Pair], preset: str, device: str, cores: int) -> dict[str, Clock]:
    """The times of a preset, and on the plain CPU of BERTScore, on some cores."""
    import torch  # noqa: PLC0415 – an extra

    stage = load_preset(preset).stages[-1]
    stage = evolve(stage, settings=evolve(stage.settings, device=device))
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:cores])
    torch.set_num_threads(cores)
    try:
        times = run(pairs, stage, preset)
        return times | bert_score(pairs, stage) if device == "cpu" and find_spec("bert_score") else times
    except ResourceMissing:
        return {}
    finally:
        os.sched_setaffinity(0, every)


def main() -> None:
    """Measure, and print medians in Markdown."""
    parser = options(__doc__, shared=False, segments=800, runs=5, presets=PRESETS, devices=DEVICES)
    parser.add_argument("shared", type=Path)
    arguments = parser.parse_args()
    texts = load_pairs(arguments.shared, arguments.segments)
    pairs = [Pair((reference,), hypothesis) for hypothesis, reference in texts]
    found: dict[tuple[str, str, str, int], list[Clock]] = {}
    for _ in range(arguments.runs):
        for preset, device, cores in product(arguments.presets, arguments.devices, (1, 2)):
            for name, clock in measured(pairs, preset, device, cores).items():
                found.setdefault((preset, name, device, cores), []).append(clock)
    words = sum(len(side.split()) for pair in pairs for side in (*pair.references, pair.hypothesis)) / len(pairs) / 2
    print(f"{machine()}; {len(pairs)} segments of {words:.0f} words a side, median of {arguments.runs}\n")
    rows = []
    for (preset, name, device, cores), clocks in sorted(found.items()):
        rates = sorted(len(pairs) / clock.elapsed for clock in clocks)
        busy = 1000 * median(clock.processor for clock in clocks) / len(pairs)
        title = name if name == preset else f"{preset}: {name}"
        rows.append(
            (title, device, str(cores), f"{median(rates):.0f}", f"{rates[0]:.0f} to {rates[-1]:.0f}", f"{busy:.2f}")
        )
    columns = ["", "device", "cores", "segments/s", "least to most", "ms of processor time per segment"]
    print(markdown(columns, rows, left=2))


if __name__ == "__main__":
    main()
