"""Rate of words in context: ``python -m benchmarks.contextual SHARED``.

Measures how many segments a second `meteor-2026-en-contextual` scores, and how many its encoder encodes in the same
runs, on one core and on two, in turns. Each run starts with empty caches; each segment has a reference of its own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from attrs import define

from benchmarks.process import machine, markdown, options
from benchmarks.texts import load_pairs
from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.resources.encoder import Encoder, open_encoder

PRESET = "meteor-2026-en-contextual"


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


def run(pairs: Sequence[Pair], cores: int) -> dict[str, Clock]:
    """Time of the encoder and of the whole preset for all pairs, on some cores; the model is loaded before."""
    import torch  # noqa: PLC0415 – an extra

    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:cores])
    torch.set_num_threads(cores)
    encoder = Timed(open_encoder(load_preset(PRESET).stages[-1].resource), Clock())
    scorer = Scorer(PRESET, given={"contextual": encoder})
    whole = Clock()
    # set after the paraphrases were opened, before the cache of vectors is
    with TemporaryDirectory() as folder, patch.dict(os.environ, METEORLIB_CACHE=folder):
        scorer.score("a cat", "the cat")
        encoder.clock = Clock()
        with whole:
            scorer.arrays(pairs)
    os.sched_setaffinity(0, every)
    return {"the encoder": encoder.clock, "the preset": whole}


def main() -> None:
    """Measure, and print medians in Markdown."""
    parser = options(__doc__, shared=False, segments=800, runs=5)
    parser.add_argument("shared", type=Path)
    arguments = parser.parse_args()
    texts = load_pairs(arguments.shared, arguments.segments)
    pairs = [Pair((reference,), hypothesis) for hypothesis, reference in texts]
    found: dict[tuple[str, int], list[Clock]] = {}
    for _ in range(arguments.runs):
        for cores in (1, 2):
            for name, clock in run(pairs, cores).items():
                found.setdefault((name, cores), []).append(clock)
    words = sum(len(side.split()) for pair in pairs for side in (*pair.references, pair.hypothesis)) / len(pairs) / 2
    print(f"{machine()}; {len(pairs)} segments of {words:.0f} words a side, median of {arguments.runs}\n")
    rows = []
    for (name, cores), clocks in sorted(found.items()):
        rates = sorted(len(pairs) / clock.elapsed for clock in clocks)
        busy = 1000 * median(clock.processor for clock in clocks) / len(pairs)
        rows.append((name, str(cores), f"{median(rates):.0f}", f"{rates[0]:.0f} to {rates[-1]:.0f}", f"{busy:.2f}"))
    print(markdown(["", "cores", "segments/s", "least to most", "ms of processor time per segment"], rows))


if __name__ == "__main__":
    main()
